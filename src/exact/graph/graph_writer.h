// Shared by the builders of graphs: charges edges to a budget, caches the outcomes of rolls, and draws damage cards.
#pragma once

#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "exact/graph/graph.h"

namespace salvo::exact {

/// `AnyGraph`: Graph or SegmentGraph.
template <typename AnyGraph>
class GraphWriter {
 public:
  GraphWriter(AnyGraph& graph, double edges_left) : graph_(graph), edges_left_(edges_left) {}

  /// A decision with the `edges` edges that the caller appends next. Throws PlanTooLarge when the budget is exceeded.
  Node decision(std::size_t edges, bool attacker_decides) {
    count_edges(edges);
    return {Node::Kind::Decision,   attacker_decides, 0, 0, static_cast<int>(graph_.decision_edges.size()),
            static_cast<int>(edges)};
  }
  Node decision(std::span<const DecisionEdge> edges, bool attacker_decides) {
    const Node out = decision(edges.size(), attacker_decides);
    graph_.decision_edges.insert(graph_.decision_edges.end(), edges.begin(), edges.end());
    return out;
  }
  /// A chance node. `roll`, `dice`: see Node.
  Node chance(std::span<const ChanceEdge> edges, std::uint8_t roll, int dice) {
    count_edges(edges.size());
    const auto first = static_cast<int>(graph_.chance_edges.size());
    graph_.chance_edges.insert(graph_.chance_edges.end(), edges.begin(), edges.end());
    return {Node::Kind::Chance, false, roll, static_cast<std::uint8_t>(dice), first, static_cast<int>(edges.size())};
  }

  /// The draw of a damage card. `visit`: returns the node of the position after it.
  template <typename Visit>
  Node draw(const game::Plan& plan, const game::AttackPlan& attack, const game::Position& position, Visit visit) {
    std::vector<int> left;
    game::cards_left(plan, attack, position, left);
    const double all = std::accumulate(left.begin(), left.end(), 0);
    std::vector<ChanceEdge> edges;
    for (std::size_t kind = 0; kind < left.size(); ++kind) {
      if (left[kind] > 0) edges.push_back({visit(game::after_draw(plan, attack, position, kind)), left[kind] / all});
    }
    const bool faceup = game::turns_faceup(plan, attack, position);
    return chance(edges, kDraw, faceup ? static_cast<int>(game::drawing_victim(position)) : kNotFaceup);
  }

  const std::vector<RollOutcome>& outcomes(const game::Die& die, int dice, int roll) {
    auto& known = outcomes_[{roll, dice}];
    if (known.empty()) known = roll_outcomes(die, dice);
    return known;
  }

 private:
  void count_edges(std::size_t n) {
    edges_left_ -= static_cast<double>(n);
    if (edges_left_ < 0)
      throw PlanTooLarge(
          "one attack needs more transitions than the budget; raise it, shorten the scenario, or sample it", 0, 0);
  }

  AnyGraph& graph_;
  double edges_left_;
  std::map<std::pair<int, int>, std::vector<RollOutcome>> outcomes_;
};

/// A pool of lists, so that a recursive builder need not allocate one at each level.
template <typename T>
class SpareLists {
 public:
  std::vector<T> take() {
    if (lists_.empty()) return {};
    std::vector<T> out = std::move(lists_.back());
    lists_.pop_back();
    return out;
  }
  void give_back(std::vector<T> list) {
    list.clear();
    lists_.push_back(std::move(list));
  }

 private:
  std::vector<std::vector<T>> lists_;
};

}  // namespace salvo::exact
