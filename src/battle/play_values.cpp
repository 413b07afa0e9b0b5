#include "battle/play_values.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace salvo::battle {
namespace {

constexpr double kTie = 1e-12;  ///< values that differ by less are equal: the first option is taken

/// Where a position or an attack stands in the order of evaluation.
struct Rank {
  std::uint32_t health = 0;  ///< left in all
  std::uint32_t tree = 0;    ///< of an attack, and whose it is
  std::uint32_t number = 0;  ///< in its table
  auto operator<=>(const Rank&) const = default;
};
/// A rank and its round of the flight; -1: it is not evaluated.
struct Place {
  int flight_round = -1;
  std::uint32_t health = 0, tree = 0;
};

}  // namespace

PlayValues::PlayValues(const PlayGraph& graph, int threads)
    : graph_(graph), values_(graph.layers().size() + 1), threads_(threads) {
  const BattleQuestion& question = graph.game().question();
  for (const bool mine : {false, true})
    by_points_[mine] = (mine ? question.my_policy : question.their_policy) == BattlePolicy::Best;
  if (by_points_[0] || by_points_[1]) aheads_ = ends([&](std::size_t i) { return ahead(graph_.states()[i]); });
  for (std::size_t l = 0; l < graph.layers().size(); ++l) {
    values_[l] = unset(graph.layers()[l].points.size());
    for (std::vector<Values>& set : attacks_) set.push_back(unset(graph.layers()[l].attacks.size()));
  }
  sort_places();
}

// ---------------------------------------------------------------- the order of evaluation

void PlayValues::sort_places() {
  places_.resize(at(graph_.last_flight_round()) + 1);
  const auto add_layer = [&] {
    for (std::vector<LayerPlaces>& round : places_) round.emplace_back();
  };
  for (std::size_t l = 0; l < graph_.layers().size(); ++l) {
    add_layer();
    sort_places(&LayerPlaces::points, graph_.layers()[l].points.size(), [&](std::size_t i) {
      const PlayGraph::Head head = graph_.point(l, i);
      return Place{head.flight_round, head.health, 0};
    });
    sort_places(&LayerPlaces::attacks, graph_.layers()[l].attacks.size(), [&](std::size_t i) {
      const PlayGraph::Head head = graph_.head_of_attack(l, i);
      return Place{head.flight_round, head.health, decisions_of(graph_.attack(l, i))};
    });
    for (std::vector<LayerPlaces>& round : places_) {
      LayerPlaces& layer = round.back();
      layer.attacks_by_tree = layer.attacks.list;
      std::stable_sort(layer.attacks_by_tree.begin(), layer.attacks_by_tree.end(), [&](std::size_t a, std::size_t b) {
        return decisions_of(graph_.attack(l, a)) < decisions_of(graph_.attack(l, b));
      });
    }
  }
  add_layer();
  sort_places(&LayerPlaces::points, graph_.states().size(), [&](std::size_t i) {
    const BattleState now = graph_.states()[i];
    Place out{graph_.begins()[i].empty() ? -1 : now.round, 0, 0};
    for (int s = 0; s < graph_.game().ships(); ++s) out.health += now.ship[at(s)].health;
    return out;
  });
  for (std::vector<LayerPlaces>& round : places_) {
    for (LayerPlaces& layer : round) {
      for (Places* one : {&layer.points, &layer.attacks}) one->begin.resize(most_health_ + 2, one->list.size());
    }
  }
}

