// Solves segments backward: values and choices of all contexts of a segment at once. Then looks choices up.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "base/index.h"
#include "exact/segments/segment_game.h"

namespace salvo::exact {
namespace {

/// Values by node and context of one segment.
class SegmentBackward {
 public:
  SegmentBackward(const game::Plan& plan, const game::AttackPlan& attack, const SegmentTable& table,
                  std::vector<int>& choices)
      : plan_(plan),
        attack_(attack),
        table_(table),
        choices_(choices),
        width_(table.width()),
        two_(plan.objective == game::Objective::Kill),
        first_(table.nodes * width_),
        second_(two_ ? first_.size() : 0),
        ties_(new std::uint64_t[first_.size()]),
        most_(width_),
        other_(width_),
        taken_(width_) {}

  /// `next`: values by state after the segment; empty: all 0. Reads the choices of roles that do not play Optimal and
  /// writes the others. Returns values by state in which the segment begins.
  std::vector<Value> run(const std::vector<Value>& next, game::PolicyKind attacker, game::PolicyKind defender) {
    std::vector<Value> out(table_.start.size());
    if (width_ == 0) return out;  // it never begins, but may share the graph of a segment that does
    const double sign = base::nth(plan_.ships, attack_.attacker).mine ? 1.0 : -1.0;
    for (int n = 0; n < static_cast<int>(table_.nodes); ++n) {
      const Node& node = base::nth(table_.graph->nodes, n);
      if (node.kind == Node::Kind::End) {
        end(n, node, sign, next);
      } else if (node.kind == Node::Kind::Chance) {
        mean(n, node, first_);
        if (two_) mean(n, node, second_);
      } else {
        const game::PolicyKind kind = node.attacker_decides ? attacker : defender;
        decide(n, node, kind == game::PolicyKind::Optimal, (sign > 0) == node.attacker_decides ? 1.0 : -1.0);
      }
    }
    for (std::size_t s = 0; s < out.size(); ++s) {
      const auto [node, context] = table_.start[s];
      if (node >= 0) out[s] = value(at(node, static_cast<std::size_t>(context)));
    }
    return out;
  }

 private:
  std::size_t at(int row, std::size_t context) const { return static_cast<std::size_t>(row) * width_ + context; }
  std::uint64_t tie(const SegmentEdge& edge, std::size_t context) const {
    return edge.same_decision() ? ties_[at(edge.target, context)] : base::nth(table_.graph->ties, edge.tie);
  }
  Value value(std::size_t n) const { return {first_[n], two_ ? second_[n] : 0}; }

  void end(int n, const Node& node, double sign, const std::vector<Value>& next) {
    game::Payoff gain;
    if (table_.segment.last) gain = game::payoff(plan_, attack_, table_.position(n));
    for (std::size_t context = 0; context < width_; ++context) {
      const int state = table_.next[at(node.first, context)];
      const Value later = next.empty() || state < 0 ? Value{} : base::nth(next, state);
      first_[at(n, context)] = sign * gain.value + later.first;
      if (two_) second_[at(n, context)] = sign * gain.damage + later.second;
    }
  }

  void mean(int n, const Node& node, List<double>& values) const {
    if (width_ == 1) return mean_alone(n, node, values);
    for (int e = node.first; e < node.first + node.count; ++e) {
      const ChanceEdge& edge = base::nth(table_.graph->chance_edges, e);
      add(&values[at(edge.target, 0)], edge.probability, width_, &values[at(n, 0)]);
    }
  }

  void mean_alone(int n, const Node& node, List<double>& values) const {
    const ChanceEdge* edges = table_.graph->chance_edges.data() + node.first;
    double sum = 0;
    for (int e = 0; e < node.count; ++e) sum += edges[e].probability * base::nth(values, edges[e].target);
    base::nth(values, n) = sum;
  }

  static void add(const double* in, double factor, std::size_t width, double* __restrict__ out) {
    for (std::size_t context = 0; context < width; ++context) out[context] += factor * in[context];
  }

  void decide(int n, const Node& node, bool optimal, double sign) {
    const SegmentEdge* edges = &base::nth(table_.graph->decision_edges, node.first);
    if (optimal && width_ == 1 && !two_) {
      choose_alone(n, node.count, edges, sign);
    } else if (optimal) {
      choose(n, node, edges, sign);
    } else {
      follow(n, edges);
    }
    for (std::size_t context = 0; context < width_; ++context) {
      const std::size_t here = at(n, context);
      ties_[here] = tie(edges[choices_[here]], context);
    }
  }

