// The game from a position inside an attack to the end of the plan, under the plan's policies: values of whole plays,
// payoff of the attack, damage still to come. Advice and reviews are built on it.
#pragma once

#include <optional>
#include <vector>

#include "base/index.h"
#include "exact/graph/attack_solver.h"
#include "exact/graph/graph_flow.h"
#include "exact/solved_plan.h"
#include "game/distribution.h"

namespace salvo::exact {

/// By ship: probability of each number of damage still to come.
using Outlook = std::vector<Eigen::ArrayXd>;

/// Values and future damage of the states in which attack `first` can begin. `first` may be the number of attacks.
class Later {
 public:
  /// Throws PlanTooLarge.
  Later(const game::Plan& plan, std::size_t first, const States& states, const Budget& budget);

  const std::vector<Value>& values() const { return values_; }  ///< by state
  const Outlook& outlook(int state);

 private:
  game::Plan plan_;                            ///< the attacks from `first` on
  std::optional<SolvedPlan> solved_;           ///< from all states; nothing if no attack is left
  std::vector<Value> values_;                  ///< by state
  std::vector<std::optional<Outlook>> known_;  ///< by state
};

class Subgame {
 public:
  /// `from` may be the beginning of the attack. `plan` must outlive the object. Throws PlanTooLarge.
  Subgame(const game::Plan& plan, std::size_t attack, const game::Position& from, const Budget& budget = {});

  const game::Plan& plan() const { return plan_; }
  std::size_t attack() const { return attack_; }
  const Graph& graph() const { return graph_; }
  int start() const { return graph_.start[0]; }
  const Node& node(int n) const { return base::nth(graph_.nodes, n); }
  const game::Position& position(int n) const { return graph_.positions[n]; }
  const Value& value(int n) const { return base::nth(values_, n); }
  /// The edge taken at a decision, as an index within the node.
  int choice(int n) const { return base::nth(choices_, n); }
  const DecisionEdge& edge(int n, int e) const { return base::nth(graph_.decision_edges, node(n).first + e); }
  /// The best edge for the deciding role, whatever its policy (docs/format.md: Ties).
  int best(int n) const;
  /// Whether the deciding role at node n maximises the value.
  bool maximises(int n) const;

  /// Propagates probability 1 from node n along the choices, up to the next decisions of a role (n itself included) and
  /// the ends reached without one, or up to the ends. Ordered by node.
  enum class Until { AttackerDecides, DefenderDecides, AnyDecides, Ends };
  std::vector<NodeMass> flow(int n, Until until) const;

  /// The expected payoff of this attack alone from node n on, mine minus theirs.
  double payoff_now(int n) const;
  /// The damage from node n on.
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
