// The outcomes of one attack of a plan when both roles play it as if it were the last one.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "exact/exact.h"
#include "game/plan.h"

namespace salvo::exact {

struct AttackEnd {
  game::Resources resources;  ///< all of them, whether anything reads them or not, before game::end_attack
  int hits = 0, crits = 0;
  std::array<std::int8_t, game::kVictims> extra{};  ///< by victim: damage from other effects
  double probability = 0;                           ///< above 0
};

/// The plan with other initial resources.
game::Plan plan_from(const game::Plan& plan, const game::Resources& start);

/// The ends of attack k from resources `start`; several can be equal. Nothing if the attack does not happen. Roles with
/// the policy hold or rules follow it; all others are greedy. Throws PlanTooLarge.
std::optional<std::vector<AttackEnd>> attack_ends(const game::Plan& plan, std::size_t k, const game::Resources& start,
                                                  const Budget& budget);

}  // namespace salvo::exact
