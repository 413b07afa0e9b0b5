// Policies: look a position up in the solved graphs, or solves its attack when it is first met.
#include <mutex>
#include <stdexcept>

#include "exact/policy_table.h"
#include "exact/segments.h"

namespace salvo::exact {

namespace {

/// Attack `attack` as the only one of a plan that begins with `start`. Whoever does not play by rules plays it as well
/// as can be against one who does the same.
Plan single_attack(const Plan& plan, std::size_t attack, const Resources& start) {
  Plan out = plan;
  out.attacks = {plan.attacks[attack]};
  out.attacks[0].readable = out.attacks[0].reads;
  out.start = start;
  const bool rules = plan.attacker_policy == PolicyKind::Rules || plan.defender_policy == PolicyKind::Rules;
  for (PolicyKind* policy : {&out.attacker_policy, &out.defender_policy}) {
    if (*policy != PolicyKind::Rules) *policy = rules ? PolicyKind::Greedy : PolicyKind::Optimal;
  }
  for (Resource& r : out.resources) r.initial = start.get(r);
  return out;
}

}  // namespace

std::shared_ptr<const LazyPolicy::Solved> LazyPolicy::solved(const Plan& plan, std::size_t attack,
                                                             const Resources& start) {
  {
    const std::shared_lock lock(mutex_);
    const auto known = attacks_[attack].find(start.words);
    if (known != attacks_[attack].end()) return known->second;
  }
  auto out = std::make_shared<Solved>();
  out->plan = single_attack(plan, attack, start);
  out->policy = solve(out->plan, budget_).policy;
  const std::unique_lock lock(mutex_);
  return attacks_[attack].try_emplace(start.words, std::move(out)).first->second;
}

void LazyPolicy::decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
                        std::vector<Option>& options) {
  const AttackPlan& attack_plan = plan.attacks[attack];
  const bool attacker = attack_plan.steps[position.step].attacker_decides;
  if ((attacker ? plan.attacker_policy : plan.defender_policy) == PolicyKind::Hold) {
    rules::legal_options(plan, attack_plan, position, options);
    options.resize(1);  // "no more", or what has to be done
    return;
  }
  const Resources begin = start.masked(attack_plan.reads);
  const auto game = solved(plan, attack, begin);
  Position here = position;
  here.resources = position.resources.masked(attack_plan.reads);
  game->policy.decide(game->plan, 0, begin, here, options);
}

Policy greedy_policy(const Plan& plan, const Budget& budget) {
  if (plan.attacker_policy == PolicyKind::Optimal || plan.defender_policy == PolicyKind::Optimal) {
    throw std::logic_error("greedy_policy needs both roles to play greedy, hold or rules");
  }
  auto table = std::make_shared<SolvedPlan>();
  table->lazy = std::make_unique<LazyPolicy>(plan, budget);
  return Policy(std::move(table));
}

void SolvedPlan::decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
                        std::vector<Option>& options) const {
  if (lazy) return lazy->decide(plan, attack, start, position, options);
  if (tokens) {
    decide_tokens(plan, *tokens, attack, start, position, options);
    return;
  }
  if (segments) return decide_segments(plan, *segments, attack, position, options);
  Position key = position;
  rules::merge_unread(plan, plan.attacks[attack], key);
  key.resources = key.resources.masked(plan.attacks[attack].readable);
  const Graph& graph = graphs[attack];
  int node = graph.positions.find(key);
  if (node < 0) throw std::logic_error("a position outside the solved game was reached");
  const Node& decision = graph.nodes[static_cast<std::size_t>(node)];
  const auto taken = static_cast<std::size_t>(decision.first + choices[attack][static_cast<std::size_t>(node)]);
  graph.options_of(graph.decision_edges[taken], options);
}

}  // namespace salvo::exact
