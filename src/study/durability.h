// Durability: how many shots ships survive, each from a fresh attacker. In: a scenario with attackers of one defender,
// or several scenarios. Out: the distribution of the number of shots, and of rounds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exact/durability.h"
#include "load/catalogue.h"
#include "load/specs.h"
#include "salvo/answer.h"
#include "salvo/provenance.h"

namespace salvo::study {

/// When the defender's tokens return.
enum class Refresh {
  Shot,   ///< after each shot; Force and charges as well
  Round,  ///< after each round; Force and charges recover by the rules (000: End_Phase, Charges)
  Never,
  Rounds  ///< as the rounds of the scenario say; not an option of users
};

struct DurabilityOptions {
  AnswerOptions answer;  ///< only overrides, budget and threads matter
  /// Empty: after each shot of a single attacker, or after each round of several.
  std::optional<Refresh> refresh;
  /// For Refresh::Round: shots of a single attacker in a round; empty: 1. Several attackers shoot once each.
  std::optional<int> shots_per_round;
  double tail = 1e-9;  ///< probability at which the distribution is cut off
};

struct DurabilityRow {
  std::string id;     ///< of the ship, or its name in the scenario
  std::string title;  ///< for people
  int health = 0;     ///< hull and shields
  exact::Durability shots;
  std::optional<exact::Durability> rounds;  ///< the same in rounds, if rounds are defined
};

struct DurabilityStudy {
  Provenance labels;     ///< of the last scenario; what is left out covers all scenarios
  std::string attacker;  ///< for people; all of several
  int attackers = 1;     ///< that shoot one after another
  Refresh refresh = Refresh::Shot;
  int shots_per_round = 1;  ///< shots in a round, in the last one with Refresh::Rounds; 0: rounds are not defined
  double tail = 0;
  bool all = false;  ///< a list of ships instead of one
  std::vector<DurabilityRow> rows;
};

/// The durability of a scenario's defender. Policies that the scenario does not name are greedy. Throws ScenarioError
/// (no hull, damage cards, a policy that looks ahead over endless shots), LoadError and PlanTooLarge.
DurabilityStudy durability(const Catalogue& catalogue, const Scenario& scenario, const DurabilityOptions& options);

/// The defenders of several scenarios, named by `ids`, the most durable first.
DurabilityStudy durability(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                           const std::vector<std::string>& ids, const DurabilityOptions& options);

/// The ship of the SPEC `defend` against attackers in the words of `salvo run --attack`. `all`: every ship of the card
/// set instead, with the tokens of `defend`, which may then be empty.
DurabilityStudy durability_of_specs(const Catalogue& catalogue, const load::GivenSpecs& attacks,
                                    const load::GivenSpecs& defend, bool all, const DurabilityOptions& options);

}  // namespace salvo::study
