// Subgame: a point inside an attack of a plan, and all that can still come of it when both roles follow the plan's
// policies: values of whole plays, what the attack at hand gains, damage still to come.
// In: a Plan, an attack, a position in it. Out: a graph of whole plays with values, and flows of probability over it.
#pragma once

#include <optional>
#include <vector>

#include "exact/graph/attack_solver.h"
#include "exact/solved_plan.h"
#include "game/distribution.h"

namespace salvo::exact {

/// By ship: probability of each number of damage still to come.
using Outlook = std::vector<Eigen::ArrayXd>;

/// Values and damage to come of the states in which attack `first` can begin; `first` may be the number of attacks.
class Later {
 public:
  /// Throws PlanTooLarge.
  Later(const game::Plan& plan, std::size_t first, const States& states, const Budget& budget);

  const std::vector<Value>& values() const { return values_; }  ///< by state
  const Outlook& outlook(int state);

 private:
  game::Plan plan_;                            ///< the attacks from `first` on
  std::optional<SolvedPlan> solved_;           ///< from every state; nothing when no attack is left
  std::vector<Value> values_;                  ///< by state
  std::vector<std::optional<Outlook>> known_;  ///< by state
};

/// Somewhere that probability arrives: a node, or an end of the attack.
struct Arrived {
  int node = 0;
  double probability = 0;
};

/// The point itself.
class Subgame {
 public:
  /// `from` may be the beginning of the attack. Throws PlanTooLarge. `plan` must outlive it.
  Subgame(const game::Plan& plan, std::size_t attack, const game::Position& from, const Budget& budget = {});

  const game::Plan& plan() const { return plan_; }
  std::size_t attack() const { return attack_; }
  const Graph& graph() const { return graph_; }
  int start() const { return graph_.start[0]; }
  const Node& node(int n) const { return graph_.nodes[static_cast<std::size_t>(n)]; }
  const game::Position& position(int n) const { return graph_.positions[n]; }
  const Value& value(int n) const { return values_[static_cast<std::size_t>(n)]; }
  /// The edge taken at a decision, by number within the node.
  int choice(int n) const { return choices_[static_cast<std::size_t>(n)]; }
  const DecisionEdge& edge(int n, int e) const {
    return graph_.decision_edges[static_cast<std::size_t>(node(n).first + e)];
  }
  /// The edge that is best for the role that decides, whatever its policy (docs/format.md: Ties).
  int best(int n) const;
  /// True when the side that decides at node n maximises the value.
  bool maximises(int n) const;

  /// Where probability 1 flows from node n along the choices: to the first decisions of a role (and to the ends that
  /// are reached without one), or to the ends alone. Ordered by node.
  enum class Until { AttackerDecides, DefenderDecides, AnyDecides, Ends };
  std::vector<Arrived> flow(int n, Until until) const;

  /// Gain of this attack alone, mine minus theirs, expected from node n on.
  double gain_now(int n) const;
  /// Damage from node n on.
  Outlook outlook(int n);

 private:
  const game::Plan& plan_;
  std::size_t attack_;
  States next_;
  Graph graph_;
  std::optional<Later> later_;
  std::vector<int> choices_;
  std::vector<Value> values_;
};

}  // namespace salvo::exact
