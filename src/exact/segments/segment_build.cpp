// Builds the games of a plan's attacks: cuts each attack, builds the graph of each segment or shares one, and links
// the ends of segments to what follows. Runs forward, since the starts of a segment are the ends of the one before.
#include "base/index.h"
#include "exact/segments/segment_game.h"
#include "exact/segments/segment_links.h"
#include "exact/segments/segment_sharing.h"

namespace salvo::exact {
namespace {

class SegmentBuilder {
 public:
  /// `read_after`: see split_into_segments().
  SegmentBuilder(const game::Plan& plan, const Budget& budget, const game::Resources& read_after)
      : plan_(plan), budget_(budget), read_after_(read_after), sharing_(plan, attacks_, read_after) {}

  /// `memory`: the current arena; the games share its ownership.
  Games run(Starts starts, const std::shared_ptr<const Arena>& memory) {
    Games out = build_attacks(starts);
    for (auto& attack : attacks_) out.attacks.push_back(std::make_unique<SegmentGame>(std::move(attack), memory));
    return out;
  }

  /// The only attack of the plan, and the states after it.
  std::pair<std::unique_ptr<SegmentAttack>, Positions> run_one(const game::Resources& start) {
    build_attacks(Starts(&start, 1));
    return {std::move(attacks_.front()), std::move(ends_)};
  }

 private:
  /// Fills attacks_; sets all but Games::attacks.
  Games build_attacks(Starts starts) {
    Games out;
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) attacks_.push_back(std::make_unique<SegmentAttack>());
    for (const game::Resources& start : starts) {
      game::Position first;
      first.resources = start.masked(plan_.attacks[0].readable);
      out.starts.push_back(attacks_[0]->states.number(first));
    }
    out.first_states = attacks_[0]->states.size();
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) add_attack(k);
    out.last_states = ends_.size();
    return out;
  }

  void add_attack(std::size_t k) {
    const game::AttackPlan& attack = plan_.attacks[k];
    SegmentAttack& out = *attacks_[k];
    out.k = k;
    out.plays_as = k;
    const std::vector<Segment> segments = split_into_segments(plan_, k, read_after_);
    if (auto twin = sharing_.twin_attack(k, segments)) return share_attack(k, std::move(*twin));
    Entrances entrances;
    out.skipped_to.assign(out.states.size(), -1);
    for (std::size_t s = 0; s < out.states.size(); ++s) {
      const game::Resources& state = out.states[static_cast<int>(s)].resources;
      if (game::attack_happens(plan_, attack, state)) {
        entrances.states.push_back(entrances.add(segments.front(), game::begin_attack(plan_, attack, state)));
      } else {
        entrances.states.push_back(kNeverBegins);
        out.skipped_to[s] = state_after(k, state);
      }
    }
    out.segments->reserve(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment* next = i + 1 < segments.size() ? &segments[i + 1] : nullptr;
      SegmentTable& table = out.segments->emplace_back(segments[i], StateMerging(plan_, attack, segments[i], next));
      build_segment(k, segments, i, std::move(entrances), table);
      if (next != nullptr) {
        entrances = link_to_segment(plan_, *next, table);
      } else {
        link_to_states(table, [&](const game::Resources& resources) { return state_after(k, resources); });
      }
    }
    out.states_after = states_after(k).size();
  }

  void share_attack(std::size_t k, SegmentSharing::Twin twin) {
    SegmentAttack& out = *attacks_[k];
    const SegmentAttack& other = *attacks_[twin.attack];
    out.plays_as = twin.attack;
    out.labels = std::move(twin.labels);
    out.rest = twin.rest;
    out.segments = other.segments;
    out.skipped_to = other.skipped_to;
    out.states_after = other.states_after;
    out.size = other.size;
    states_after(k) = std::move(twin.after);
    edges_ += static_cast<double>(out.size.edges);
    choices_ += out.choice_count = other.choice_count;
    if (edges_ > budget_.edges || choices_ > budget_.edges * kChoicesPerEdge) refuse(k);
  }

  Positions& states_after(std::size_t k) { return k + 1 < attacks_.size() ? attacks_[k + 1]->states : ends_; }

