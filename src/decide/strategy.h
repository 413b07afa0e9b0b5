// Strategy cards: a short decision list for one role that plays nearly optimally, and what a given list loses. In: one
// or more scenarios. Out: rules in a player's words, each measured on the exact games.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/provenance.h"

namespace salvo::decide {

/// A situation in which the list plays worse than optimal.
struct StrategySituation {
  int attack = 1;            ///< number of the attack, from 1
  std::string roll;          ///< the dice on the table
  std::string play, better;  ///< the play by the list, and the optimal play
  double probability = 0;    ///< of reaching it
  double loss = 0;           ///< each time, if play continues optimally
};

/// What a list achieves in one scenario.
struct StrategyMeasure {
  std::string source;      ///< of the scenario
  double optimal = 0;      ///< value of optimal play
  double value = 0;        ///< value when the role plays the list and the other role answers by its own policy
  double loss = 0;         ///< of value against optimal, for the side that plays the list; at least 0
  double greedy_loss = 0;  ///< loss of the greedy policy
  std::optional<double> held_out_loss;  ///< loss of a list found without this scenario (several scenarios)
};

struct Strategy : Provenance {  // the provenance is that of the first scenario
  bool attacker = false, mine = false;
  PolicySpec policy;
  std::vector<std::string> words;             ///< the rules in a player's words; the last one is the default
  bool found = true;                          ///< false: a given list was measured
  std::vector<StrategyMeasure> measures;      ///< by scenario
  std::vector<StrategySituation> situations;  ///< of all scenarios, largest expected loss first; at most 10
  double loss = 0, greedy_loss = 0;           ///< means over the scenarios
};

struct StrategyOptions {
  std::optional<bool> attacker;  ///< empty: the role for which greedy play loses more
  std::optional<bool> mine;      ///< whose plays follow the list; empty: the side that has the role first
  int max_rules = 3;
  AnswerOptions answer;  ///< only overrides and budget matter
  /// Called from time to time with the number of lists tried and the smallest mean loss; return false to stop.
  std::function<bool(std::size_t, double)> progress;
};

/// Finds a list of at most `max_rules` rules with the smallest mean loss. Throws ScenarioError, LoadError,
/// PlanTooLarge.
Strategy find_strategy(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                       const StrategyOptions& options);
/// Measures a given list.
Strategy measure_strategy(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, const PolicySpec& policy,
                          const StrategyOptions& options);

/// The list as a policy file.
std::string to_toml(const PolicySpec& policy);
/// One JSON object (docs/schemas/card.schema.json), a table for a terminal.
std::string to_json(const Strategy& strategy);
std::string to_table(const Strategy& strategy, int width, bool colour);

}  // namespace salvo::decide
