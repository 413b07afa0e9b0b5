#include "battle/play_values.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/hash.h"

namespace salvo::battle {
namespace {

constexpr double kTie = 1e-12;  ///< values that differ by less are equal: the first option is taken

/// Where a position stands in the order of evaluation.
struct Rank {
  std::uint32_t health = 0;    ///< left in all
  std::uint32_t group = 0;     ///< equal for equal attacks
  std::uint32_t position = 0;  ///< in its table
  auto operator<=>(const Rank&) const = default;
};

}  // namespace

PlayValues::PlayValues(const PlayGraph& graph, int threads)
    : graph_(graph), values_(graph.layers().size() + 1), threads_(threads) {
  const BattleQuestion& question = graph.game().question();
  for (const bool mine : {false, true})
    by_points_[mine] = (mine ? question.my_policy : question.their_policy) == BattlePolicy::Best;
  if (by_points_[0] || by_points_[1]) aheads_ = ends([&](std::size_t i) { return ahead(graph_.states()[i]); });
  sort_positions();
}

// ---------------------------------------------------------------- the order of evaluation

void PlayValues::sort_positions() {
  places_.resize(at(graph_.last_flight_round()) + 1);
  for (const PlayGraph::Layer& layer : graph_.layers()) {
    std::unordered_map<std::uint64_t, std::uint32_t> groups;
    sort_positions(layer.table, [&](std::size_t i) {
      const PlayGraph::DecisionPoint& point = layer.points[i];
      base::Hasher attacks;
      for (const PlayGraph::AttackOption& option : graph_.attacks(point))
        attacks.add(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(option.tree)));
      const auto group = groups.emplace(attacks.value(), static_cast<std::uint32_t>(groups.size())).first;
      return std::pair<int, std::uint32_t>(point.flight_round, group->second);
    });
  }
  sort_positions(graph_.states(), [&](std::size_t i) {
    return std::pair<int, std::uint32_t>(graph_.begins()[i].empty() ? -1 : graph_.states()[i].round, 0);
  });
  for (std::vector<Places>& round : places_) {
    for (Places& one : round) one.begin.resize(most_health_ + 2, one.positions.size());
  }
}

template <typename Group>
void PlayValues::sort_positions(const StateTable& table, const Group& round_and_group) {
  std::vector<std::vector<Rank>> ranks(places_.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto [round, group] = round_and_group(i);
    if (round < 0) continue;
    const BattleState now = table[i];
    std::uint32_t health = 0;
    for (int s = 0; s < graph_.game().ships(); ++s) health += now.ship[at(s)].health;
    ranks[at(round)].push_back({health, group, static_cast<std::uint32_t>(i)});
    most_health_ = std::max<std::size_t>(most_health_, health);
  }
  for (std::size_t round = 0; round < places_.size(); ++round) {
    std::sort(ranks[round].begin(), ranks[round].end());
    Places& out = places_[round].emplace_back();
    for (const Rank& rank : ranks[round]) {
      out.begin.resize(std::max<std::size_t>(out.begin.size(), rank.health + 1), out.positions.size());
      out.positions.push_back(rank.position);
    }
  }
}

bool PlayValues::alike(const PlayGraph::DecisionPoint& a, const PlayGraph::DecisionPoint& b) const {
  const auto attacks = graph_.attacks(a), others = graph_.attacks(b);
  return !attacks.empty() && std::equal(attacks.begin(), attacks.end(), others.begin(), others.end(),
                                        [](const auto& one, const auto& other) { return one.tree == other.tree; });
}

// ---------------------------------------------------------------- ends

double PlayValues::value_at_end(std::size_t i, int rounds) const {
  BattleState now = graph_.states()[i];
  now.round = static_cast<std::uint8_t>(rounds);
  const int result = graph_.game().result(now);
  return result > 0 ? 1.0 : result < 0 ? 0.0 : 0.5;
}

