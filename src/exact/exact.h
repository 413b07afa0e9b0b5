// The exact engine: backward induction (solve) and forward enumeration (enumerate). How: docs/exact.md.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "game/distribution.h"
#include "game/policy.h"
#include "salvo/errors.h"

namespace salvo::game {
struct Plan;
}

namespace salvo::exact {

inline constexpr double kChoicesPerEdge = 8;

/// The ways to solve a plan (docs/exact.md).
enum class Solver : std::uint8_t {
  Best,      ///< the fastest that can solve the plan
  Tables,    ///< dense tables, where players only spend tokens
  Segments,  ///< attacks cut into segments: nobody plays by rules or decides about damage cards
  Graph      ///< the graph of every position, which can solve any plan
};

/// Limits of a solve.
struct Budget {
  /// Transitions of the game graph: the default takes a few seconds and some 400 MB. Tables may hold kChoicesPerEdge
  /// times as many choices, since they are that much smaller and faster.
  double edges = 5e6;
  Solver solver = Solver::Best;  ///< to compare the ways with one another
};

/// There is less memory than the budget allows to use.
struct NoMemory : PlanTooLarge {
  NoMemory() : PlanTooLarge("the exact engine needs more memory than there is; lower the budget, or sample it", 0, 0) {}
};

class SolvedPlan;

/// A solved plan: the value under the plan's policies, and the policy of both roles.
struct Solution {
  double value = 0;         ///< mine minus theirs
  double second_value = 0;  ///< Objective::Kill: expected damage, compared when value ties; else 0
  game::Policy policy;
  std::size_t states = 0,
              edges = 0;  ///< positions and transitions of the graph; states between attacks, options compared
  std::shared_ptr<const SolvedPlan> solved;  ///< what enumerate goes through
};

/// Solves the plan under its attacker_policy and defender_policy. Throws PlanTooLarge, and std::invalid_argument when
/// the budget asks for a way that cannot solve the plan.
Solution solve(const game::Plan& plan, const Budget& budget = {});

/// A policy for plans that do not fit: greedy and hold need only the attack at hand, which is solved when the position
/// is first met. Both roles must be Greedy or Hold. Policy::decide then throws PlanTooLarge when a single attack does
/// not fit.
game::Policy greedy_policy(const game::Plan& plan, const Budget& budget = {});

/// The full joint distribution when both roles play `solution.policy`. Throws PlanTooLarge when putting the attacks
/// together takes more than the budget of the solution.
game::Distribution enumerate(const game::Plan& plan, const Solution& solution);
/// The same after each round of a plan of several (Plan::round_ends) but the last: its first attacks, played as the
/// whole plan is. Their `value` is not set.
std::vector<game::Distribution> enumerate_rounds(const game::Plan& plan, const Solution& solution);

}  // namespace salvo::exact
