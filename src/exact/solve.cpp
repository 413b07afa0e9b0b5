// solve: backward induction over the attacks of a plan, both players, all policies and objectives.
// A finite zero-sum game of perfect information with chance nodes; values are mine minus theirs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact/policy_table.h"
#include "salvo/exact.h"

namespace salvo::exact {
namespace {

constexpr double kTie = 1e-11;  // contract: Ties

bool equal(double a, double b) { return std::abs(a - b) <= kTie * std::max({1.0, std::abs(a), std::abs(b)}); }

/// Values of the nodes of one attack.
class Backward {
 public:
  Backward(const Plan& plan, std::size_t index, const Graph& graph)
      : plan_(plan),
        attack_(plan.attacks[index]),
        graph_(graph),
        values_(graph.nodes.size()),
        ties_(graph.nodes.size()) {}

  /// `next` by state of the next attack (empty: nothing is still to come). Choices of a role whose policy is not
  /// Optimal are read from `choice`, the others are found and written there.
  void run(const std::vector<Value>& next, PolicyKind attacker, PolicyKind defender, std::vector<int>& choice) {
    const double sign = plan_.ships[static_cast<std::size_t>(attack_.attacker)].mine ? 1.0 : -1.0;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.kind == Node::Kind::End) {
        const rules::Gain gain = rules::gain(plan_, attack_, graph_.positions[static_cast<int>(n)]);
        const Value later = next.empty() ? Value{} : next[static_cast<std::size_t>(node.first)];
        values_[n] = {sign * gain.value + later.first, sign * gain.damage + later.second};
      } else if (node.kind == Node::Kind::Chance) {
        values_[n] = mean(node);
      } else {
        const PolicyKind kind = node.attacker_decides ? attacker : defender;
        if (kind == PolicyKind::Optimal) choice[n] = best(node, (sign > 0) == node.attacker_decides);
        follow(n, choice[n]);
      }
    }
  }

  const Value& value(int node) const { return values_[static_cast<std::size_t>(node)]; }

 private:
  Value mean(const Node& node) const {
    Value out;
    for (int e = node.first; e < node.first + node.count; ++e) {
      const ChanceEdge& edge = graph_.chance_edges[static_cast<std::size_t>(e)];
      out.first += edge.probability * value(edge.target).first;
      out.second += edge.probability * value(edge.target).second;
    }
    return out;
  }

  std::uint64_t tie(const DecisionEdge& edge) const {
    return edge.same_decision ? ties_[static_cast<std::size_t>(edge.target)] : edge.tie;
  }

  /// The edge taken by a player who maximises (or minimises); number within the node.
  int best(const Node& node, bool maximise) const {
    const DecisionEdge* edges = &graph_.decision_edges[static_cast<std::size_t>(node.first)];
    const double sign = maximise ? 1.0 : -1.0;
    double first = -HUGE_VAL;
    for (int e = 0; e < node.count; ++e) first = std::max(first, sign * value(edges[e].target).first);
    double second = -HUGE_VAL;
    for (int e = 0; e < node.count; ++e) {
      const Value& v = value(edges[e].target);
      if (equal(sign * v.first, first)) second = std::max(second, sign * v.second);
    }
    int out = -1;
    for (int e = 0; e < node.count; ++e) {
      const Value& v = value(edges[e].target);
      if (!equal(sign * v.first, first) || !equal(sign * v.second, second)) continue;
      if (out < 0 || tie(edges[e]) > tie(edges[out])) out = e;
    }
    return out;
  }

  void follow(std::size_t n, int edge_number) {
    const DecisionEdge& edge = graph_.decision_edges[static_cast<std::size_t>(graph_.nodes[n].first + edge_number)];
    values_[n] = value(edge.target);
    ties_[n] = tie(edge);
  }

  const Plan& plan_;
  const AttackPlan& attack_;
  const Graph& graph_;
  std::vector<Value> values_;
  std::vector<std::uint64_t> ties_;
};

