// The exact engine: solves a plan by backward induction (solve) and propagates probability forward (enumerate). See
// docs/exact.md.
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

/// The solvers (docs/exact.md).
enum class Solver : std::uint8_t {
  Best,      ///< the fastest one that can solve the plan
  Tables,    ///< dense tables, for plans in which players only spend tokens
  Segments,  ///< attacks cut into segments, for plans without decision lists and choices about damage cards
  Graph      ///< a node for every position, for any plan
};

/// Tables may hold this many choices for each transition of a budget, since a choice takes that much less memory and
/// time.
inline constexpr double kChoicesPerEdge = 8;

/// Limits of a solve.
struct Budget {
  /// Transitions of the game graph. The default takes a few seconds and about 400 MB.
  double edges = 5e6;
  Solver solver = Solver::Best;  ///< tests force a solver to compare it with the others
};

/// The system has less memory than the budget permits.
struct NoMemory : PlanTooLarge {
  NoMemory() : PlanTooLarge("the exact engine needs more memory than there is; lower the budget, or sample it", 0, 0) {}
};

class SolvedPlan;

/// A solved plan: its value under the plan's policies, and the choices of both roles.
struct Solution {
  double value = 0;         ///< mine minus theirs
  double second_value = 0;  ///< Objective::Kill: expected damage, which breaks ties; else 0
  game::Policy policy;
  std::size_t states = 0, edges = 0;         ///< see GameSize
  std::shared_ptr<const SolvedPlan> solved;  ///< the games, for enumerate
};

/// Solves the plan under its attacker_policy and defender_policy. Throws PlanTooLarge, and std::invalid_argument if the
/// budget's solver cannot solve the plan.
Solution solve(const game::Plan& plan, const Budget& budget = {});

/// A policy for plans that exceed the budget. Both roles must play Greedy, Hold or Rules: these look no further than
/// the current attack, so each attack is solved alone when a position in it first occurs. Policy::decide throws
/// PlanTooLarge if a single attack exceeds the budget.
game::Policy greedy_policy(const game::Plan& plan, const Budget& budget = {});

/// The full joint distribution when both roles play `solution.policy`. Throws PlanTooLarge if combining the attacks
/// exceeds the budget of the solution.
game::Distribution enumerate(const game::Plan& plan, const Solution& solution);
/// The same after each round but the last (Plan::round_ends), with the choices of the whole plan. Does not set `value`.
std::vector<game::Distribution> enumerate_rounds(const game::Plan& plan, const Solution& solution);

}  // namespace salvo::exact
