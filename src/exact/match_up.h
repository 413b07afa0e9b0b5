// Match-up: single attacks of many attack sides on many defense sides, with the work on each side done once.
// In: plans with one attack of which one side is of interest. Out: the distribution of damage of every pair.
//
// Why it is allowed: a single attack in which players only spend tokens (TokenPlan), with the objective damage, meets
// its other side in two numbers at most: the defender sees how many results it has to cancel, and the attacker sees how
// much each number of results is worth. So the defender's play is solved once for each number of results, and the
// attacker's choices are made against those values. Ties are broken as in solve.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "exact/token_tables.h"
#include "salvo/plan.h"

namespace salvo::exact {

inline constexpr int kMostMatchDice = 12;
using MatchPmf = std::array<double, kMostMatchDice + 1>;

/// The attacker's dice and tokens.
struct AttackSide {
  int dice = 0;
  bool mine = true, holds = false, lock = false;
  std::uint64_t lock_key = 0;
  Rolls rolls;
  std::array<double, 3> face{};
  /// Ways to spend with so many focus and blank results, most preferred first: [focus][blank].
  struct Way {
    std::uint8_t changed = 0;
    std::uint64_t key = 0;
  };
  std::vector<Way> ways;
  std::vector<int> first;  ///< by focus * (dice + 1) + blank, and one more
};

/// What the defender makes of each number of results.
struct DefenseSide {
  std::array<double, kMostMatchDice + 1> value{};  ///< mean damage, by results
  std::vector<MatchPmf> damage;                    ///< by results: probability of each damage
  bool destructible = false;
  int hull = 0, shields = 0;
};

/// The sides of a plan, or nothing when it is of another kind: several attacks, other objectives, cards that do more.
struct Sides {
  AttackSide attack;
  DefenseSide defense;
};
std::optional<Sides> sides_of(const Plan& plan);

/// Damage of the attack when both sides play: probability of k damage. Entries above the attack dice are 0.
MatchPmf match(const AttackSide& attack, const DefenseSide& defense);

}  // namespace salvo::exact