double PlayValues::ahead(const BattleState& now) const {
  double out = 0;
  for (int s = 0; s < graph_.game().ships(); ++s) {
    const double full = graph_.game().type_of(s).health(), lost = (full - now.ship[at(s)].health) / full;
    out += (graph_.game().ship(s).mine ? -1 : 1) * graph_.game().ship(s).points * lost;
  }
  return out;
}

// ---------------------------------------------------------------- choices

namespace {

template <bool kPoints>
Lanes<1, kPoints> following(std::size_t i, const Values& next) {
  Lanes<1, kPoints> out{{next.win[i]}, {}};
  if constexpr (kPoints) out.ahead = {next.ahead[i]};
  return out;
}

template <std::size_t kN, bool kPoints>
void add(double chance, const Lanes<kN, kPoints>& one, Lanes<kN, kPoints>& sum) {
  for (std::size_t n = 0; n < kN; ++n) sum.win[n] += chance * one.win[n];
  for (std::size_t n = 0; n < sum.ahead.size(); ++n) sum.ahead[n] += chance * one.ahead[n];
}

}  // namespace

template <std::size_t kN, bool kPoints, typename Of>
Lanes<kN, kPoints> PlayValues::decided(bool mine, std::size_t count, const Of& of) const {
  const double sign = mine ? 1 : -1;
  Lanes<kN, kPoints> out = of(0);
  [[maybe_unused]] auto best = out.ahead;  // of the options taken; for points both sides may prefer others
  for (std::size_t i = 1; i < count; ++i) {
    const Lanes<kN, kPoints>& one = of(i);
    if constexpr (kPoints) {
      for (std::size_t n = 0; n < kN; ++n) {
        const bool better = by_points_[mine] ? sign * one.ahead[n] > sign * best[n] + kTie
                                             : sign * one.win[n] > sign * out.win[n] + kTie;
        out.win[n] = better ? one.win[n] : out.win[n];
        best[n] = better ? one.ahead[n] : best[n];
        out.ahead[n] = sign * one.ahead[n] > sign * out.ahead[n] ? one.ahead[n] : out.ahead[n];
      }
    } else {
      for (std::size_t n = 0; n < kN; ++n)
        out.win[n] = sign * one.win[n] > sign * out.win[n] + kTie ? one.win[n] : out.win[n];
    }
  }
  return out;
}

template <bool kPoints, typename Of>
std::size_t PlayValues::taken(bool mine, std::size_t count, const Of& of) const {
  const double sign = mine ? 1 : -1;
  const auto measure = [&](std::size_t i) {
    const Lanes<1, kPoints>& one = of(i);
    if constexpr (kPoints) {
      if (by_points_[mine]) return sign * one.ahead[0];
    }
    return sign * one.win[0];
  };
  std::size_t out = 0;
  double best = measure(0);
  for (std::size_t i = 1; i < count; ++i) {
    const double one = measure(i);
    if (one <= best + kTie) continue;
    best = one;
    out = i;
  }
  return out;
}

template <std::size_t kN, bool kPoints>
void PlayValues::evaluate(const std::array<const PlayGraph::AttackOption*, kN>& options, bool mine, const Values& next,
                          TreeValues<kN, kPoints>& out) const {
  const AttackTree& tree = *options[0]->tree;
  out.resize(tree.nodes.size());
  std::array<const std::uint32_t*, kN> follows;
  for (std::size_t n = 0; n < kN; ++n) follows[n] = graph_.next(*options[n]);
  using Kind = AttackTree::Node::Kind;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const AttackTree::Node& node = tree.nodes[i];
    const auto edge = [&](std::size_t e) -> const AttackTree::Edge& { return tree.edges[at(node.first) + e]; };
    Lanes<kN, kPoints>& value = out[i];
    if (node.kind == Kind::End) {
      for (std::size_t n = 0; n < kN; ++n) value.win[n] = next.win[follows[n][node.first]];
      for (std::size_t n = 0; n < value.ahead.size(); ++n) value.ahead[n] = next.ahead[follows[n][node.first]];
    } else if (node.kind == Kind::Chance) {
      Lanes<kN, kPoints> sum;
      for (std::size_t e = 0; e < at(node.count); ++e) add(edge(e).chance, out[at(edge(e).target)], sum);
      value = sum;
    } else {
      value = decided<kN, kPoints>((node.kind == Kind::Attacker) == mine, at(node.count),
                                   [&](std::size_t e) -> const Lanes<kN, kPoints>& { return out[at(edge(e).target)]; });
    }
  }
}

