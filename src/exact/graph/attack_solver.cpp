#include "exact/graph/attack_solver.h"

#include <algorithm>
#include <optional>

#include "base/index.h"

namespace salvo::exact {
namespace {

/// Values of the nodes of one attack.
class Backward {
 public:
  Backward(const game::Plan& plan, std::size_t index, const Graph& graph)
      : plan_(plan),
        attack_(plan.attacks[index]),
        graph_(graph),
        values_(graph.nodes.size()),
        ties_(graph.nodes.size()) {}

  /// See solve_attack.
  void run(const std::vector<Value>& next, game::PolicyKind attacker, game::PolicyKind defender,
           std::vector<int>& choice) {
    const double sign = base::nth(plan_.ships, attack_.attacker).mine ? 1.0 : -1.0;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.kind == Node::Kind::End) {
        const game::Payoff gain = game::payoff(plan_, attack_, graph_.positions[static_cast<int>(n)]);
        const Value later = next.empty() ? Value{} : base::nth(next, node.first);
        values_[n] = {sign * gain.value + later.first, sign * gain.damage + later.second};
      } else if (node.kind == Node::Kind::Chance) {
        values_[n] = mean(node);
      } else {
        const game::PolicyKind kind = node.attacker_decides ? attacker : defender;
        if (kind == game::PolicyKind::Optimal) {
          choice[n] = best(node, (sign > 0) == node.attacker_decides, [](int) { return true; });
        }
        follow(n, choice[n]);
      }
    }
  }

  const Value& value(int node) const { return base::nth(values_, node); }
  std::vector<Value> take_values() { return std::move(values_); }

  /// The best `allowed` edge for a player who maximises or minimises, as an index within the node; -1 if none is
  /// allowed.
  template <typename Allowed>
  int best(const Node& node, bool maximise, Allowed allowed) const {
    const DecisionEdge* edges = &base::nth(graph_.decision_edges, node.first);
    return best_of(
        node.count, maximise ? 1.0 : -1.0, [&](int e) -> const Value& { return value(edges[e].target); },
        [&](int e) { return tie(edges[e]); }, allowed);
  }

 private:
  Value mean(const Node& node) const {
    Value out;
    for (int e = node.first; e < node.first + node.count; ++e) {
      const ChanceEdge& edge = base::nth(graph_.chance_edges, e);
      out.first += edge.probability * value(edge.target).first;
      out.second += edge.probability * value(edge.target).second;
    }
    return out;
  }

  std::uint64_t tie(const DecisionEdge& edge) const {
    return edge.same_decision ? base::nth(ties_, edge.target) : edge.tie;
  }

  void follow(std::size_t n, int edge_number) {
    const DecisionEdge& edge = base::nth(graph_.decision_edges, graph_.nodes[n].first + edge_number);
    values_[n] = value(edge.target);
    ties_[n] = tie(edge);
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  const Graph& graph_;
  std::vector<Value> values_;
  std::vector<std::uint64_t> ties_;
};

/// The solution of the attack alone, which ranks the choices of greedy roles and rules.
Backward solve_alone(const game::Plan& plan, std::size_t k, const Graph& graph, game::PolicyKind attacker,
                     game::PolicyKind defender, std::vector<int>& choices) {
  choices.assign(graph.nodes.size(), 0);
  Backward out(plan, k, graph);
  out.run({}, attacker, defender, choices);
  return out;
}

/// Whether the role that decides at a node of attack k maximises the value.
bool maximises(const game::Plan& plan, std::size_t k, const Node& node) {
  return base::nth(plan.ships, plan.attacks[k].attacker).mine == node.attacker_decides;
}

bool any_unanswered(const std::vector<game::PolicyRule>& rules) {
  return std::any_of(rules.begin(), rules.end(), [](const game::PolicyRule& rule) { return rule.unanswered; });
}

/// Sets the choices of a role that plays by rules.
void choose_by_rules(const game::Plan& plan, std::size_t k, const Graph& graph, bool attacker, const Backward& greedy,
                     std::vector<int>& choice) {
  std::vector<int> ignored;
  std::optional<Backward> unanswered;
  if (any_unanswered(attacker ? plan.attacks[k].attacker_rules : plan.attacks[k].defender_rules)) {
    unanswered.emplace(solve_alone(plan, k, graph, attacker ? game::PolicyKind::Optimal : game::PolicyKind::Hold,
                                   attacker ? game::PolicyKind::Hold : game::PolicyKind::Optimal, ignored));
  }
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.kind != Node::Kind::Decision || node.attacker_decides != attacker) continue;
    const game::PolicyRule* rule = rule_at(plan, k, graph, static_cast<int>(n));
    const std::vector<bool> allowed = allowed_plays(plan, k, graph, static_cast<int>(n), rule);
    const Backward& measure = rule != nullptr && rule->unanswered ? *unanswered : greedy;
    choice[n] =
        measure.best(node, maximises(plan, k, node), [&](int e) { return static_cast<bool>(base::nth(allowed, e)); });
  }
}

}  // namespace

