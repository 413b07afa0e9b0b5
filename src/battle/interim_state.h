// The state between the attacks of a plan: resources, and the damage so far of both ships.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "game/plan.h"

namespace salvo::battle {

struct InterimState {
  std::array<std::uint64_t, 2> words{};
  int damage = 0, own = 0;
  int crits = 0;  ///< counted where damage cards are dealt afterwards
  bool operator<(const InterimState& other) const {
    return std::tie(words, damage, own, crits) < std::tie(other.words, other.damage, other.own, other.crits);
  }
};

/// The damage that `ship` suffered in an attack. `end`: a Position or an exact::AttackEnd.
template <typename End>
int damage_of(const game::AttackPlan& attack, const End& end, int ship) {
  int out = 0;
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    if (attack.victim(v) == ship) out += end.extra[v] + (v == 0 ? end.hits + end.crits : 0);
  }
  return out;
}

/// The value of each resource of a plan.
inline std::vector<int> left_over(const game::Plan& plan, const game::Resources& resources) {
  std::vector<int> out;
  out.reserve(plan.resources.size());
  for (const game::Resource& r : plan.resources) out.push_back(resources.get(r));
  return out;
}

}  // namespace salvo::battle
