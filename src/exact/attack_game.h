// The contract of a solver: one attack of a plan as a game, from every state in which it can begin.
//
// Three implementations, each in a folder of its own: tables/ (TokenGame), segments/ (SegmentGame), graph/ (GraphGame).
// They differ in which plans they can solve and in speed, never in results: for the same plan, values, choices and
// distributions agree up to rounding, ties included (value.h). graph/ solves every plan and is the reference; tests
// compare the other two with it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exact/exact.h"
#include "exact/forward.h"
#include "exact/value.h"
#include "game/plan.h"

namespace salvo::exact {

/// The size of a solve. Graphs: nodes and edges. Tables: states between attacks, and options compared.
struct GameSize {
  std::size_t states = 0, edges = 0;
};

/// States between attacks are numbers: the states after one attack are those in which the next one begins. `plan` is
/// always the plan that the game was made from, or a copy of it.
///
/// Call solve() first, then any number of flow() and decide(), from any thread. There is one virtual call per attack or
/// decision, so that loops over positions stay inside an implementation.
class AttackGame {
 public:
  virtual ~AttackGame() = default;
  /// Backward: takes the values of the states after the attack, returns those of the states in which it begins. Finds
  /// the choices of both roles under the plan's policies and stores them.
  virtual std::vector<Value> solve(const game::Plan& plan, const std::vector<Value>& next) = 0;
  /// Forward: takes the probability of the states in which the attack begins, returns that of the states after it,
  /// along the stored choices. Records damage, tokens and estimates of the attack in `forward`.
  virtual std::vector<Mass> flow(const game::Plan& plan, const std::vector<Mass>& now, Forward& forward) const = 0;
  /// The stored choice at a position; see Policy::decide.
  virtual void decide(const game::Plan& plan, const game::Resources& start, const game::Position& position,
                      std::vector<game::Option>& options) const = 0;
  virtual GameSize size() const = 0;
};

/// The games of all attacks of a plan, not yet solved.
struct Games {
  std::vector<std::unique_ptr<AttackGame>> attacks;
  std::vector<int> starts;       ///< by given start: state in which the first attack begins
  std::size_t first_states = 1;  ///< number of states in which the first attack can begin
  std::size_t last_states = 1;   ///< number of states after the last attack
};

/// Resources with which the first attack of a plan can begin; at least one.
using Starts = std::span<const game::Resources>;

// Each implementation has one entry point. It returns nothing if it cannot solve plans of this kind, and throws
// PlanTooLarge if the plan does not fit the budget.

/// tables/: dense arrays, for plans in which players only spend tokens.
std::optional<Games> token_games(const game::Plan& plan, Starts starts, const Budget& budget);
/// segments/: small graphs with contexts, for plans with has_segments().
std::optional<Games> segment_games(const game::Plan& plan, Starts starts, const Budget& budget);
/// graph/: a node for every position, for any plan.
std::optional<Games> graph_games(const game::Plan& plan, Starts starts, const Budget& budget);

/// The exception for attack k, which begins in `states` states and does not fit the budget.
PlanTooLarge too_large(const game::Plan& plan, const Budget& budget, std::size_t k, std::size_t states);

}  // namespace salvo::exact