std::vector<int> fixed_choices(const game::Plan& plan, std::size_t k, const Graph& graph) {
  std::vector<int> choice(graph.nodes.size(), 0);
  const auto own_game = [](game::PolicyKind policy) {
    return policy == game::PolicyKind::Greedy || policy == game::PolicyKind::Rules;
  };
  if (!own_game(plan.attacker_policy) && !own_game(plan.defender_policy)) return choice;
  std::vector<int> greedy;
  const Backward alone = solve_alone(plan, k, graph, game::PolicyKind::Optimal, game::PolicyKind::Optimal, greedy);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.kind != Node::Kind::Decision) continue;
    const game::PolicyKind policy = node.attacker_decides ? plan.attacker_policy : plan.defender_policy;
    if (policy == game::PolicyKind::Greedy) choice[n] = greedy[n];
  }
  if (plan.attacker_policy == game::PolicyKind::Rules) choose_by_rules(plan, k, graph, true, alone, choice);
  if (plan.defender_policy == game::PolicyKind::Rules) choose_by_rules(plan, k, graph, false, alone, choice);
  return choice;
}

std::vector<std::vector<int>> greedy_preferences(const game::Plan& plan, std::size_t k, const Graph& graph,
                                                 bool attacker, game::PolicyKind opponent) {
  std::vector<int> ignored;
  const Backward alone = solve_alone(plan, k, graph, attacker ? game::PolicyKind::Optimal : opponent,
                                     attacker ? opponent : game::PolicyKind::Optimal, ignored);
  std::vector<std::vector<int>> out(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.kind != Node::Kind::Decision || node.attacker_decides != attacker) continue;
    std::vector<bool> left(static_cast<std::size_t>(node.count), true);
    for (int i = 0; i < node.count; ++i) {
      const int best =
          alone.best(node, maximises(plan, k, node), [&](int e) { return static_cast<bool>(base::nth(left, e)); });
      out[n].push_back(best);
      base::nth(left, best) = false;
    }
  }
  return out;
}

std::vector<Value> solve_attack(const game::Plan& plan, std::size_t k, const Graph& graph,
                                const std::vector<Value>& next, game::PolicyKind attacker, game::PolicyKind defender,
                                std::vector<int>& choices) {
  Backward backward(plan, k, graph);
  backward.run(next, attacker, defender, choices);
  return backward.take_values();
}

std::vector<Value> values_of_starts(const Graph& graph, const std::vector<Value>& nodes,
                                    const std::vector<Value>& next) {
  std::vector<Value> out;
  out.reserve(graph.start.size());
  for (std::size_t s = 0; s < graph.start.size(); ++s) {
    out.push_back(graph.start[s] >= 0 ? base::nth(nodes, graph.start[s]) : base::nth(next, graph.skipped_to[s]));
  }
  return out;
}

}  // namespace salvo::exact
