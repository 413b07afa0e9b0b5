// Propagates probability through the graph of one attack along given choices.
#pragma once

#include <vector>

#include "base/index.h"
#include "exact/graph/graph.h"

namespace salvo::exact {

/// A node, and the probability that reaches it.
struct NodeMass {
  int node = 0;
  double probability = 0;
};

/// Propagates probability p from node n, up to ends and nodes where `stops` holds. `choices`: by node, the index of the
/// edge taken. Returns where it arrives, by descending node: children have smaller numbers than their parents.
template <typename Stops>
std::vector<NodeMass> flow_along(const Graph& graph, const std::vector<int>& choices, int n, double p, Stops stops) {
  std::vector<NodeMass> out;
  std::vector<double> mass(static_cast<std::size_t>(n) + 1);
  mass.back() = p;
  for (std::size_t i = mass.size(); i-- > 0;) {
    if (mass[i] == 0) continue;
    const Node& node = graph.nodes[i];
    if (node.kind == Node::Kind::End || stops(static_cast<int>(i))) {
      out.push_back({static_cast<int>(i), mass[i]});
    } else if (node.kind == Node::Kind::Decision) {
      const auto& edge = base::nth(graph.decision_edges, node.first + choices[i]);
      base::nth(mass, edge.target) += mass[i];
    } else {
      for (int e = node.first; e < node.first + node.count; ++e) {
        const ChanceEdge& edge = base::nth(graph.chance_edges, e);
        base::nth(mass, edge.target) += mass[i] * edge.probability;
      }
    }
  }
  return out;
}

/// The same up to the ends.
inline std::vector<NodeMass> flow_to_ends(const Graph& graph, const std::vector<int>& choices, int n, double p) {
  return flow_along(graph, choices, n, p, [](int) { return false; });
}

}  // namespace salvo::exact