template <typename PlaceOf>
void PlayValues::sort_places(Places LayerPlaces::*to, std::size_t size, const PlaceOf& place_of) {
  std::vector<std::vector<Rank>> ranks(places_.size());
  for (std::size_t i = 0; i < size; ++i) {
    const Place place = place_of(i);
    if (place.flight_round < 0) continue;
    ranks[at(place.flight_round)].push_back({place.health, place.tree, static_cast<std::uint32_t>(i)});
    most_health_ = std::max<std::size_t>(most_health_, place.health);
  }
  for (std::size_t round = 0; round < places_.size(); ++round) {
    std::sort(ranks[round].begin(), ranks[round].end());
    Places& out = places_[round].back().*to;
    for (const Rank& rank : ranks[round]) {
      out.begin.resize(std::max<std::size_t>(out.begin.size(), rank.health + 1), out.list.size());
      out.list.push_back(rank.number);
    }
  }
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

/// Takes the better of two lanes each. Without a vector type, gcc decides one lane after the other.
void take_better(double sign, const double* one, double* best) {
  using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
  Pair here, so_far;
  std::memcpy(&here, one, sizeof here);
  std::memcpy(&so_far, best, sizeof so_far);
  so_far = sign * here > sign * so_far + kTie ? here : so_far;
  std::memcpy(best, &so_far, sizeof so_far);
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
    } else if constexpr (kN % 2 == 0) {
      for (std::size_t n = 0; n < kN; n += 2) take_better(sign, &one.win[n], &out.win[n]);
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

template <bool kPoints>
void PlayValues::evaluate(const AttackTree& tree, bool mine, const std::array<LaneInput, kLanes>& lanes,
                          TreeValues<kLanes, kPoints>& out) const {
  out.resize(tree.nodes.size());
  using Kind = AttackTree::Node::Kind;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const AttackTree::Node& node = tree.nodes[i];
    const auto edge = [&](std::size_t e) -> const AttackTree::Edge& { return tree.edges[at(node.first) + e]; };
    Lanes<kLanes, kPoints>& value = out[i];
    if (node.kind == Kind::End) {
      for (std::size_t n = 0; n < kLanes; ++n) value.win[n] = lanes[n].after->win[lanes[n].next[node.first]];
      for (std::size_t n = 0; n < value.ahead.size(); ++n)
        value.ahead[n] = lanes[n].after->ahead[lanes[n].next[node.first]];
    } else if (node.kind == Kind::Chance) {
      Lanes<kLanes, kPoints> sum;
      for (std::size_t e = 0; e < at(node.count); ++e) add(edge(e).chance, out[at(edge(e).target)], sum);
      value = sum;
    } else {
      value = decided<kLanes, kPoints>(
          (node.kind == Kind::Attacker) == mine, at(node.count),
          [&](std::size_t e) -> const Lanes<kLanes, kPoints>& { return out[at(edge(e).target)]; });
    }
  }
}

template <bool kPoints>
Lanes<1, kPoints> PlayValues::value_of(const PlayGraph::DecisionPoint& point, const LayerValues& values) const {
  using Kind = PlayGraph::Head::Kind;
  const bool mine = is_mine(point.ship);
  const auto among = [&](std::span<const std::uint32_t> options, const Values& of) {
    return decided<1, kPoints>(mine, options.size(), [&](std::size_t i) { return following<kPoints>(options[i], of); });
  };
  if (point.kind == Kind::Passes) return following<kPoints>(point.options[0], *values.after);
  if (point.kind == Kind::Attacks) return among(point.options, *values.attacks);
  Lanes<1, kPoints> out;
  PlayGraph::each_maneuver(point, [&](const PlayGraph::ManeuverBranch& branch) {
    add(branch.chance, among(branch.next, *values.after), out);
  });
  return out;
}

std::size_t PlayValues::taken(bool mine, std::span<const std::uint32_t> options, const Values& values) const {
  const auto of = [&]<bool kPoints>() {
    return taken<kPoints>(mine, options.size(), [&](std::size_t i) { return following<kPoints>(options[i], values); });
  };
  return aheads_.empty() ? of.template operator()<false>() : of.template operator()<true>();
}

std::uint32_t PlayValues::taken(std::size_t l, const PlayGraph::DecisionPoint& point) const {
  if (point.given >= 0) return point.options[at(point.given)];
  return point.options[taken(is_mine(point.ship), point.options, attacks_[0][l])];
}

std::size_t PlayValues::taken(std::size_t l, const PlayGraph::DecisionPoint& point,
                              const PlayGraph::ManeuverBranch& branch) const {
  if (branch.given >= 0) return at(branch.given);
  return taken(is_mine(point.ship), branch.next, values_[l + 1]);
}

// ---------------------------------------------------------------- attacks

template <bool kPoints, typename Visit>
void PlayValues::evaluate_in_lanes(std::size_t l, std::span<const std::uint32_t> attacks,
                                   std::span<const LayerValues> sets, const Visit& visit) const {
  TreeValues<kLanes, kPoints> scratch;
  std::array<PlayGraph::Attack, kLanes> together;
  std::array<LaneInput, kLanes> lanes;
  const std::size_t width = kLanes / sets.size();
  for (std::size_t begin = 0, end = 0; begin < attacks.size(); begin = end) {
    const PlayGraph::Attack& first = together[0] = graph_.attack(l, attacks[begin]);
    for (end = begin + 1; end < attacks.size() && end - begin < width; ++end) {
      PlayGraph::Attack& one = together[end - begin] = graph_.attack(l, attacks[end]);
      if (decisions_of(one) != decisions_of(first)) break;
    }
    lanes.fill({first.next.data(), sets[0].after});
    for (std::size_t set = 0; set < sets.size(); ++set) {
      for (std::size_t n = 0; n < end - begin; ++n) lanes[set * width + n] = {together[n].next.data(), sets[set].after};
    }
    evaluate(graph_.tree(first), is_mine(first.ship), lanes, scratch);
    visit(together, attacks.subspan(begin, end - begin), scratch);
  }
}

template <bool kPoints>
void PlayValues::evaluate_attacks(std::size_t l, std::span<const std::uint32_t> attacks,
                                  std::span<const LayerValues> sets) const {
  const auto keep = [&](const auto& /*together*/, std::span<const std::uint32_t> numbers, const auto& nodes) {
    for (std::size_t set = 0, lane = 0; set < sets.size(); ++set, lane = set * kLanes / sets.size()) {
      for (const std::uint32_t attack : numbers) {
        sets[set].attacks->win[attack] = nodes.back().win[lane];
        if constexpr (kPoints) sets[set].attacks->ahead[attack] = nodes.back().ahead[lane];
        ++lane;
      }
    }
  };
  evaluate_in_lanes<kPoints>(l, attacks, sets, keep);
}

void PlayValues::play_attacks(std::size_t l, const std::vector<double>& chances, const VisitAttack& visit) const {
  for (const std::vector<LayerPlaces>& round : places_) {
    std::vector<std::uint32_t> made;
    for (const std::uint32_t attack : round[l].attacks_by_tree) {
      if (chances[attack] > 0) made.push_back(attack);
    }
    aheads_.empty() ? play_attacks<false>(l, made, chances, visit) : play_attacks<true>(l, made, chances, visit);
  }
}

template <bool kPoints>
void PlayValues::play_attacks(std::size_t l, std::span<const std::uint32_t> attacks, const std::vector<double>& chances,
                              const VisitAttack& visit) const {
  using Kind = AttackTree::Node::Kind;
  std::vector<std::array<double, kLanes>> mass;  // by node
  std::array<std::vector<double>, kLanes> ends;  // by outcome
  const auto play = [&](const auto& together, std::span<const std::uint32_t> numbers, const auto& nodes) {
    const AttackTree& tree = graph_.tree(together[0]);
    mass.assign(tree.nodes.size(), {});
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      mass.back()[n] = chances[numbers[n]];
      ends[n].assign(tree.outcomes.size(), 0.0);
    }
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
      const AttackTree::Node& node = tree.nodes[i];
      const auto edge = [&](std::size_t e) -> const AttackTree::Edge& { return tree.edges[at(node.first) + e]; };
      for (std::size_t e = 0; node.kind == Kind::Chance && e < at(node.count); ++e) {
        for (std::size_t n = 0; n < kLanes; ++n) mass[at(edge(e).target)][n] += mass[i][n] * edge(e).chance;
      }
      for (std::size_t n = 0; node.kind != Kind::Chance && n < numbers.size(); ++n) {
        if (node.kind == Kind::End) {
          ends[n][at(node.first)] = mass[i][n];
        } else if (mass[i][n] > 0) {
          const bool mine = (node.kind == Kind::Attacker) == is_mine(together[0].ship);
          const auto of = [&](std::size_t e) {
            const Lanes<kLanes, kPoints>& all = nodes[at(edge(e).target)];
            Lanes<1, kPoints> one{{all.win[n]}, {}};
            if constexpr (kPoints) one.ahead = {all.ahead[n]};
            return one;
          };
          const std::size_t option =
              graph_.by_policy(mine) ? at(node.greedy) : taken<kPoints>(mine, at(node.count), of);
          mass[at(edge(option).target)][n] += mass[i][n];
        }
      }
    }
    for (std::size_t n = 0; n < numbers.size(); ++n) visit(together[n], ends[n]);
  };
  const LayerValues values{&values_[l + 1], nullptr, nullptr};
  evaluate_in_lanes<kPoints>(l, attacks, std::span(&values, 1), play);
}