  /// Takes the values of the given choices.
  void follow(int n, const SegmentEdge* edges) {
    for (std::size_t context = 0; context < width_; ++context) {
      const std::size_t here = at(n, context);
      const std::size_t there = at(edges[choices_[here]].target, context);
      first_[here] = first_[there];
      if (two_) second_[here] = second_[there];
    }
  }

  /// The best choice for one context and one-part values, the usual case of large graphs, in one pass.
  void choose_alone(int n, int count, const SegmentEdge* edges, double sign) {
    const auto value_of = [&](int e) { return sign * base::nth(first_, edges[e].target); };
    double most = value_of(0), other = -HUGE_VAL;
    int taken = 0;
    for (int e = 1; e < count; ++e) {
      const double here = value_of(e);
      other = std::max(other, std::min(here, most));
      taken = here > most ? e : taken;
      most = std::max(most, here);
    }
    if (count > 1 && equal(other, most)) {
      std::uint64_t key = 0;
      taken = -1;
      for (int e = 0; e < count; ++e) {
        if (!equal(value_of(e), most)) continue;
        const std::uint64_t its = tie(edges[e], 0);
        if (taken >= 0 && its <= key) continue;
        taken = e;
        key = its;
      }
    }
    base::nth(choices_, n) = taken;
    base::nth(first_, n) = base::nth(first_, edges[taken].target);
  }

  /// The best choice in every context.
  void choose(int n, const Node& node, const SegmentEdge* edges, double sign) {
    for (std::size_t context = 0; context < width_; ++context) {
      most_[context] = sign * first_[at(edges[0].target, context)];
      other_[context] = -HUGE_VAL;
      taken_[context] = 0;
    }
    for (int e = 1; e < node.count; ++e) {
      compare(&first_[at(edges[e].target, 0)], sign, e, width_, most_.data(), other_.data(), taken_.data());
    }
    settle(n, sign);
    const bool tied = node.count > 1 && break_ties(n, node, edges, sign);
    if (tied || two_) follow(n, edges);
  }

  /// Updates the best and second best value. Edge numbers are doubles like the values, so that the loop vectorizes.
  static void compare(const double* values, double sign, double edge, std::size_t width, double* __restrict__ most,
                      double* __restrict__ other, double* __restrict__ taken) {
    for (std::size_t context = 0; context < width; ++context) {
      const double here = sign * values[context], best = most[context];
      const double worse = here > best ? best : here;
      taken[context] = here > best ? edge : taken[context];
      most[context] = here > best ? here : best;
      other[context] = worse > other[context] ? worse : other[context];
    }
  }

  /// Stores the best choices and their values.
  void settle(int n, double sign) {
    int* __restrict__ choice = &choices_[at(n, 0)];
    double* __restrict__ value = &first_[at(n, 0)];
    for (std::size_t context = 0; context < width_; ++context) {
      choice[context] = static_cast<int>(taken_[context]);
      value[context] = sign * most_[context];
    }
  }

  /// Applies the tie rule in contexts where another choice is as good. Returns whether there are any.
  bool break_ties(int n, const Node& node, const SegmentEdge* edges, double sign) {
    tied_.clear();
    for (std::size_t context = 0; context < width_; ++context) {
      if (equal(other_[context], most_[context])) tied_.push_back(context);
    }
    int* choice = &choices_[at(n, 0)];
    for (const std::size_t context : tied_) choice[context] = two_ ? best(edges, node.count, context, sign) : -1;
    if (two_ || tied_.empty()) return !tied_.empty();
    keys_.resize(width_);
    for (int e = 0; e < node.count; ++e) {
      const std::size_t there = at(edges[e].target, 0);
      for (const std::size_t context : tied_) {
        if (!equal(sign * first_[there + context], most_[context])) continue;
        const std::uint64_t key = tie(edges[e], context);
        if (choice[context] >= 0 && key <= keys_[context]) continue;
        choice[context] = e;
        keys_[context] = key;
      }
    }
    return true;
  }

