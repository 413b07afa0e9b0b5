#include "battle/play_values.h"

#include <algorithm>
#include <utility>

namespace salvo::battle {
namespace {

constexpr double kTie = 1e-12;  ///< values that differ by less are equal: the first option is taken

}  // namespace

PlayValues::PlayValues(const PlayGraph& graph, int threads)
    : graph_(graph), layer_values_(graph.layers().size()), threads_(threads) {
  const BattleQuestion& question = graph.game().question();
  for (const bool mine : {false, true})
    by_points_[mine] = (mine ? question.my_policy : question.their_policy) == BattlePolicy::Best;
  sort_by_health();
}

void PlayValues::sort_by_health() {
  const auto add = [&](std::size_t l, const BattleState& now, std::size_t i) {
    std::size_t health = 0;
    for (int s = 0; s < graph_.game().ships(); ++s) health += now.ship[at(s)].health;
    if (with_health_.size() <= health)
      with_health_.resize(health + 1, std::vector<std::vector<std::uint32_t>>(graph_.layers().size() + 1));
    with_health_[health][l].push_back(static_cast<std::uint32_t>(i));
  };
  for (std::size_t l = 0; l < graph_.layers().size(); ++l) {
    const PlayGraph::Layer& layer = graph_.layers()[l];
    for (std::size_t i = 0; i < layer.points.size(); ++i) {
      if (layer.points[i].flight_round == graph_.last_flight_round()) add(l, layer.table[i], i);
    }
  }
  for (std::size_t i = 0; i < graph_.states().size(); ++i) {
    const BattleState now = graph_.states()[i];
    if (!graph_.begins()[i].empty() && now.round == graph_.last_flight_round()) add(graph_.layers().size(), now, i);
  }
}

template <typename Work>
void PlayValues::for_each(std::size_t n, const Work& work) const {
  constexpr std::size_t kBlock = 1024;
  if (n <= kBlock) {
    for (std::size_t i = 0; i < n; ++i) work(i);
    return;
  }
  threads_.for_each((n + kBlock - 1) / kBlock, [&](std::size_t block) {
    for (std::size_t i = block * kBlock; i < std::min(n, (block + 1) * kBlock); ++i) work(i);
  });
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
  const std::uint32_t* const follows = graph_.next(option);
  using Kind = AttackTree::Node::Kind;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const AttackTree::Node& node = tree.nodes[n];
    Value& value = out.values[n];
    if (node.kind == Kind::End) {
      value = next[follows[node.first]];
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
                           TreeValues* played) const {
  const bool mine = graph_.game().ship(point.ship).mine;
  if (point.options.count == 0) return next[point.next];
  if (point.activates) {
    Value out;
    for (const PlayGraph::ManeuverBranch& branch : graph_.maneuvers(point)) {
      const Value one = value_of(branch, mine, next);
      out.win += branch.chance * one.win;
      out.draw += branch.chance * one.draw;
      out.ahead += branch.chance * one.ahead;
    }
    return out;
  }
  const auto attacks = graph_.attacks(point);
  TreeValues& scratch = scratch_.local();
  if (attacks.size() == 1 && taken == nullptr) {
    evaluate(attacks[0], mine, next, scratch);
    return scratch.root();
  }
  std::vector<Value> roots;
  for (const PlayGraph::AttackOption& option : attacks) {
    evaluate(option, mine, next, scratch);
    roots.push_back(scratch.root());
  }
  std::size_t best = 0;
  const Value out = decided(
      mine, roots.size(), [&](std::size_t i) -> const Value& { return roots[i]; }, best);
  if (taken != nullptr) *taken = best;
  if (played != nullptr) evaluate(attacks[best], mine, next, *played);
  return out;
}

Value PlayValues::value_of(const PlayGraph::ManeuverBranch& branch, bool mine, const std::vector<Value>& next,
                           std::size_t* taken) const {
  const auto follows = graph_.next(branch);
  std::size_t best = 0;
  const Value out = decided(
      mine, follows.size(), [&](std::size_t i) -> const Value& { return next[follows[i]]; }, best);
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
    for_each(layer.points.size(), [&](std::size_t i) {
      if (layer.points[i].flight_round == flight_round) values[i] = value_of(layer.points[i], *after);
    });
    after = &values;
  }
  ends_ = std::move(ends);
  for (std::size_t i = 0; i < graph_.begins().size(); ++i) {
    if (graph_.begins()[i].empty() || graph_.states()[i].round != flight_round) continue;
    begin[i] = begun(i, layer_values_[0]);
  }
}

Value PlayValues::begun(std::size_t state, const std::vector<Value>& first) const {
  Value out;
  for (const PlayGraph::Transition& way : graph_.begins()[state]) {
    out.win += way.chance * first[way.next].win;
    out.draw += way.chance * first[way.next].draw;
  }
  return out;
}

PlayValues::Endless PlayValues::endless(std::vector<Value> states) {
  Endless out{{}, std::move(states)};
  for (std::size_t i = 0; i < out.states.size(); ++i) out.states[i].ahead = aheads(i);
  for (const PlayGraph::Layer& layer : graph_.layers()) out.layers.emplace_back(layer.points.size());
  return out;
}

void PlayValues::evaluate_with_health(std::size_t health, Endless& values) {
  const auto& lists = with_health_[health];
  for (std::size_t l = values.layers.size(); l-- > 0;) {
    const std::vector<Value>& after = l + 1 < values.layers.size() ? values.layers[l + 1] : values.states;
    for_each(lists[l].size(), [&](std::size_t n) {
      const std::uint32_t i = lists[l][n];
      values.layers[l][i] = value_of(graph_.layers()[l].points[i], after);
    });
  }
  for (const std::uint32_t i : lists.back()) {
    const Value now = begun(i, values.layers[0]);
    values.states[i] = {now.win, now.draw, values.states[i].ahead};
  }
}

double PlayValues::aheads(std::size_t i) {
  for (std::size_t n = aheads_.size(); n < graph_.states().size(); ++n) aheads_.push_back(ahead(graph_.states()[n]));
  return aheads_[i];
}

}  // namespace salvo::battle
