#include "exact/attack_ends.h"

#include "exact/graph/attack_solver.h"
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
  attack.lost_after.clear();
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
  const std::vector<int> choice = fixed_choices(plan, 0, graph);
  std::vector<double> mass(graph.nodes.size(), 0.0);
  mass[static_cast<std::size_t>(graph.start[0])] = 1.0;
  std::vector<AttackEnd> out;
  for (std::size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    if (mass[n] == 0) continue;
    if (node.kind == Node::Kind::Chance) {
      for (int e = node.first; e < node.first + node.count; ++e) {
        const ChanceEdge& edge = graph.chance_edges[static_cast<std::size_t>(e)];
        mass[static_cast<std::size_t>(edge.target)] += mass[n] * edge.probability;
      }
    } else if (node.kind == Node::Kind::Decision) {
      const auto edge = static_cast<std::size_t>(node.first + choice[n]);
      mass[static_cast<std::size_t>(graph.decision_edges[edge].target)] += mass[n];
    } else {
      const game::Position& end = graph.positions[static_cast<int>(n)];
      out.push_back({end.resources, end.hits, end.crits, end.extra, mass[n]});
    }
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
  // Greedy and optimal agree in the only attack of a plan, and optimal choices take one solve instead of two.
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