// ---------------------------------------------------------------- rounds

template <bool kPoints>
void PlayValues::evaluate_points(std::size_t l, std::span<const std::uint32_t> positions,
                                 const LayerValues& values) const {
  for (const std::uint32_t i : positions) {
    const Lanes<1, kPoints> value = value_of<kPoints>(graph_.point(l, i), values);
    values.points->win[i] = value.win[0];
    if constexpr (kPoints) values.points->ahead[i] = value.ahead[0];
  }
}

template <typename Evaluate>
void PlayValues::in_blocks(std::span<const std::uint32_t> list, const Evaluate& evaluate) const {
  constexpr std::size_t kBlock = 1024;
  if (list.size() <= kBlock) return evaluate(list);
  threads_.for_each((list.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t first = block * kBlock;
    evaluate(list.subspan(first, std::min(kBlock, list.size() - first)));
  });
}

void PlayValues::evaluate(std::size_t l, std::span<const std::uint32_t> positions,
                          std::span<const std::uint32_t> attacks, std::span<const LayerValues> sets) const {
  const bool points = !aheads_.empty();
  in_blocks(attacks, [&](std::span<const std::uint32_t> part) {
    points ? evaluate_attacks<true>(l, part, sets) : evaluate_attacks<false>(l, part, sets);
  });
  for (const LayerValues& values : sets) {
    in_blocks(positions, [&](std::span<const std::uint32_t> part) {
      points ? evaluate_points<true>(l, part, values) : evaluate_points<false>(l, part, values);
    });
  }
}

