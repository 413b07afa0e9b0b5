// enumerate: the forward pass over the graphs of a solved plan, or over its dense tables. Probability flows from each
// state in which an attack can begin along the choices of the policy.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "exact/exact.h"
#include "exact/forward.h"
#include "exact/policy_table.h"
#include "exact/segments.h"
#include "exact/token_tables.h"

namespace salvo::exact {
namespace {

class GraphForward {
 public:
  GraphForward(const Plan& plan, const SolvedPlan& table) : plan_(plan), table_(table), forward_(plan) {}

  Distribution run() {
    std::vector<Mass> now{forward_.first()};
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) now = play(k, now);
    return forward_.finish();
  }

 private:
  std::vector<Mass> play(std::size_t k, const std::vector<Mass>& now) {
    const Graph& graph = table_.graphs[k];
    std::vector<Mass> next = forward_.states(table_.states[k + 1].size());
    mass_.assign(graph.nodes.size(), 0.0);
    active_.assign(graph.nodes.size() / 64 + 1, 0);
    for (std::size_t s = 0; s < now.size(); ++s) {
      if (now[s].probability <= 0) continue;
      arrivals_.clear();
      if (graph.start[s] < 0) {
        arrivals_.push_back({.next = graph.skipped_to[s], .probability = 1.0});
        forward_.retire(k, table_.states[k][static_cast<int>(s)], now[s].probability);
      } else {
        forward_.attack(k).happens += now[s].probability;
        flow(k, graph.start[s], now[s].probability);
      }
      for (const Arrival& arrival : arrivals_) {
        forward_.move(k, now[s], arrival.probability, arrival.hits, arrival.crits,
                      next[static_cast<std::size_t>(arrival.next)], arrival.extra);
      }
    }
    forward_.finish_attack(k);
    return next;
  }

  /// Lets probability 1 flow from a starting node; fills arrivals_ and the attack's figures (times `weight`).
  void flow(std::size_t k, int start, double weight) {
    AttackDistribution& attack = forward_.attack(k);
    add(start, 1.0);
    for (auto word = static_cast<std::size_t>(start) / 64 + 1; word-- > 0;) {  // children have smaller numbers
      while (active_[word] != 0) {
        const int bit = 63 - std::countl_zero(active_[word]);
        active_[word] &= ~(std::uint64_t{1} << bit);
        pass_on(k, static_cast<int>(word * 64) + bit, attack, weight);
      }
    }
  }

  void add(int node, double p) {
    const auto n = static_cast<std::size_t>(node);
    mass_[n] += p;
    active_[n / 64] |= std::uint64_t{1} << n % 64;
  }

  void pass_on(std::size_t k, int n, AttackDistribution& attack, double weight) {
    const Graph& graph = table_.graphs[k];
    const double p = std::exchange(mass_[static_cast<std::size_t>(n)], 0.0);
    const Node& node = graph.nodes[static_cast<std::size_t>(n)];
    if (node.kind == Node::Kind::Chance) {
      if (node.roll == 1) attack.attack_dice += weight * p * node.dice;
      if (node.roll == 2) attack.defense_dice += weight * p * node.dice;
      if (node.roll == kDraw) forward_.deal(k, node.dice, weight * p);
      for (int e = node.first; e < node.first + node.count; ++e) {
        const ChanceEdge& edge = graph.chance_edges[static_cast<std::size_t>(e)];
        add(edge.target, p * edge.probability);
      }
    } else if (node.kind == Node::Kind::Decision) {
      const int taken = table_.choices[k][static_cast<std::size_t>(n)];
      const DecisionEdge& edge = graph.decision_edges[static_cast<std::size_t>(node.first + taken)];
      const Position& here = graph.positions[n];
      if (here.drawn != 0 && edge.option.effect >= 0)  // the card that was drawn is not dealt faceup
        forward_.deal(k, rules::drawing_victim(here), -weight * p);
      add(edge.target, p);
    } else {
      arrive(k, graph.positions[n], node.first, p, weight);
    }
  }

  void arrive(std::size_t k, const Position& end, int next, double p, double weight) {
    AttackDistribution& attack = forward_.attack(k);
    // An attack that inflicts tokens instead of damage hits without results being left.
    if (end.hit || end.hits + end.crits > 0) attack.hit_probability += weight * p;
    attack.mean_hits += weight * p * end.hits;
    attack.mean_crits += weight * p * end.crits;
    forward_.retire(k, end.resources, weight * p);
    const Arrival here{next, end.hits, end.crits, end.extra, p};
    for (Arrival& arrival : arrivals_) {
      if (!arrival.same_end(here)) continue;
      arrival.probability += p;
      return;
    }
    arrivals_.push_back(here);
  }

  const Plan& plan_;
  const SolvedPlan& table_;
  Forward forward_;
  std::vector<double> mass_;
  std::vector<std::uint64_t> active_;  ///< a bit for every node with mass
  std::vector<Arrival> arrivals_;
};

}  // namespace

Distribution enumerate(const Plan& plan, const Solution& solution) {
  const auto& table = dynamic_cast<const SolvedPlan&>(*solution.policy.table());
  Distribution out = table.tokens     ? enumerate_tokens(plan, *table.tokens)
                     : table.segments ? enumerate_segments(plan, *table.segments)
                                      : GraphForward(plan, table).run();
  out.value = solution.value;
  return out;
}

}  // namespace salvo::exact
