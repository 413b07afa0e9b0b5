// Applies decision lists to whole plays: the cost of a play, and the plays that the first matching rule allows.
#include <algorithm>

#include "base/index.h"
#include "exact/graph/attack_solver.h"

namespace salvo::exact {

PlayCost cost_of(const game::Plan& plan, std::size_t attack, const std::vector<game::Option>& options) {
  PlayCost out;
  out.spent.resize(plan.resources.size());
  for (const game::Option& option : options) {
    if (option.effect < 0) continue;
    const game::Effect& effect = base::nth(plan.attacks[attack].effects, option.effect);
    for (const game::Cost& cost : effect.cost) base::nth(out.spent, cost.resource) += cost.n;
    for (const game::Operation& operation : effect.operations) {
      if (operation.kind != game::Operation::Kind::Reroll) continue;
      out.rerolled += option.dice.size();
      for (int face = 0; face < base::kMaxFaces; ++face) {
        if (option.dice.count(face) > 0) out.rerolled_faces |= 1u << face;
      }
    }
  }
  return out;
}

bool is_forced_play(const game::Plan& plan, std::size_t attack, const std::vector<game::Option>& options) {
  return std::all_of(options.begin(), options.end(), [&](const game::Option& option) {
    return option.effect < 0 || base::nth(plan.attacks[attack].effects, option.effect).forced;
  });
}

bool allows(const game::PolicyRule& rule, const PlayCost& cost) {
  if (cost.rerolled > rule.most_rerolled || (cost.rerolled_faces & ~rule.reroll_faces) != 0) return false;
  return std::all_of(rule.limits.begin(), rule.limits.end(), [&](const game::SpendLimit& limit) {
    int spent = 0;
    for (const int resource : limit.resources) spent += base::nth(cost.spent, resource);
    return spent <= limit.most;
  });
}

const game::PolicyRule* rule_at(const game::Plan& plan, std::size_t attack, const Graph& graph, int node) {
  const game::AttackPlan& attack_plan = plan.attacks[attack];
  const bool attacker = base::nth(graph.nodes, node).attacker_decides;
  const auto& list = attacker ? attack_plan.attacker_rules : attack_plan.defender_rules;
  const game::Position& position = graph.positions[node];
  const auto rule = std::find_if(list.begin(), list.end(), [&](const game::PolicyRule& candidate) {
    return game::evaluate(plan, candidate.when, position) != 0;
  });
  return rule == list.end() ? nullptr : &*rule;
}

std::vector<bool> allowed_plays(const game::Plan& plan, std::size_t attack, const Graph& graph, int node,
                                const game::PolicyRule* rule) {
  const Node& decision = base::nth(graph.nodes, node);
  std::vector<bool> out(static_cast<std::size_t>(decision.count), true);
  std::vector<game::Option> options;
  for (int e = 0; e < decision.count && rule != nullptr; ++e) {
    graph.options_of(base::nth(graph.decision_edges, decision.first + e), options);
    base::nth(out, e) = is_forced_play(plan, attack, options) || allows(*rule, cost_of(plan, attack, options));
  }
  if (std::find(out.begin(), out.end(), true) == out.end()) out.front() = true;  // the play with only forced options
  return out;
}

}  // namespace salvo::exact
