#include "battle/play_values.h"

#include <algorithm>
#include <utility>

namespace salvo::battle {
namespace {

constexpr double kTie = 1e-12;  ///< values that differ by less are equal: the first option is taken

}  // namespace

PlayValues::PlayValues(const PlayGraph& graph) : graph_(graph), layer_values_(graph.layers().size()) {
  const BattleQuestion& question = graph.game().question();
  for (const bool mine : {false, true})
    by_points_[mine] = (mine ? question.my_policy : question.their_policy) == BattlePolicy::Best;
}

Value PlayValues::value_at_end(std::size_t i, int rounds) const {
  BattleState now = graph_.states()[i];
  now.round = static_cast<std::uint8_t>(rounds);
  const int result = graph_.game().result(now);
  return {result > 0 ? 1.0 : result < 0 ? 0.0 : 0.5, result == 0 ? 1.0 : 0.0, ahead(now)};
}

double PlayValues::ahead(const BattleState& now) const {
  double out = 0;
  for (int s = 0; s < graph_.game().ships(); ++s) {
    const double full = graph_.game().type_of(s).health(), lost = (full - now.ship[at(s)].health) / full;
    out += (graph_.game().ship(s).mine ? -1 : 1) * graph_.game().ship(s).points * lost;
  }
  return out;
}

template <typename Of>
Value PlayValues::decided(bool mine, std::size_t count, const Of& of, std::size_t& taken) const {
  const double sign = mine ? 1 : -1;
  taken = 0;
  double best = 0, ahead = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Value& one = of(i);
    const double measure = sign * (by_points_[mine] ? one.ahead : one.win);
    if (i == 0 || measure > best + kTie) {
      best = measure;
      taken = i;
    }
    if (i == 0 || sign * one.ahead > sign * ahead) ahead = one.ahead;
  }
  const Value& one = of(taken);
  return {one.win, one.draw, ahead};
}

void PlayValues::evaluate(const PlayGraph::AttackOption& option, bool mine, const std::vector<Value>& next,
                          TreeValues& out) const {
  const AttackTree& tree = *option.tree;
  out.values.resize(tree.nodes.size());
  out.edges.resize(tree.nodes.size());
  using Kind = AttackTree::Node::Kind;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const AttackTree::Node& node = tree.nodes[n];
    Value& value = out.values[n];
    if (node.kind == Kind::End) {
      value = next[option.next[at(node.first)]];
    } else if (node.kind == Kind::Chance) {
      value = {};
      for (std::size_t e = at(node.first); e < at(node.first + node.count); ++e) {
        const AttackTree::Edge& edge = tree.edges[e];
        const Value& one = out.values[at(edge.target)];
        value.win += edge.chance * one.win;
        value.draw += edge.chance * one.draw;
        value.ahead += edge.chance * one.ahead;
      }
    } else {
      std::size_t taken = 0;
      value = decided(
          (node.kind == Kind::Attacker) == mine, at(node.count),
          [&](std::size_t e) -> const Value& { return out.values[at(tree.edges[at(node.first) + e].target)]; }, taken);
      out.edges[n] = node.first + static_cast<int>(taken);
    }
  }
}

Value PlayValues::value_of(const PlayGraph::DecisionPoint& point, const std::vector<Value>& next, std::size_t* taken,
                           TreeValues* played) {
  const bool mine = graph_.game().ship(point.ship).mine;
  if (!point.maneuvers.empty()) {
    Value out;
    for (const PlayGraph::ManeuverBranch& branch : point.maneuvers) {
      const Value one = value_of(branch, mine, next);
      out.win += branch.chance * one.win;
      out.draw += branch.chance * one.draw;
      out.ahead += branch.chance * one.ahead;
    }
    return out;
  }
  if (point.attacks.empty()) return next[point.next];
  std::vector<Value> roots;
  for (const PlayGraph::AttackOption& option : point.attacks) {
    evaluate(option, mine, next, scratch_);
    roots.push_back(scratch_.root());
  }
  std::size_t best = 0;
  const Value out = decided(
      mine, roots.size(), [&](std::size_t i) -> const Value& { return roots[i]; }, best);
  if (taken != nullptr) *taken = best;
  if (played != nullptr) evaluate(point.attacks[best], mine, next, *played);
  return out;
}

Value PlayValues::value_of(const PlayGraph::ManeuverBranch& branch, bool mine, const std::vector<Value>& next,
                           std::size_t* taken) const {
  std::size_t best = 0;
  const Value out = decided(
      mine, branch.next.size(), [&](std::size_t i) -> const Value& { return next[branch.next[i]]; }, best);
  if (taken != nullptr) *taken = best;
  return out;
}

void PlayValues::evaluate(const std::vector<Value>& next, int flight_round, std::vector<Value>& begin) {
  // Play for points looks only to the end of this round: `ahead` is the difference of points there.
  std::vector<Value> ends = next;
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i].ahead = aheads(i);
  const std::vector<Value>* after = &ends;
  for (std::size_t l = graph_.layers().size(); l-- > 0;) {
    const PlayGraph::Layer& layer = graph_.layers()[l];
    std::vector<Value>& values = layer_values_[l];
    values.resize(layer.points.size());
    for (std::size_t i = 0; i < layer.points.size(); ++i) {
      if (layer.points[i].flight_round == flight_round) values[i] = value_of(layer.points[i], *after);
    }
    after = &values;
  }
  ends_ = std::move(ends);
  for (std::size_t i = 0; i < graph_.begins().size(); ++i) {
    if (graph_.begins()[i].empty() || graph_.states()[i].round != flight_round) continue;
    Value sum;
    for (const PlayGraph::Transition& way : graph_.begins()[i]) {
      sum.win += way.chance * layer_values_[0][way.next].win;
      sum.draw += way.chance * layer_values_[0][way.next].draw;
    }
    begin[i] = sum;
  }
}

double PlayValues::aheads(std::size_t i) {
  for (std::size_t n = aheads_.size(); n < graph_.states().size(); ++n) aheads_.push_back(ahead(graph_.states()[n]));
  return aheads_[i];
}

}  // namespace salvo::battle
