// Durability: how many shots ships survive, each from a fresh attacker.
// In: a scenario with one attacker and one defender, or several. Out: the distribution of the number of shots.
#pragma once

#include <string>
#include <vector>

#include "exact/durability.h"
#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/provenance.h"

namespace salvo::study {

struct DurabilityOptions {
  AnswerOptions answer;  ///< overrides, budget and threads count
  int round = 1;         ///< shots after which the defender's tokens are back; 0: never
  double tail = 1e-9;    ///< where the distribution is cut
};

struct DurabilityRow {
  std::string id;     ///< of the ship, or its name in the scenario
  std::string title;  ///< for people
  int health = 0;     ///< hull and shields
  exact::Durability shots;
};

struct DurabilityStudy {
  Provenance labels;     ///< of the last scenario; what is left out is that of all
  std::string attacker;  ///< for people
  int round = 1;
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

}  // namespace salvo::study
