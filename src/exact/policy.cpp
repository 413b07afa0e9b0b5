// Policy::choose: looks a position up in the solved graphs, or solves its attack when it is first met.
#include <mutex>
#include <stdexcept>

#include "exact/policy_table.h"

namespace salvo {
namespace exact {

bool LazyPolicy::look_up(std::size_t attack, const Position& key, Option& option) {
  const std::shared_lock lock(mutex_);
  const int node = attacks_[attack].positions.find(key);
  if (node >= 0) option = attacks_[attack].options[static_cast<std::size_t>(node)];
  return node >= 0;
}

Option LazyPolicy::choose(const Plan& plan, std::size_t attack, const Position& position) {
  const AttackPlan& attack_plan = plan.attacks[attack];
  const bool attacker = attack_plan.steps[position.step].attacker_decides;
  if ((attacker ? plan.attacker_policy : plan.defender_policy) == PolicyKind::Hold) return {};
  Position key = position;
  key.resources = position.resources.masked(attack_plan.reads);
  Option option;
  if (look_up(attack, key, option)) return option;
  const Graph graph = build_graph_from(plan, attack, key, budget_.edges);
  const std::vector<int> choices = greedy_choices(plan, attack, graph);
  const std::unique_lock lock(mutex_);
  Solved& solved = attacks_[attack];
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const Position& at = graph.positions[static_cast<int>(n)];
    if (node.kind != Node::Kind::Decision || solved.positions.find(at) != PositionTable::kNone) continue;
    solved.positions.insert(at);
    solved.options.push_back(graph.decision_edges[static_cast<std::size_t>(node.first + choices[n])].option);
  }
  return solved.options[static_cast<std::size_t>(solved.positions.find(key))];
}

Policy greedy_policy(const Plan& plan, const Budget& budget) {
  if (plan.attacker_policy == PolicyKind::Optimal || plan.defender_policy == PolicyKind::Optimal) {
    throw std::logic_error("greedy_policy needs both roles to play greedy or hold");
  }
  auto table = std::make_shared<Policy::Table>();
  table->lazy = std::make_unique<LazyPolicy>(plan, budget);
  return Policy(std::move(table));
}

}  // namespace exact

void Policy::decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
                    std::vector<Option>& options) const {
  if (table_->tokens) {
    exact::decide_tokens(plan, *table_->tokens, attack, start, position, options);
    return;
  }
  Position key = position;
  rules::merge_unread(plan, plan.attacks[attack], key);
  key.resources = key.resources.masked(plan.attacks[attack].readable);
  options.clear();
  if (table_->lazy) {
    options.push_back(table_->lazy->choose(plan, attack, key));
    return;
  }
  const exact::Graph& graph = table_->graphs[attack];
  int node = graph.positions.find(key);
  if (node < 0) throw std::logic_error("a position outside the solved game was reached");
  const exact::Node& decision = graph.nodes[static_cast<std::size_t>(node)];
  options.push_back(graph
                        .decision_edges[static_cast<std::size_t>(
                            decision.first + table_->choices[attack][static_cast<std::size_t>(node)])]
                        .option);
}

}  // namespace salvo