template <bool kPoints>
Lanes<1, kPoints> PlayValues::value_of(const PlayGraph::DecisionPoint& point, const Values& next) const {
  if (point.options.count == 0) return following<kPoints>(point.next, next);
  const bool mine = graph_.game().ship(point.ship).mine;
  Lanes<1, kPoints> out;
  for (const PlayGraph::ManeuverBranch& branch : graph_.maneuvers(point)) {
    const auto follows = graph_.next(branch);
    const auto of = [&](std::size_t i) { return following<kPoints>(follows[i], next); };
    add(branch.chance, decided<1, kPoints>(mine, follows.size(), of), out);
  }
  return out;
}

template <std::size_t kN, bool kPoints>
Lanes<kN, kPoints> PlayValues::value_of_attacks(const std::array<const PlayGraph::DecisionPoint*, kN>& points,
                                                const Values& next, TreeValues<kN, kPoints>& scratch) const {
  std::array<std::span<const PlayGraph::AttackOption>, kN> attacks;
  for (std::size_t n = 0; n < kN; ++n) attacks[n] = graph_.attacks(*points[n]);
  const bool mine = graph_.game().ship(points[0]->ship).mine;
  return decided<kN, kPoints>(mine, attacks[0].size(), [&](std::size_t option) {
    std::array<const PlayGraph::AttackOption*, kN> options;
    for (std::size_t n = 0; n < kN; ++n) options[n] = &attacks[n][option];
    evaluate(options, mine, next, scratch);
    return scratch.back();
  });
}

std::size_t PlayValues::taken(const PlayGraph::ManeuverBranch& branch, bool mine, const Values& next) const {
  const auto follows = graph_.next(branch);
  if (branch.given >= 0) return at(branch.given);
  return aheads_.empty()
             ? taken<false>(mine, follows.size(), [&](std::size_t i) { return following<false>(follows[i], next); })
             : taken<true>(mine, follows.size(), [&](std::size_t i) { return following<true>(follows[i], next); });
}

std::size_t PlayValues::taken(const PlayGraph::DecisionPoint& point, const Values& next,
                              std::vector<int>& edges) const {
  return aheads_.empty() ? taken<false>(point, next, edges) : taken<true>(point, next, edges);
}

template <bool kPoints>
std::size_t PlayValues::taken(const PlayGraph::DecisionPoint& point, const Values& next,
                              std::vector<int>& edges) const {
  const auto attacks = graph_.attacks(point);
  const bool mine = graph_.game().ship(point.ship).mine;
  std::vector<TreeValues<1, kPoints>> values(attacks.size());
  for (std::size_t i = 0; i < attacks.size(); ++i) evaluate<1, kPoints>({&attacks[i]}, mine, next, values[i]);
  const auto root = [&](std::size_t i) { return values[i].back(); };
  const std::size_t out = point.given >= 0 ? at(point.given) : taken<kPoints>(mine, attacks.size(), root);
  const AttackTree& tree = *attacks[out].tree;
  edges.resize(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const AttackTree::Node& node = tree.nodes[i];
    using Kind = AttackTree::Node::Kind;
    if (node.kind == Kind::End || node.kind == Kind::Chance) continue;
    const auto of = [&](std::size_t e) { return values[out][at(tree.edges[at(node.first) + e].target)]; };
    const bool decides = (node.kind == Kind::Attacker) == mine;
    const std::size_t edge = graph_.by_policy(decides) ? at(node.greedy) : taken<kPoints>(decides, at(node.count), of);
    edges[i] = node.first + static_cast<int>(edge);
  }
  return out;
}

