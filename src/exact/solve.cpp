// solve: backward induction over the attacks of a plan, both players, all policies and objectives.
// A finite zero-sum game of perfect information with chance nodes; values are mine minus theirs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact/attack_solver.h"
#include "exact/exact.h"
#include "exact/policy_table.h"
#include "exact/segments.h"

namespace salvo::exact {
std::string too_large(const Plan& plan, const Budget& budget, std::size_t k, std::size_t states) {
  return fmt::format(
      "the exact engine needs more than {:.3g} transitions (attack {} of {} begins in {} states); "
      "raise the budget, shorten the scenario, or sample it",
      budget.edges, k + 1, plan.attacks.size(), states);
}

namespace {

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
        if (kind == PolicyKind::Optimal) {
          choice[n] = best(node, (sign > 0) == node.attacker_decides, [](int) { return true; });
        }
        follow(n, choice[n]);
      }
    }
  }

  const Value& value(int node) const { return values_[static_cast<std::size_t>(node)]; }
  std::vector<Value> take_values() { return std::move(values_); }

  /// The edge taken by a player who maximises (or minimises), among those `allowed` by number within the node; -1 when
  /// none is.
  template <typename Allowed>
  int best(const Node& node, bool maximise, Allowed allowed) const {
    const DecisionEdge* edges = &graph_.decision_edges[static_cast<std::size_t>(node.first)];
    return best_of(
        node.count, maximise ? 1.0 : -1.0, [&](int e) -> const Value& { return value(edges[e].target); },
        [&](int e) { return tie(edges[e]); }, allowed);
  }

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
      throw PlanTooLarge(too_large(plan, budget, k, states[k].size()), budget.edges, budget.edges);
    }
    edges += static_cast<double>(graphs.back().edges());
  }
  return graphs;
}

/// The attack alone, solved: what greedy play and rules are measured by.
Backward solve_alone(const Plan& plan, std::size_t k, const Graph& graph, PolicyKind attacker, PolicyKind defender,
                     std::vector<int>& choices) {
  choices.assign(graph.nodes.size(), 0);
  Backward out(plan, k, graph);
  out.run({}, attacker, defender, choices);
  return out;
}

/// Whether the role that decides at a node of attack k maximises the value.
bool maximises(const Plan& plan, std::size_t k, const Node& node) {
  return plan.ships[static_cast<std::size_t>(plan.attacks[k].attacker)].mine == node.attacker_decides;
}

bool any_unanswered(const std::vector<PolicyRule>& rules) {
  return std::any_of(rules.begin(), rules.end(), [](const PolicyRule& rule) { return rule.unanswered; });
}

/// The choices of one role that plays by rules.
void choose_by_rules(const Plan& plan, std::size_t k, const Graph& graph, bool attacker, const Backward& greedy,
                     std::vector<int>& choice) {
  std::vector<int> ignored;
  std::optional<Backward> unanswered;
  if (any_unanswered(attacker ? plan.attacks[k].attacker_rules : plan.attacks[k].defender_rules)) {
    unanswered.emplace(solve_alone(plan, k, graph, attacker ? PolicyKind::Optimal : PolicyKind::Hold,
                                   attacker ? PolicyKind::Hold : PolicyKind::Optimal, ignored));
  }
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.kind != Node::Kind::Decision || node.attacker_decides != attacker) continue;
    const PolicyRule* rule = rule_at(plan, k, graph, static_cast<int>(n));
    const std::vector<bool> allowed = allowed_plays(plan, k, graph, static_cast<int>(n), rule);
    const Backward& measure = rule != nullptr && rule->unanswered ? *unanswered : greedy;
    choice[n] = measure.best(node, maximises(plan, k, node),
                             [&](int e) { return static_cast<bool>(allowed[static_cast<std::size_t>(e)]); });
  }
}

}  // namespace

std::vector<int> fixed_choices(const Plan& plan, std::size_t k, const Graph& graph) {
  std::vector<int> choice(graph.nodes.size(), 0);
  const auto own_game = [](PolicyKind policy) { return policy == PolicyKind::Greedy || policy == PolicyKind::Rules; };
  if (!own_game(plan.attacker_policy) && !own_game(plan.defender_policy)) return choice;
  std::vector<int> greedy;
  const Backward alone = solve_alone(plan, k, graph, PolicyKind::Optimal, PolicyKind::Optimal, greedy);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.kind != Node::Kind::Decision) continue;
    const PolicyKind policy = node.attacker_decides ? plan.attacker_policy : plan.defender_policy;
    if (policy == PolicyKind::Greedy) choice[n] = greedy[n];
  }
  if (plan.attacker_policy == PolicyKind::Rules) choose_by_rules(plan, k, graph, true, alone, choice);
  if (plan.defender_policy == PolicyKind::Rules) choose_by_rules(plan, k, graph, false, alone, choice);
  return choice;
}

std::vector<std::vector<int>> greedy_preferences(const Plan& plan, std::size_t k, const Graph& graph, bool attacker,
                                                 PolicyKind foe) {
  std::vector<int> ignored;
  const Backward alone =
      solve_alone(plan, k, graph, attacker ? PolicyKind::Optimal : foe, attacker ? foe : PolicyKind::Optimal, ignored);
  std::vector<std::vector<int>> out(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.kind != Node::Kind::Decision || node.attacker_decides != attacker) continue;
    std::vector<bool> left(static_cast<std::size_t>(node.count), true);
    for (int i = 0; i < node.count; ++i) {
      const int best = alone.best(node, maximises(plan, k, node),
                                  [&](int e) { return static_cast<bool>(left[static_cast<std::size_t>(e)]); });
      out[n].push_back(best);
      left[static_cast<std::size_t>(best)] = false;
    }
  }
  return out;
}

std::vector<Value> solve_attack(const Plan& plan, std::size_t k, const Graph& graph, const std::vector<Value>& next,
                                PolicyKind attacker, PolicyKind defender, std::vector<int>& choices) {
  Backward backward(plan, k, graph);
  backward.run(next, attacker, defender, choices);
  return backward.take_values();
}

namespace {

/// The dense solver, where it applies.
std::optional<Solution> solve_dense(const Plan& plan, const Budget& budget) {
  auto dense = token_plan(plan);
  if (!dense) return std::nullopt;
  auto table = std::make_shared<SolvedPlan>();
  table->tokens = std::make_unique<TokenTables>(solve_tokens(plan, std::move(*dense), budget));
  Solution out;
  out.value = table->tokens->value;
  out.second_value = table->tokens->second_value;
  for (const int size : table->tokens->plan.live_size) out.states += static_cast<std::size_t>(size);
  out.edges = static_cast<std::size_t>(table->tokens->evaluations);
  out.policy = Policy(std::move(table));
  return out;
}

Solution solve_by_segments(const Plan& plan, const Budget& budget) {
  auto tables = std::make_shared<SegmentTables>(solve_segments(plan, budget));
  Solution out;
  out.value = tables->value;
  out.second_value = tables->second_value;
  out.states = tables->nodes;
  out.edges = tables->edges;
  auto table = std::make_shared<SolvedPlan>();
  table->segments = std::move(tables);
  out.policy = Policy(std::move(table));
  return out;
}

}  // namespace

Solution solve(const Plan& plan, const Budget& budget) {
  if (budget.tables) {
    if (auto dense = solve_dense(plan, budget)) return std::move(*dense);
    if (has_segments(plan)) return solve_by_segments(plan, budget);
  }
  auto table = std::make_shared<SolvedPlan>();
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
