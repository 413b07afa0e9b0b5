// Small parts of a position that several files of play read.
#pragma once

#include "rules/play.h"

namespace salvo::rules {

inline const Resource& resource(const Plan& plan, int index) { return plan.resources[static_cast<std::size_t>(index)]; }

inline int count_face(Pool pool, int face) { return face < 0 ? 0 : pool.count(face); }

/// Pool::size() at once: the sum of all counts, which is at most kMaxPool, in the highest of them.
inline int dice_in(Pool pool) {
  constexpr int kFields = 2 * kMaxFaces;
  constexpr std::uint64_t kOnes = [] {
    std::uint64_t out = 0;
    for (int field = 0; field < kFields; ++field) out |= std::uint64_t{1} << kCountBits * field;
    return out;
  }();
  return static_cast<int>(pool.bits() * kOnes >> kCountBits * (kFields - 1) & kMaxPool);
}

/// Hits and critical hits among the attack dice.
inline int results_left(const Plan& plan, const Position& position) {
  return count_face(position.attack_pool, plan.attack_die.hit) + count_face(position.attack_pool, plan.attack_die.crit);
}

}  // namespace salvo::rules
