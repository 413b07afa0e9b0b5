// GraphWriter: what builders of graphs share: edges are counted against a budget, outcomes of rolls are kept.
#pragma once

#include <map>
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

  /// A decision whose edges are those that are added next. Throws PlanTooLarge when they are too many.
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
  /// A roll and its edges.
  Node chance(std::span<const ChanceEdge> edges, std::uint8_t roll, int dice) {
    count_edges(edges.size());
    const auto first = static_cast<int>(graph_.chance_edges.size());
    graph_.chance_edges.insert(graph_.chance_edges.end(), edges.begin(), edges.end());
    return {Node::Kind::Chance, false, roll, static_cast<std::uint8_t>(dice), first, static_cast<int>(edges.size())};
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

/// Lists that recursive builders use over and over.
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
