// enumerate: the forward pass. Probability flows from each state of an attack along the choices of the policy; per ship
// a table of (hits, crits) so far travels with every state, so that the joint distributions are exact.
#include <algorithm>

#include "exact/policy_table.h"
#include "salvo/exact.h"

namespace salvo::exact {
namespace {

/// An end of an attack as seen from one starting state.
struct Arrival {
  int next = 0;  ///< state of the next attack
  int hits = 0, crits = 0;
  double probability = 0;
};

/// Adds `row` times p to `into`, moved by h hits and c crits. Tables grow as needed.
void add_shifted(Eigen::ArrayXXd& into, const Eigen::ArrayXXd& row, int h, int c, double p) {
  const Eigen::Index rows = std::max(into.rows(), row.rows() + h);
  const Eigen::Index cols = std::max(into.cols(), row.cols() + c);
  if (rows != into.rows() || cols != into.cols()) {
    Eigen::ArrayXXd larger = Eigen::ArrayXXd::Zero(rows, cols);
    larger.topLeftCorner(into.rows(), into.cols()) = into;
    into = std::move(larger);
  }
  into.block(h, c, row.rows(), row.cols()) += p * row;
}

/// What is known about a state between attacks: its probability, and each unfinished ship's table of hits and crits.
struct Mass {
  double probability = 0;
  std::vector<Eigen::ArrayXXd> joint;  ///< by ship; empty for ships that are not attacked or finished
};

class Forward {
 public:
  Forward(const Plan& plan, const Policy::Table& table) : plan_(plan), table_(table) {
    out_.ships.resize(plan.ships.size());
    out_.attacks.resize(plan.attacks.size());
    tokens_.assign(plan.resources.size(), 0.0);
    retired_.assign(plan.resources.size(), false);
    last_attack_.assign(plan.ships.size(), -1);
    for (std::size_t k = 0; k < plan.attacks.size(); ++k)
      last_attack_[static_cast<std::size_t>(plan.attacks[k].defender)] = static_cast<int>(k);
    for (const Resource& r : plan.resources) {
      if (!r.dynamic) tokens_[static_cast<std::size_t>(&r - plan.resources.data())] = r.initial;
    }
  }

  Distribution run() {
    Mass first{1.0, std::vector<Eigen::ArrayXXd>(plan_.ships.size())};
    for (std::size_t s = 0; s < plan_.ships.size(); ++s) {
      if (last_attack_[s] >= 0) first.joint[s] = Eigen::ArrayXXd::Ones(1, 1);
      out_.ships[s].joint = last_attack_[s] >= 0 ? Eigen::ArrayXXd() : Eigen::ArrayXXd::Ones(1, 1);
    }
    const Resources start = plan_.start;
    retire(start, plan_.attacks[0].readable, 1.0);
    std::vector<Mass> now{std::move(first)};
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) now = play(k, now);
    for (std::size_t s = 0; s < plan_.ships.size(); ++s) finish_ship(s);
    return std::move(out_);
  }

 private:
  /// Tokens that no later attack can read have reached their final number.
  void retire(const Resources& resources, const Resources& readable, double probability) {
    for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
      const Resource& r = plan_.resources[i];
      if (!r.dynamic || r.kind == Resource::Kind::Health || retired_[i]) continue;
      if ((readable.words[static_cast<std::size_t>(r.word)] >> r.shift & r.mask) == 0)
        tokens_[i] += probability * resources.get(r);
    }
  }

  Resources readable_after(std::size_t k) const {
    return k + 1 < plan_.attacks.size() ? plan_.attacks[k + 1].readable : Resources{};
  }