  /// The best choice by value, then expected damage, then tie key.
  int best(const SegmentEdge* edges, int count, std::size_t context, double sign) const {
    return best_of(
        count, sign, [&](int e) { return value(at(edges[e].target, context)); },
        [&](int e) { return tie(edges[e], context); }, [](int) { return true; });
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  const SegmentTable& table_;
  std::vector<int>& choices_;  ///< by node and context
  std::size_t width_;
  bool two_;
  List<double> first_, second_;
  std::unique_ptr<std::uint64_t[]> ties_;  ///< by decision and context; decisions are written before they are read
  List<double> most_, other_,
      taken_;                 ///< by context: best and second best value at a decision; edge of the best
  List<std::size_t> tied_;    ///< contexts in which several choices are best
  List<std::uint64_t> keys_;  ///< by context: tie key of the best choice so far
};

/// Solves all segments of an attack. Returns values by state in which it begins, 0 where it does not happen.
std::vector<Value> solve_segments(const game::Plan& plan, SegmentAttack& attack, std::vector<Value> next,
                                  game::PolicyKind attacker, game::PolicyKind defender) {
  Arena scratch;
  const ArenaScope scope(scratch);
  for (std::size_t i = attack.segments->size(); i-- > 0;) {
    next = SegmentBackward(plan, plan.attacks[attack.plays_as], (*attack.segments)[i], attack.choices[i])
               .run(next, attacker, defender);
  }
  return next;
}

/// Sets the choices of greedy roles: their optimal choices if both played this attack optimally as the last one.
void choose_greedily(const game::Plan& plan, SegmentAttack& attack) {
  static_cast<void>(solve_segments(plan, attack, {}, game::PolicyKind::Optimal, game::PolicyKind::Optimal));
  const auto is_greedy = [&](const Node& node) {
    return (node.attacker_decides ? plan.attacker_policy : plan.defender_policy) == game::PolicyKind::Greedy;
  };
  for (std::size_t i = 0; i < attack.segments->size(); ++i) {
    const SegmentTable& table = (*attack.segments)[i];
    for (int n = 0; n < static_cast<int>(table.nodes); ++n) {
      if (is_greedy(base::nth(table.graph->nodes, n))) continue;
      std::fill_n(attack.choices[i].begin() + static_cast<std::ptrdiff_t>(table.at(n, 0)), table.width(), 0);
    }
  }
}

}  // namespace

std::vector<Value> SegmentGame::solve(const game::Plan& plan, const std::vector<Value>& next) {
  attack_.choices.clear();
  for (const SegmentTable& table : *attack_.segments) attack_.choices.emplace_back(table.nodes * table.width(), 0);
  if (plan.attacker_policy == game::PolicyKind::Greedy || plan.defender_policy == game::PolicyKind::Greedy) {
    choose_greedily(plan, attack_);
  }
  std::vector<Value> out = solve_segments(plan, attack_, next, plan.attacker_policy, plan.defender_policy);
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (attack_.skipped_to[s] >= 0) out[s] = base::nth(next, attack_.skipped_to[s]);
  }
  return out;
}

void SegmentGame::decide(const game::Plan& plan, const game::Resources&, const game::Position& position,
                         std::vector<game::Option>& options) const {
  const game::AttackPlan& attack_plan = plan.attacks[attack_.plays_as];
  const auto at = std::find_if(attack_.segments->begin(), attack_.segments->end(),
                               [&](const SegmentTable& t) { return position.step < t.segment.end; });
  const SegmentTable& table = *at;
  game::Position key = position;
  key.resources = attack_.relabeled(position.resources);
  game::canonicalize(plan, attack_plan, key);
  game::Position passing = table.segment.passive_part(key);
  if (table.segment.results_only) forget_dice(plan, table.segment, passing);
  const game::Position here = table.segment.active_part(key);
  key = here;
  table.merging.merge(plan, attack_plan, key);
  const int node = table.graph->find(key);
  const int context = table.contexts.find(passing);
  if (node < 0 || context < 0) throw std::logic_error("a position outside the solved game was reached");
  const auto& choices = base::nth(attack_.choices, at - attack_.segments->begin());
  const int taken = choices[table.at(node, static_cast<std::size_t>(context))];
  game::legal_options(plan, attack_plan, key, options);
  const game::Option option = base::nth(options, taken);
  options.assign(1, table.merging.unmerged(attack_plan, here, option));
}

}  // namespace salvo::exact
