// Propagates probability through the segments of an attack along the choices of the policy.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/index.h"
#include "exact/segments/segment_game.h"

namespace salvo::exact {
namespace {

/// Probability inside one segment. A row of contexts is padded to a power of two, so that an index splits into node and
/// context without a division.
class Flow {
 public:
  Flow(const SegmentTable& table, const std::vector<int>& choices)
      : table_(table),
        choices_(choices),
        row_bits_(std::countr_zero(std::bit_ceil(table.width()))),
        mass_(table.nodes << row_bits_),
        active_(mass_.size() / 64 + 1),
        ends_(table.next.size()),
        total_(table.next.size()) {}

  void begin(int state, double p) {
    const auto [node, context] = base::nth(table_.start, state);
    const std::size_t at = (static_cast<std::size_t>(node) << row_bits_) + static_cast<std::size_t>(context);
    mass_[at] += p;
    active_[at / 64] |= std::uint64_t{1} << at % 64;
    highest_ = std::max(highest_, at / 64);
  }

  /// Propagates the added probability to the ends. `weight`: its factor in the estimates of the attack.
  void run(double weight, game::AttackDistribution& estimates) {
    // Local copies: the compiler must assume that a write may change members, and would reload them.
    double* const mass = mass_.data();
    std::uint64_t* const active = active_.data();
    const SegmentGraph& graph = *table_.graph;
    const std::size_t width = table_.width();
    const int row_bits = row_bits_;
    for (std::size_t word = highest_ + 1; word-- > 0;) {  // children have smaller numbers
      while (active[word] != 0) {
        const int bit = 63 - std::countl_zero(active[word]);
        active[word] &= ~(std::uint64_t{1} << bit);
        const std::size_t from = word * 64 + static_cast<std::size_t>(bit), n = from >> row_bits,
                          context = from - (n << row_bits);
        const double p = std::exchange(mass[from], 0.0);
        const auto add = [&](int target, double more) {
          const std::size_t at = (static_cast<std::size_t>(target) << row_bits) + context;
          mass[at] += more;
          active[at / 64] |= std::uint64_t{1} << at % 64;
        };
        const Node& node = graph.nodes[n];
        if (node.kind == Node::Kind::Chance) {
          if (node.roll == 1) estimates.attack_dice += weight * p * node.dice;
          if (node.roll == 2) estimates.defense_dice += weight * p * node.dice;
          if (node.roll == kDraw) dealt_[node.dice] += weight * p;
          const ChanceEdge* edge = graph.chance_edges.data() + node.first;
          for (const ChanceEdge* const end = edge + node.count; edge != end; ++edge)
            add(edge->target, p * edge->probability);
        } else if (node.kind == Node::Kind::Decision) {
          const int taken = node.first + choices_[n * width + context];
          add(base::nth(graph.decision_edges, taken).target, p);
        } else {
          arrive(static_cast<std::size_t>(node.first) * width + context, weight, p);
        }
      }
    }
    highest_ = 0;
  }

  /// Calls visit(index by end and context, probability) for what has arrived, and clears it.
  template <typename Visit>
  void empty(Visit visit) {
    for (const std::size_t at : arrived_) visit(at, std::exchange(ends_[at], 0.0));
    arrived_.clear();
  }

  /// Damage cards that were turned faceup, weighted, by victim.
  const std::array<double, game::kVictims>& dealt() const { return dealt_; }
  /// The weighted sum of everything that has arrived, by end and context.
  const List<double>& total() const { return total_; }

 private:
  void arrive(std::size_t end, double weight, double p) {
    if (ends_[end] == 0) arrived_.push_back(end);
    ends_[end] += p;
    total_[end] += weight * p;
  }

  const SegmentTable& table_;
  const std::vector<int>& choices_;  ///< by node and context
  int row_bits_;
  List<double> mass_;           ///< by node and context
  List<std::uint64_t> active_;  ///< a bit for each node and context with mass
  List<double> ends_, total_;   ///< by end and context
  List<std::size_t> arrived_;   ///< ends and contexts with mass
  std::array<double, game::kVictims> dealt_{};
  std::size_t highest_ = 0;  ///< no later word of active_ is nonzero
};

std::vector<Flow> flows_of(const SegmentAttack& attack) {
  std::vector<Flow> out;
  out.reserve(attack.segments->size());
  for (std::size_t i = 0; i < attack.segments->size(); ++i) out.emplace_back((*attack.segments)[i], attack.choices[i]);
  return out;
}

/// Whether no ship has been hit or damaged yet, so that each table is one number, the probability.
bool untouched(const Mass& mass) {
  const auto small = [](const Eigen::ArrayXXd& table) { return table.size() <= 1; };
  return std::all_of(mass.joint.begin(), mass.joint.end(), small) &&
         std::all_of(mass.damage.begin(), mass.damage.end(), small);
}

/// An untouched state with probability 1.
Mass unit(Mass mass) {
  mass.probability = 1;
  for (auto* tables : {&mass.joint, &mass.damage}) {
    for (Eigen::ArrayXXd& table : *tables) table.setOnes();
  }
  return mass;
}

Arrival arrival_at(const SegmentTable& table, std::size_t at, double p) {
  const game::Position end = table.position(table.end_node[at / table.width()]);
  return {table.next[at], end.hits, end.crits, end.extra, p};
}

class SegmentForward {
 public:
  SegmentForward(const game::Plan& plan, const SegmentAttack& attack, Forward& forward)
      : plan_(plan), attack_(attack), k_(attack.k), forward_(forward) {}