  /// Number of the state after attack k, by the resources at its end.
  int state_after(std::size_t k, const game::Resources& resources) {
    const bool more = k + 1 < plan_.attacks.size();
    game::Position state;
    state.resources =
        game::end_attack(plan_, plan_.attacks[k], resources).masked(more ? plan_.attacks[k + 1].readable : read_after_);
    return states_after(k).number(state);
  }

  void build_segment(std::size_t k, const std::vector<Segment>& segments, std::size_t i, Entrances entrances,
                     SegmentTable& out) {
    out.start = std::move(entrances.states);
    out.contexts = std::move(entrances.contexts);
    const auto known = sharing_.known_graph(k, segments, i);
    const auto twin = known ? nullptr : sharing_.twin_graph(k, segments, i, entrances.starts);
    if (known) out.graph = known;
    if (twin) {
      out.graph = twin;
      if (static_cast<double>(twin->edges()) > budget_.edges - edges_) refuse(k);
    } else {
      build_graph_of(k, out, out.segment.last ? nullptr : &segments[i + 1], entrances.starts);
    }
    out.nodes = out.graph->nodes.size();
    out.all_reached = !known && !twin && out.width() == 1;
    out.built_from = std::move(entrances.starts);
    out.start_nodes = out.graph->start;
    for (auto& [node, context] : out.start) {
      if (node >= 0) node = base::nth(out.graph->start, node);
    }
    count(k, out);
  }

  /// Builds or extends out.graph.
  void build_graph_of(std::size_t k, SegmentTable& out, const Segment* next, const Positions& starts) {
    const SegmentGraphSpec spec{out.segment.end, &out.merging, [&](game::Position& position) {
                                  if (next != nullptr) forget_dice(plan_, *next, position);
                                }};
    try {
      *out.graph = build_segment_graph(plan_, k, starts, spec, std::move(*out.graph), budget_.edges - edges_);
    } catch (const PlanTooLarge&) {
      refuse(k);
    }
  }

  /// Charges a segment to the budget.
  void count(std::size_t k, const SegmentTable& table) {
    const double choices = static_cast<double>(table.graph->edges()) * static_cast<double>(table.width());
    attacks_[k]->choice_count += choices;
    choices_ += choices;
    if (choices_ > budget_.edges * kChoicesPerEdge) refuse(k);
    attacks_[k]->size.states += table.nodes;
    attacks_[k]->size.edges += table.graph->edges();
    edges_ += static_cast<double>(table.graph->edges());
  }

  [[noreturn]] void refuse(std::size_t k) const {
    throw exact::too_large(plan_, budget_, k, attacks_[k]->states.size());
  }

  const game::Plan& plan_;
  const Budget& budget_;
  const game::Resources read_after_;
  std::vector<std::unique_ptr<SegmentAttack>> attacks_;
  Positions ends_;  ///< states after the last attack
  SegmentSharing sharing_;
  double edges_ = 0, choices_ = 0;
};

}  // namespace

game::Resources SegmentAttack::relabeled(const game::Resources& resources) const {
  return plays_as == k ? resources : union_of(labels(resources), rest);
}

std::optional<Games> segment_games(const game::Plan& plan, Starts starts, const Budget& budget) {
  if (!has_segments(plan)) return std::nullopt;
  const auto memory = std::make_shared<Arena>();
  const ArenaScope scope(*memory);
  return SegmentBuilder(plan, budget, game::Resources()).run(starts, memory);
}

std::optional<std::vector<AttackEnd>> segment_ends(const game::Plan& plan, const Budget& budget) {
  if (!has_segments(plan)) return std::nullopt;
  const auto memory = std::make_shared<Arena>();
  const ArenaScope scope(*memory);
  auto [attack, after] = SegmentBuilder(plan, budget, kAllResources).run_one(plan.start);
  std::vector<AttackEnd> out;
  if (attack->skipped_to[0] >= 0) return out;
  SegmentGame game(std::move(attack), memory);
  game.solve(plan, std::vector<Value>(after.size()));
  for (const Arrival& arrival : game.arrivals())
    out.push_back({after[arrival.next].resources, arrival.hits, arrival.crits, arrival.extra, arrival.probability});
  return out;
}

}  // namespace salvo::exact