Values PlayValues::unset(std::size_t size) const {
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
    const LayerPlaces& places = places_[at(flight_round)][l];
    const LayerValues values{&values_[l + 1], &attacks_[0][l], &values_[l]};
    evaluate(l, places.points.list, places.attacks_by_tree, std::span(&values, 1));
  }
  for (const std::uint32_t i : places_[at(flight_round)].back().points.list) begin[i] = begun(i, values_[0]);
}

PlayValues::Endless PlayValues::endless(std::vector<double> states) const {
  Endless out;
  for (std::size_t l = 0; l < graph_.layers().size(); ++l) out.push_back(unset(values_[l].win.size()));
  out.push_back({std::move(states), aheads_});
  return out;
}

void PlayValues::evaluate_with_health(std::size_t health, Endless& one, Endless& other) const {
  const std::vector<LayerPlaces>& places = places_.back();
  for (std::size_t l = graph_.layers().size(); l-- > 0;) {
    const std::array sets{LayerValues{&one[l + 1], &attacks_[0][l], &one[l]},
                          LayerValues{&other[l + 1], &attacks_[1][l], &other[l]}};
    evaluate(l, places[l].points.with_health(health), places[l].attacks.with_health(health), sets);
  }
  for (Endless* values : {&one, &other}) {
    for (const std::uint32_t i : states_with_health(health)) values->back().win[i] = begun(i, values->front());
  }
}

}  // namespace salvo::battle
