// AttackGame: one attack of a plan as a game, from every state in which it can begin. Each way of solving implements
// it. In: a Plan and the states in which play begins. Out: values backward, probability forward, decisions.
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

/// What a solve had to look at: positions and transitions of graphs; of tables states between attacks, and options that
/// were compared.
struct GameSize {
  std::size_t states = 0, edges = 0;
};

/// States, in which an attack can begin or after it, are numbers that the games of one plan agree on. One virtual call
/// an attack or a decision: loops over positions are inside. `plan` is always the one that the game was made from, or a
/// copy of it.
class AttackGame {
 public:
  virtual ~AttackGame() = default;
  /// Backward: values of the states in which the attack begins, from those of the states after it. Finds the choices of
  /// both roles under the plan's policies and keeps them.
  virtual std::vector<Value> solve(const game::Plan& plan, const std::vector<Value>& next) = 0;
  /// Forward: takes probability from the states in which the attack begins to those after it, along the choices.
  virtual std::vector<Mass> flow(const game::Plan& plan, const std::vector<Mass>& now, Forward& forward) const = 0;
  /// See Policy::decide.
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

/// Resources in which the first attack of a plan begins; at least one.
using Starts = std::span<const game::Resources>;

// The ways of solving (docs/exact.md). Each returns nothing when it cannot solve plans of that kind, and throws
// PlanTooLarge.

/// Dense tables: players only spend tokens.
std::optional<Games> token_games(const game::Plan& plan, Starts starts, const Budget& budget);
/// Attacks cut into segments: see has_segments().
std::optional<Games> segment_games(const game::Plan& plan, Starts starts, const Budget& budget);
/// The graph of every position: any plan.
std::optional<Games> graph_games(const game::Plan& plan, Starts starts, const Budget& budget);

/// Attack k, which begins in `states` states, does not fit the budget.
PlanTooLarge too_large(const game::Plan& plan, const Budget& budget, std::size_t k, std::size_t states);

}  // namespace salvo::exact
