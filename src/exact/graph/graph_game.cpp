// AttackGame on the graph of every position: values by node backward (attack_solver.h), probability forward.
#include <bit>
#include <stdexcept>
#include <utility>

#include "base/index.h"
#include "exact/attack_game.h"
#include "exact/graph/attack_solver.h"

namespace salvo::exact {
namespace {

/// An attack, its states and its graph.
struct GraphAttack {
  std::size_t k = 0;
  States states;  ///< in which the attack begins
  std::size_t states_after = 0;
  Graph graph;
  std::vector<int> choices;  ///< by node: index of the edge taken
};

/// Propagates probability through one attack.
class GraphFlow {
 public:
  GraphFlow(const GraphAttack& attack, Forward& forward)
      : attack_(attack),
        graph_(attack.graph),
        forward_(forward),
        estimates_(forward.attack(attack.k)),
        mass_(graph_.nodes.size()),
        active_(graph_.nodes.size() / 64 + 1) {}

  std::vector<Mass> run(const std::vector<Mass>& now) {
    std::vector<Mass> next = forward_.states(attack_.states_after);
    for (std::size_t s = 0; s < now.size(); ++s) {
      if (now[s].probability <= 0) continue;
      arrivals_.clear();
      if (graph_.start[s] < 0) {
        arrivals_.push_back({.next = graph_.skipped_to[s], .probability = 1.0});
        forward_.retire(attack_.k, attack_.states[static_cast<int>(s)], now[s].probability);
      } else {
        estimates_.happens += now[s].probability;
        flow(graph_.start[s], now[s].probability);
      }
      for (const Arrival& arrival : arrivals_) {
        forward_.move(attack_.k, now[s], arrival.probability, arrival.hits, arrival.crits,
                      base::nth(next, arrival.next), arrival.extra);
      }
    }
    forward_.finish_attack(attack_.k);
    return next;
  }

 private:
  /// Propagates probability 1 from a starting node. Fills arrivals_, and the attack's estimates times `weight`.
  void flow(int start, double weight) {
    add(start, 1.0);
    for (auto word = static_cast<std::size_t>(start) / 64 + 1; word-- > 0;) {  // children have smaller numbers
      while (active_[word] != 0) {
        const int bit = 63 - std::countl_zero(active_[word]);
        active_[word] &= ~(std::uint64_t{1} << bit);
        pass_on(static_cast<int>(word * 64) + bit, weight);
      }
    }
  }

  void add(int node, double p) {
    const auto n = static_cast<std::size_t>(node);
    mass_[n] += p;
    active_[n / 64] |= std::uint64_t{1} << n % 64;
  }

  void pass_on(int n, double weight) {
    const double p = std::exchange(base::nth(mass_, n), 0.0);
    const Node& node = base::nth(graph_.nodes, n);
    if (node.kind == Node::Kind::Chance) {
      if (node.roll == 1) estimates_.attack_dice += weight * p * node.dice;
      if (node.roll == 2) estimates_.defense_dice += weight * p * node.dice;
      if (node.roll == kDraw && node.dice != kNotFaceup) forward_.deal(attack_.k, node.dice, weight * p);
      for (int e = node.first; e < node.first + node.count; ++e) {
        const ChanceEdge& edge = base::nth(graph_.chance_edges, e);
        add(edge.target, p * edge.probability);
      }
    } else if (node.kind == Node::Kind::Decision) {
      const int taken = base::nth(attack_.choices, n);
      const DecisionEdge& edge = base::nth(graph_.decision_edges, node.first + taken);
      const game::Position& here = graph_.positions[n];
      if (here.drawn != 0 && edge.option.effect >= 0)  // the card is not dealt faceup after all
        forward_.deal(attack_.k, game::drawing_victim(here), -weight * p);
      if (forward_.picks_card(attack_.k, edge.option)) forward_.deal(attack_.k, game::drawing_victim(here), weight * p);
      add(edge.target, p);
    } else {
      arrive(graph_.positions[n], node.first, p, weight);
    }
  }

  void arrive(const game::Position& end, int next, double p, double weight) {
    // An attack that inflicts tokens instead of damage can hit without remaining results.
    if (end.hit || end.hits + end.crits > 0) estimates_.hit_probability += weight * p;
    estimates_.mean_hits += weight * p * end.hits;
    estimates_.mean_crits += weight * p * end.crits;
    forward_.retire(attack_.k, end.resources, weight * p);
    add_arrival({next, end.hits, end.crits, end.extra, p}, arrivals_);
  }

  const GraphAttack& attack_;
  const Graph& graph_;
  Forward& forward_;
  game::AttackDistribution& estimates_;
  std::vector<double> mass_;
  std::vector<std::uint64_t> active_;  ///< a bit for each node with mass
  std::vector<Arrival> arrivals_;
};

class GraphGame final : public AttackGame {
 public:
  explicit GraphGame(GraphAttack attack) : attack_(std::move(attack)) {}

  std::vector<Value> solve(const game::Plan& plan, const std::vector<Value>& next) override {
    const Graph& graph = attack_.graph;
    attack_.choices = fixed_choices(plan, attack_.k, graph);
    return values_of_starts(
        graph, solve_attack(plan, attack_.k, graph, next, plan.attacker_policy, plan.defender_policy, attack_.choices),
        next);
  }

  std::vector<Mass> flow(const game::Plan&, const std::vector<Mass>& now, Forward& forward) const override {
    return GraphFlow(attack_, forward).run(now);
  }

  void decide(const game::Plan& plan, const game::Resources&, const game::Position& position,
              std::vector<game::Option>& options) const override {
    const game::AttackPlan& attack = plan.attacks[attack_.k];
    game::Position key = position;
    game::canonicalize(plan, attack, key);
    key.resources = key.resources.masked(attack.readable);
    const int node = attack_.graph.positions.find(key);
    if (node < 0) throw std::logic_error("a position outside the solved game was reached");
    const auto n = static_cast<std::size_t>(node);
    const auto taken = static_cast<std::size_t>(attack_.graph.nodes[n].first + attack_.choices[n]);
    attack_.graph.options_of(attack_.graph.decision_edges[taken], options);
  }

  GameSize size() const override { return {attack_.graph.nodes.size(), attack_.graph.edges()}; }

 private:
  GraphAttack attack_;
};

}  // namespace

std::optional<Games> graph_games(const game::Plan& plan, Starts starts, const Budget& budget) {
  Games out;
  States states;
  for (const game::Resources& start : starts)
    out.starts.push_back(states.number(start.masked(plan.attacks[0].readable)));
  out.first_states = states.size();
  double left = budget.edges;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    GraphAttack attack{.k = k};
    States next;
    try {
      attack.graph = build_graph(plan, k, states, next, left);
    } catch (const PlanTooLarge&) {
      throw too_large(plan, budget, k, states.size());
    }
    left -= static_cast<double>(attack.graph.edges());
    attack.states = std::exchange(states, std::move(next));
    attack.states_after = states.size();
    out.attacks.push_back(std::make_unique<GraphGame>(std::move(attack)));
  }
  out.last_states = states.size();
  return out;
}

}  // namespace salvo::exact