  void note_retired(const Resources& readable) {
    for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
      const Resource& r = plan_.resources[i];
      if (r.dynamic && (readable.words[static_cast<std::size_t>(r.word)] >> r.shift & r.mask) == 0) retired_[i] = true;
    }
  }

  std::vector<Mass> play(std::size_t k, const std::vector<Mass>& now) {
    if (k == 0) note_retired(plan_.attacks[0].readable);
    const Graph& graph = table_.graphs[k];
    const auto defender = static_cast<std::size_t>(plan_.attacks[k].defender);
    std::vector<Mass> next(table_.states[k + 1].size());
    for (Mass& mass : next) mass.joint.resize(plan_.ships.size());
    mass_.assign(graph.nodes.size(), 0.0);
    for (std::size_t s = 0; s < now.size(); ++s) {
      if (now[s].probability <= 0) continue;
      arrivals_.clear();
      if (graph.start[s] < 0) {
        arrivals_.push_back({graph.skipped_to[s], 0, 0, 1.0});
        retire(table_.states[k][static_cast<int>(s)], readable_after(k), now[s].probability);
      } else {
        out_.attacks[k].happens += now[s].probability;
        flow(k, graph.start[s], now[s].probability);
      }
      for (const Arrival& arrival : arrivals_)
        move(k, defender, now[s], arrival, next[static_cast<std::size_t>(arrival.next)]);
    }
    note_retired(readable_after(k));
    AttackDistribution& attack = out_.attacks[k];
    if (attack.happens > 0) {
      attack.attack_dice /= attack.happens;
      attack.defense_dice /= attack.happens;
    }
    return next;
  }

  void move(std::size_t k, std::size_t defender, const Mass& from, const Arrival& arrival, Mass& to) {
    to.probability += from.probability * arrival.probability;
    for (std::size_t ship = 0; ship < plan_.ships.size(); ++ship) {
      if (from.joint[ship].size() == 0) continue;
      const bool hit = ship == defender;
      Eigen::ArrayXXd& into = last_attack_[ship] == static_cast<int>(k) ? out_.ships[ship].joint : to.joint[ship];
      add_shifted(into, from.joint[ship], hit ? arrival.hits : 0, hit ? arrival.crits : 0, arrival.probability);
    }
  }

  /// Lets probability 1 flow from a starting node; fills arrivals_ and the attack's figures (times `weight`).
  void flow(std::size_t k, int start, double weight) {
    const Graph& graph = table_.graphs[k];
    AttackDistribution& attack = out_.attacks[k];
    mass_[static_cast<std::size_t>(start)] = 1.0;
    for (int n = start; n >= 0; --n) {  // children have smaller numbers
      const double p = mass_[static_cast<std::size_t>(n)];
      if (p == 0) continue;
      mass_[static_cast<std::size_t>(n)] = 0;
      const Node& node = graph.nodes[static_cast<std::size_t>(n)];
      if (node.kind == Node::Kind::Chance) {
        if (node.roll == 1) attack.attack_dice += weight * p * node.dice;
        if (node.roll == 2) attack.defense_dice += weight * p * node.dice;
        for (int e = node.first; e < node.first + node.count; ++e) {
          const ChanceEdge& edge = graph.chance_edges[static_cast<std::size_t>(e)];
          mass_[static_cast<std::size_t>(edge.target)] += p * edge.probability;
        }
      } else if (node.kind == Node::Kind::Decision) {
        const int taken = table_.choices[k][static_cast<std::size_t>(n)];
        mass_[static_cast<std::size_t>(graph.decision_edges[static_cast<std::size_t>(node.first + taken)].target)] += p;
      } else {
        arrive(k, graph.positions[n], node.first, p, weight);
      }
    }
  }

  void arrive(std::size_t k, const Position& end, int next, double p, double weight) {
    AttackDistribution& attack = out_.attacks[k];
    if (end.hits + end.crits > 0) attack.hit_probability += weight * p;
    attack.mean_hits += weight * p * end.hits;
    attack.mean_crits += weight * p * end.crits;
    retire(end.resources, readable_after(k), weight * p);
    for (Arrival& arrival : arrivals_) {
      if (arrival.next == next && arrival.hits == end.hits && arrival.crits == end.crits) {
        arrival.probability += p;
        return;
      }
    }
    arrivals_.push_back({next, end.hits, end.crits, p});
  }

  void finish_ship(std::size_t s) {
    ShipDistribution& ship = out_.ships[s];
    const ShipPlan& plan = plan_.ships[s];
    ship.damage = Eigen::ArrayXd::Zero(ship.joint.rows() + ship.joint.cols() - 1);
    for (Eigen::Index h = 0; h < ship.joint.rows(); ++h) {
      for (Eigen::Index c = 0; c < ship.joint.cols(); ++c) ship.damage(h + c) += ship.joint(h, c);
    }
    fill_health(plan, ship);
    ship.tokens_left = Eigen::ArrayXd::Zero(static_cast<Eigen::Index>(plan_.resources.size()));
    for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
      if (plan_.resources[i].ship == static_cast<int>(s)) ship.tokens_left(static_cast<Eigen::Index>(i)) = tokens_[i];
    }
  }

  const Plan& plan_;
  const Policy::Table& table_;
  Distribution out_;
  std::vector<double> tokens_;
  std::vector<bool> retired_;  ///< by resource: its final number is already in tokens_
  std::vector<int> last_attack_;
  std::vector<double> mass_;
  std::vector<Arrival> arrivals_;
};

}  // namespace

Distribution enumerate(const Plan& plan, const Solution& solution) {
  Distribution out = Forward(plan, *solution.policy.table()).run();
  out.value = solution.value;
  return out;
}

}  // namespace salvo::exact