  std::vector<Mass> run(const std::vector<Mass>& now) {
    std::vector<Mass> next = forward_.states(attack_.states_after);
    std::vector<Flow> flows = flows_of(attack_);
    const Mass* together = nullptr;  // untouched states are propagated at once
    for (std::size_t s = 0; s < now.size(); ++s) {
      const Mass& mass = now[s];
      if (mass.probability <= 0) continue;
      const auto state = static_cast<int>(s);
      if (attack_.skipped_to[s] >= 0) {
        forward_.move(k_, mass, 1.0, 0, 0, base::nth(next, attack_.skipped_to[s]));
        forward_.retire(k_, attack_.states[state].resources, mass.probability);
        continue;
      }
      forward_.attack(k_).happens += mass.probability;
      if (untouched(mass)) {
        together = &mass;
        flows.front().begin(state, mass.probability);
      }
    }
    if (together != nullptr) flow(flows, 1.0, unit(*together), next);
    for (std::size_t s = 0; s < now.size(); ++s) {
      if (now[s].probability <= 0 || attack_.skipped_to[s] >= 0 || untouched(now[s])) continue;
      flows.front().begin(static_cast<int>(s), 1.0);
      flow(flows, now[s].probability, now[s], next);
    }
    add_estimates(flows.back());
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (flows.back().dealt()[v] > 0) forward_.deal(k_, v, flows.back().dealt()[v]);
    }
    for (std::size_t i = 0; i < flows.size(); ++i) retire(i, flows[i]);
    forward_.finish_attack(k_);
    return next;
  }

 private:
  /// Propagates through all segments and to the next attack.
  void flow(std::vector<Flow>& flows, double weight, const Mass& from, std::vector<Mass>& next) {
    arrivals_.clear();
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const SegmentTable& table = (*attack_.segments)[i];
      flows[i].run(weight, forward_.attack(k_));
      flows[i].empty([&](std::size_t at, double p) {
        if (table.segment.last) {
          arrive(table, at, p);
        } else {
          flows[i + 1].begin(table.next[at], p);
        }
      });
    }
    for (const Arrival& arrival : arrivals_) {
      forward_.move(k_, from, arrival.probability, arrival.hits, arrival.crits, base::nth(next, arrival.next),
                    arrival.extra);
    }
  }

  void arrive(const SegmentTable& table, std::size_t at, double p) { add_arrival(arrival_at(table, at, p), arrivals_); }

  void add_estimates(const Flow& flow) {
    const SegmentTable& table = attack_.segments->back();
    game::AttackDistribution& attack = forward_.attack(k_);
    for (std::size_t at = 0; at < flow.total().size(); ++at) {
      const double p = flow.total()[at];
      if (p == 0) continue;
      const game::Position end = table.position(table.end_node[at / table.width()]);
      // An attack that inflicts tokens instead of damage can hit without remaining results.
      if (end.hit || end.hits + end.crits > 0) attack.hit_probability += p;
      attack.mean_hits += p * end.hits;
      attack.mean_crits += p * end.crits;
    }
  }

  /// Records the tokens that nothing after segment i can read: at its ends they have their final number.
  void retire(std::size_t i, const Flow& flow) {
    const auto& segments = *attack_.segments;
    const SegmentTable& table = segments[i];
    const auto within = [](const game::Resource& r, const game::Resources& mask) {
      return (base::nth(mask.words, r.word) >> r.shift & r.mask) != 0;
    };
    for (std::size_t index = 0; index < plan_.resources.size(); ++index) {
      if (!forward_.retires(k_, index)) continue;
      const game::Resource& r = attack_.labels.relabeled(plan_.resources[index]);
      if (!within(r, table.segment.readable)) continue;
      if (!table.segment.last && within(r, segments[i + 1].segment.readable)) continue;
      const bool active = within(r, table.segment.active);
      for (std::size_t at = 0; at < flow.total().size(); ++at) {
        if (flow.total()[at] == 0) continue;
        const int context = static_cast<int>(at % table.width());
        const game::Position from =
            active ? table.position(table.end_node[at / table.width()]) : table.contexts[context];
        forward_.leave(index, from.resources.get(r), flow.total()[at]);
      }
    }
  }

  const game::Plan& plan_;
  const SegmentAttack& attack_;
  std::size_t k_;
  Forward& forward_;
  std::vector<Arrival> arrivals_;
};

}  // namespace

std::vector<Arrival> SegmentGame::arrivals() const {
  std::vector<Arrival> out;
  game::AttackDistribution ignored;
  Arena scratch;
  const ArenaScope scope(scratch);
  std::vector<Flow> flows = flows_of(attack_);
  flows.front().begin(0, 1.0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const SegmentTable& table = (*attack_.segments)[i];
    flows[i].run(1.0, ignored);
    flows[i].empty([&](std::size_t at, double p) {
      if (table.segment.last) {
        out.push_back(arrival_at(table, at, p));
      } else {
        flows[i + 1].begin(table.next[at], p);
      }
    });
  }
  return out;
}

std::vector<Mass> SegmentGame::flow(const game::Plan& plan, const std::vector<Mass>& now, Forward& forward) const {
  Arena scratch;
  const ArenaScope scope(scratch);
  return SegmentForward(plan, attack_, forward).run(now);
}

}  // namespace salvo::exact
