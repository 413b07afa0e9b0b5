// Durability: how many shots ships survive, each from a fresh attacker.
// In: a scenario with attackers of one defender, or several scenarios. Out: the distribution of the number of shots,
// and of rounds.
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

/// When the defender has its tokens again.
enum class Refresh {
  Shot,   ///< after each shot; Force and charges, too
  Round,  ///< after each round; Force and charges recover by the rules (000: End_Phase, Charges)
  Never,
  Rounds  ///< as the rounds of the scenario say; not to be asked for
};

struct DurabilityOptions {
  AnswerOptions answer;  ///< overrides, budget and threads count
  /// Empty: after each shot of a single attacker, and after each round of several.
  std::optional<Refresh> refresh;
  /// For Refresh::Round: shots in a round of a single attacker; empty: 1. Several shoot once each.
  std::optional<int> round;
  double tail = 1e-9;  ///< where the distribution is cut
};

struct DurabilityRow {
  std::string id;     ///< of the ship, or its name in the scenario
  std::string title;  ///< for people
  int health = 0;     ///< hull and shields
  exact::Durability shots;
  std::optional<exact::Durability> rounds;  ///< the same counted in rounds, where something says what a round is
};

struct DurabilityStudy {
  Provenance labels;     ///< of the last scenario; what is left out is that of all
  std::string attacker;  ///< for people; of several, all
  int attackers = 1;     ///< that shoot in turn
  Refresh refresh = Refresh::Shot;
  int round = 1;  ///< shots in a round, in the last one with Refresh::Rounds; 0: nothing says what a round is
  double tail = 0;
  bool all = false;  ///< a list of ships, not one
  std::vector<DurabilityRow> rows;
};

/// The defender of a scenario. Policies that it does not name are greedy. Throws ScenarioError (no hull, damage cards,
/// a policy that looks ahead over shots that have no end), LoadError and PlanTooLarge.
DurabilityStudy durability(const Catalogue& catalogue, const Scenario& scenario, const DurabilityOptions& options);

/// The defenders of several scenarios, the most durable first; `ids` name them.
DurabilityStudy durability(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                           const std::vector<std::string>& ids, const DurabilityOptions& options);

/// The ship of the SPEC `defend` under attackers in the words of `salvo run --attack`. `all`: every ship of the card
/// set in its place, with the tokens of `defend`, which may be empty then.
DurabilityStudy durability_of_specs(const Catalogue& catalogue, const load::GivenSpecs& attacks,
                                    const load::GivenSpecs& defend, bool all, const DurabilityOptions& options);

}  // namespace salvo::study
