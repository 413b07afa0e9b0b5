#include "battle/attack_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/index.h"
#include "battle/interim_state.h"
#include "exact/attack_ends.h"
#include "exact/graph/attack_solver.h"

namespace salvo::battle {
namespace {

using NodeKind = AttackTree::Node::Kind;

class Builder {
 public:
  Builder(AttackTables& tables, const AttackKey& key, Deciders deciders, double budget)
      : tables_(tables), key_(key), deciders_(deciders), budget_(budget) {}

  AttackTree built() {
    const std::optional<CompiledAttack> asked = tables_.compile(key_);
    if (!asked) return {};
    asked_ = &*asked;
    const int root = begin_attack(0, {asked->plan.start.words, 0, 0});
    if (!tree_.possible) return {};
    return reachable(root);
  }

 private:
  /// The node where attack k of the plan begins.
  int begin_attack(std::size_t k, const InterimState& from) {
    const auto name = std::pair(k, from);
    if (const auto known = nodes_by_state_.find(name); known != nodes_by_state_.end()) return known->second;
    const int node = k < asked_->plan.attacks.size() ? attack(k, from) : end(from);
    nodes_by_state_.emplace(name, node);
    return node;
  }

  int end(const InterimState& at) {
    const Outcome one =
        tables_.outcome_of(key_, *asked_, left_over(asked_->plan, game::Resources{at.words}), at.damage, at.own);
    const auto name = std::tuple(one.damage, one.own_damage, one.attacker, one.defender, one.lock, one.lock_back);
    const auto [place, added] = outcomes_.try_emplace(name, static_cast<int>(tree_.outcomes.size()));
    if (added) tree_.outcomes.push_back(one);
    return node(NodeKind::End, {{place->second, 0}});
  }

  int attack(std::size_t k, const InterimState& from) {
    const game::Plan plan = exact::plan_from(asked_->plan, game::Resources{from.words});
    exact::States first, last;
    first.number(plan.start);
    const exact::Graph graph = exact::build_graph(plan, k, first, last, budget_);
    tree_.transitions += graph.chance_edges.size() + graph.decision_edges.size();
    if (graph.start[0] < 0) return begin_attack(k + 1, from);
    const game::AttackPlan& attack = plan.attacks[k];
    const bool own = attack.attacker == asked_->attacker;
    if (!attack.engagement && own) tree_.possible = true;
    const std::vector<int> choices = exact::fixed_choices(plan, k, graph);
    std::vector<int> made(graph.nodes.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      const exact::Node& one = graph.nodes[n];
      if (one.kind == exact::Node::Kind::End) {
        const game::Position& position = graph.positions[static_cast<int>(n)];
        made[n] =
            begin_attack(k + 1, {position.resources.words, from.damage + damage_of(attack, position, asked_->defender),
                                 from.own + damage_of(attack, position, asked_->attacker)});
      } else if (one.kind == exact::Node::Kind::Chance) {
        made[n] = chance(graph, one, made);
      } else {
        made[n] = decision(graph, one, choices[n], one.attacker_decides == own, made);
      }
    }
    return base::nth(made, graph.start[0]);
  }

  int chance(const exact::Graph& graph, const exact::Node& one, const std::vector<int>& made) {
    std::map<int, double> sums;
    for (int e = one.first; e < one.first + one.count; ++e) {
      const exact::ChanceEdge& edge = base::nth(graph.chance_edges, e);
      sums[base::nth(made, edge.target)] += edge.probability;
    }
    if (sums.size() == 1) return sums.begin()->first;
    return node(NodeKind::Chance, {sums.begin(), sums.end()});
  }

  int decision(const exact::Graph& graph, const exact::Node& one, int choice, bool attacker,
               const std::vector<int>& made) {
    const auto target = [&](int e) { return base::nth(made, base::nth(graph.decision_edges, one.first + e).target); };
    if (!(attacker ? deciders_.attacker : deciders_.defender)) return target(choice);
    std::vector<std::pair<int, double>> options;
    for (int e = 0; e < one.count; ++e) {
      base::add_once(options, {target(e), 0});
    }
    if (options.size() == 1) return options[0].first;
    std::ptrdiff_t greedy = 0;
    if (deciders_.keep_greedy)
      greedy = std::find(options.begin(), options.end(), std::pair{target(choice), 0.0}) - options.begin();
    return node(attacker ? NodeKind::Attacker : NodeKind::Defender, std::move(options), static_cast<int>(greedy));
  }

  int node(NodeKind kind, std::vector<std::pair<int, double>> edges, int greedy = 0) {
    const auto next = static_cast<int>(tree_.nodes.size());
    const auto [place, added] = nodes_.try_emplace({kind, greedy, std::move(edges)}, next);
    if (!added) return place->second;
    const auto& list = std::get<2>(place->first);
    AttackTree::Node out{kind, static_cast<int>(tree_.edges.size()), static_cast<int>(list.size()), greedy};
    if (kind == NodeKind::End) {
      out = {kind, list[0].first, 0};
    } else {
      for (const auto& [target, p] : list) tree_.edges.push_back({target, p});
    }
    tree_.nodes.push_back(out);
    return next;
  }

  /// The nodes that the root, which comes last, can reach.
  AttackTree reachable(int root) const {
    std::vector<bool> reached(static_cast<std::size_t>(root) + 1);
    reached.back() = true;
    for (std::size_t n = reached.size(); n-- > 0;) {
      const AttackTree::Node& one = tree_.nodes[n];
      if (!reached[n] || one.kind == NodeKind::End) continue;
      for (int e = one.first; e < one.first + one.count; ++e)
        base::nth(reached, base::nth(tree_.edges, e).target) = true;
    }
    AttackTree out;
    out.possible = true;
    out.outcomes = tree_.outcomes;
    out.transitions = tree_.transitions;
    std::vector<int> number(reached.size(), -1);
    for (std::size_t n = 0; n < reached.size(); ++n) {
      if (!reached[n]) continue;
      AttackTree::Node one = tree_.nodes[n];
      if (one.kind != NodeKind::End) {
        const auto first = static_cast<std::size_t>(one.first), count = static_cast<std::size_t>(one.count);
        one.first = static_cast<int>(out.edges.size());
        for (std::size_t e = first; e < first + count; ++e)
          out.edges.push_back({base::nth(number, tree_.edges[e].target), tree_.edges[e].chance});
      }
      number[n] = static_cast<int>(out.nodes.size());
      out.nodes.push_back(one);
    }
    return out;
  }

  AttackTables& tables_;
  const AttackKey& key_;
  Deciders deciders_;
  double budget_;
  const CompiledAttack* asked_ = nullptr;
  AttackTree tree_;
  std::map<std::pair<std::size_t, InterimState>, int> nodes_by_state_;
  std::map<std::tuple<int, int, int, int, bool, bool>, int> outcomes_;
  std::map<std::tuple<NodeKind, int, std::vector<std::pair<int, double>>>, int> nodes_;
};

}  // namespace

AttackTree attack_tree(AttackTables& tables, const AttackKey& key, Deciders deciders, double budget) {
  return Builder(tables, key, deciders, budget).built();
}

}  // namespace salvo::battle
