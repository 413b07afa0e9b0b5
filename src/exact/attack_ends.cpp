#include "exact/attack_ends.h"

#include "exact/graph/attack_solver.h"
#include "exact/graph/graph_flow.h"
#include "exact/segments/segment_game.h"

namespace salvo::exact {
namespace {

void replace(game::Plan& plan, game::PolicyKind policy, game::PolicyKind by) {
  for (game::PolicyKind* one : {&plan.attacker_policy, &plan.defender_policy}) {
    if (*one == policy) *one = by;
  }
}

/// The attack as the only one of a plan, with all resources read after it.
game::Plan alone(const game::Plan& plan, std::size_t k, const game::Resources& start) {
  game::Plan out = plan_from(plan, start);
  out.attacks = {plan.attacks[k]};
  game::AttackPlan& attack = out.attacks[0];
  attack.readable.words.fill(~std::uint64_t{0});
  attack.removed_after.clear();
  attack.flipped_after.clear();
  attack.merged_after.clear();
  replace(out, game::PolicyKind::Optimal, game::PolicyKind::Greedy);
  return out;
}

/// The ends of the plan's only attack, by its graph.
std::optional<std::vector<AttackEnd>> graph_ends(const game::Plan& plan, const Budget& budget) {
  States first, last;
  first.number(plan.start);
  const Graph graph = build_graph(plan, 0, first, last, budget.edges);
  if (graph.start[0] < 0) return std::nullopt;
  std::vector<AttackEnd> out;
  for (const NodeMass& at : flow_to_ends(graph, fixed_choices(plan, 0, graph), graph.start[0], 1.0)) {
    const game::Position& end = graph.positions[at.node];
    out.push_back({end.resources, end.hits, end.crits, end.extra, at.probability});
  }
  return out;
}

}  // namespace

game::Plan plan_from(const game::Plan& plan, const game::Resources& start) {
  game::Plan out = plan;
  out.start = start;
  for (game::Resource& r : out.resources) r.initial = start.get(r);
  return out;
}

std::optional<std::vector<AttackEnd>> attack_ends(const game::Plan& plan, std::size_t k, const game::Resources& start,
                                                  const Budget& budget) {
  game::Plan one = alone(plan, k, start);
  if (budget.solver == Solver::Graph) return graph_ends(one, budget);
  // With a single attack, greedy and optimal choices agree, and optimal ones take one solve instead of two.
  const bool greedy =
      one.attacker_policy == game::PolicyKind::Greedy && one.defender_policy == game::PolicyKind::Greedy;
  if (greedy) replace(one, game::PolicyKind::Greedy, game::PolicyKind::Optimal);
  if (auto ends = segment_ends(one, budget)) {
    if (ends->empty()) return std::nullopt;
    return ends;
  }
  if (greedy) replace(one, game::PolicyKind::Optimal, game::PolicyKind::Greedy);
  return graph_ends(one, budget);
}

}  // namespace salvo::exact