std::vector<Graph> build_graphs(const Plan& plan, std::vector<States>& states, const Budget& budget) {
  std::vector<Graph> graphs;
  states.resize(plan.attacks.size() + 1);
  states[0].number(plan.start.masked(plan.attacks[0].readable));
  double edges = 0;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    try {
      graphs.push_back(build_graph(plan, k, states[k], states[k + 1], budget.edges - edges));
    } catch (const PlanTooLarge&) {
      throw PlanTooLarge(
          fmt::format("the exact engine needs more than {:.3g} transitions (attack {} of {} begins in {} states); "
                      "raise the budget, shorten the scenario, or sample it",
                      budget.edges, k + 1, plan.attacks.size(), states[k].size()),
          budget.edges, budget.edges);
    }
    edges += static_cast<double>(graphs.back().edges());
  }
  return graphs;
}

/// Choices of the roles that do not play Optimal: 0 (no more, or what has to be done) for Hold, the attack's own minimax solution for Greedy.
std::vector<int> fixed_choices(const Plan& plan, std::size_t k, const Graph& graph) {
  std::vector<int> choice(graph.nodes.size(), 0);
  const bool attacker_greedy = plan.attacker_policy == PolicyKind::Greedy;
  const bool defender_greedy = plan.defender_policy == PolicyKind::Greedy;
  if (!attacker_greedy && !defender_greedy) return choice;
  const std::vector<int> greedy = greedy_choices(plan, k, graph);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].kind != Node::Kind::Decision) continue;
    if (graph.nodes[n].attacker_decides ? attacker_greedy : defender_greedy) choice[n] = greedy[n];
  }
  return choice;
}

}  // namespace

std::vector<int> greedy_choices(const Plan& plan, std::size_t attack, const Graph& graph) {
  std::vector<int> choice(graph.nodes.size(), 0);
  Backward(plan, attack, graph).run({}, PolicyKind::Optimal, PolicyKind::Optimal, choice);
  return choice;
}

namespace {

/// The dense solver, where it applies.
std::optional<Solution> solve_dense(const Plan& plan, const Budget& budget) {
  auto dense = token_plan(plan);
  if (!dense) return std::nullopt;
  auto table = std::make_shared<Policy::Table>();
  table->tokens = std::make_unique<TokenTables>(solve_tokens(plan, std::move(*dense), budget));
  Solution out;
  out.value = table->tokens->value;
  out.second_value = table->tokens->second_value;
  for (const int size : table->tokens->plan.live_size) out.states += static_cast<std::size_t>(size);
  out.edges = static_cast<std::size_t>(table->tokens->evaluations);
  out.policy = Policy(std::move(table));
  return out;
}

}  // namespace

Solution solve(const Plan& plan, const Budget& budget) {
  if (budget.tables) {
    if (auto dense = solve_dense(plan, budget)) return std::move(*dense);
  }
  auto table = std::make_shared<Policy::Table>();
  table->graphs = build_graphs(plan, table->states, budget);
  table->choices.resize(plan.attacks.size());
  std::vector<Value> next(table->states.back().size());
  Solution out;
  for (std::size_t k = plan.attacks.size(); k-- > 0;) {
    const Graph& graph = table->graphs[k];
    table->choices[k] = fixed_choices(plan, k, graph);
    Backward backward(plan, k, graph);
    backward.run(next, plan.attacker_policy, plan.defender_policy, table->choices[k]);
    std::vector<Value> here(graph.start.size());
    for (std::size_t s = 0; s < here.size(); ++s) {
      here[s] =
          graph.start[s] >= 0 ? backward.value(graph.start[s]) : next[static_cast<std::size_t>(graph.skipped_to[s])];
    }
    next = std::move(here);
    out.states += graph.nodes.size();
    out.edges += graph.edges();
  }
  out.value = next[0].first;
  out.second_value = next[0].second;
  out.policy = Policy(std::move(table));
  return out;
}

}  // namespace salvo::exact