// ---------------------------------------------------------------- rounds

template <bool kPoints>
void PlayValues::evaluate_in_lanes(std::size_t l, std::span<const std::uint32_t> positions, const Values& after,
                                   Values& out) const {
  const std::vector<PlayGraph::DecisionPoint>& points = graph_.layers()[l].points;
  const auto set = [&](std::size_t i, const auto& values, std::size_t n) {
    out.win[i] = values.win[n];
    if constexpr (kPoints) out.ahead[i] = values.ahead[n];
  };
  TreeValues<kLanes, kPoints> scratch;
  std::array<const PlayGraph::DecisionPoint*, kLanes> together;
  for (std::size_t begin = 0, end = 0; begin < positions.size(); begin = end) {
    const PlayGraph::DecisionPoint& first = points[positions[begin]];
    end = begin + 1;
    if (graph_.attacks(first).empty()) {
      set(positions[begin], value_of<kPoints>(first, after), 0);
      continue;
    }
    together.fill(&first);
    for (; end < positions.size() && end - begin < kLanes && alike(first, points[positions[end]]); ++end)
      together[end - begin] = &points[positions[end]];
    const Lanes<kLanes, kPoints> values = value_of_attacks(together, after, scratch);
    for (std::size_t i = begin; i < end; ++i) set(positions[i], values, i - begin);
  }
}

void PlayValues::evaluate_block(std::size_t l, std::span<const std::uint32_t> positions, const Values& after,
                                Values& out) const {
  aheads_.empty() ? evaluate_in_lanes<false>(l, positions, after, out)
                  : evaluate_in_lanes<true>(l, positions, after, out);
}

void PlayValues::evaluate(std::size_t l, std::span<const std::uint32_t> positions, const Values& after,
                          Values& out) const {
  constexpr std::size_t kBlock = 1024;
  if (positions.size() <= kBlock) return evaluate_block(l, positions, after, out);
  threads_.for_each((positions.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t first = block * kBlock;
    evaluate_block(l, positions.subspan(first, std::min(kBlock, positions.size() - first)), after, out);
  });
}

Values PlayValues::unset(std::size_t l) const {
  const std::size_t size = graph_.layers()[l].points.size();
  return {std::vector<double>(size), std::vector<double>(aheads_.empty() ? 0 : size)};
}

double PlayValues::begun(std::size_t state, const Values& first) const {
  double out = 0;
  for (const PlayGraph::Transition& way : graph_.begins()[state]) out += way.chance * first.win[way.next];
  return out;
}

void PlayValues::evaluate(const std::vector<double>& next, int flight_round, std::vector<double>& begin) {
  // Play for points looks only to the end of this round: `ahead` is the difference of points there.
  values_.back() = {next, aheads_};
  for (std::size_t l = graph_.layers().size(); l-- > 0;) {
    if (values_[l].win.empty()) values_[l] = unset(l);
    evaluate(l, places_[at(flight_round)][l].positions, values_[l + 1], values_[l]);
  }
  for (const std::uint32_t i : places_[at(flight_round)].back().positions) begin[i] = begun(i, values_[0]);
}

PlayValues::Endless PlayValues::endless(std::vector<double> states) const {
  Endless out;
  for (std::size_t l = 0; l < graph_.layers().size(); ++l) out.push_back(unset(l));
  out.push_back({std::move(states), aheads_});
  return out;
}

void PlayValues::evaluate_with_health(std::size_t health, Endless& values) const {
  const std::vector<Places>& places = places_.back();
  for (std::size_t l = graph_.layers().size(); l-- > 0;)
    evaluate(l, places[l].with_health(health), values[l + 1], values[l]);
  for (const std::uint32_t i : states_with_health(health)) values.back().win[i] = begun(i, values[0]);
}

}  // namespace salvo::battle
