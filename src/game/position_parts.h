// Small helpers for positions and operations.
#pragma once

#include <algorithm>

#include "base/index.h"
#include "game/play.h"

namespace salvo::game {

inline const Resource& resource(const Plan& plan, int index) { return base::nth(plan.resources, index); }

inline int count_face(Pool pool, int face) { return face < 0 ? 0 : pool.count(face); }

/// Pool::size() without a loop: the multiplication sums all counts into the highest field; the sum is at most kMaxPool.
inline int dice_in(Pool pool) {
  constexpr int kFields = 2 * base::kMaxFaces;
  constexpr std::uint64_t kOnes = [] {
    std::uint64_t out = 0;
    for (int field = 0; field < kFields; ++field) out |= std::uint64_t{1} << kCountBits * field;
    return out;
  }();
  return static_cast<int>(pool.bits() * kOnes >> kCountBits * (kFields - 1) & base::kMaxPool);
}

/// Hits and critical hits among the attack dice.
inline int results_left(const Plan& plan, const Position& position) {
  return count_face(position.attack_pool, plan.attack_die.hit) + count_face(position.attack_pool, plan.attack_die.crit);
}

/// Whether the player chooses the dice that the operation applies to.
inline bool chooses_dice(const Operation& operation) {
  return operation.kind == Operation::Kind::Reroll || (operation.kind == Operation::Kind::Change && !operation.all) ||
         (operation.kind == Operation::Kind::Cancel && operation.choose);
}

/// Whether the operation applies to dice on the table and does nothing without them.
inline bool needs_dice(const Operation& operation) {
  return operation.kind == Operation::Kind::Reroll || operation.kind == Operation::Kind::Change ||
         operation.kind == Operation::Kind::Cancel;
}

/// Whether the effect does nothing but pay its price. Operations aside only count what is paid.
inline bool only_pays(const Effect& effect) {
  return std::all_of(effect.operations.begin(), effect.operations.end(),
                     [](const Operation& operation) { return operation.aside; });
}

/// Whether the operation sets or removes dice without rolling.
inline bool changes_dice(const Operation& operation) {
  return needs_dice(operation) && operation.kind != Operation::Kind::Reroll;
}

inline constexpr int kMaxByCount = 6;  ///< most dice that a counted amount adds or rolls at once

/// Most dice that the operation adds or rolls.
inline int most_dice_of(const Operation& operation) { return operation.amount.empty() ? operation.n : kMaxByCount; }

/// Whether an effect of step `step` or of a step reachable from it rerolls dice of the pool.
inline bool reroll_follows(const AttackPlan& attack, std::size_t step, bool attack_dice) {
  for (auto s = static_cast<std::size_t>(attack.steps[step].earliest); s < attack.steps.size(); ++s) {
    for (const int e : attack.steps[s].effects) {
      for (const Operation& operation : base::nth(attack.effects, e).operations) {
        if (operation.kind == Operation::Kind::Reroll && operation.attack_dice == attack_dice) return true;
      }
    }
  }
  return false;
}

}  // namespace salvo::game
