// Small parts of a position that several files of play read.
#pragma once

#include "rules/play.h"

namespace salvo::rules {

inline const Resource& resource(const Plan& plan, int index) { return plan.resources[static_cast<std::size_t>(index)]; }

inline int count_face(Pool pool, int face) { return face < 0 ? 0 : pool.count(face); }

/// Hits and critical hits among the attack dice.
inline int results_left(const Plan& plan, const Position& position) {
  return count_face(position.attack_pool, plan.attack_die.hit) + count_face(position.attack_pool, plan.attack_die.crit);
}

}  // namespace salvo::rules
