// Ends of an attack: where one attack of a plan can leave its ships when both roles play it for itself.
// In: a Plan, one of its attacks, and the resources in which it begins. Out: all that is left, with probabilities.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "exact/exact.h"
#include "game/plan.h"

namespace salvo::exact {

struct AttackEnd {
  game::Resources resources;  ///< all of them, whether something reads them or not, before rules::end_attack
  int hits = 0, crits = 0;
  std::array<std::int8_t, game::kVictims> extra{};  ///< by victim: damage from other effects
  double probability = 0;                           ///< above 0
};

/// The plan as it goes on from resources.
game::Plan plan_from(const game::Plan& plan, const game::Resources& start);

/// Ends of attack k; several can be alike. Nothing where the attack does not happen. Roles hold, play by rules, or else
/// as if the attack were the last one (greedy). Throws PlanTooLarge.
std::optional<std::vector<AttackEnd>> attack_ends(const game::Plan& plan, std::size_t k, const game::Resources& start,
                                                  const Budget& budget);

}  // namespace salvo::exact
