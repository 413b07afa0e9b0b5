// The segments of a plan, forward: the graph of each, and where its ends lead. In: a Plan and its starts. Out: the
// games of its attacks, unsolved.
#include <algorithm>
#include <array>
#include <cstdint>

#include "exact/segments/segment_game.h"

namespace salvo::exact {
namespace {

constexpr game::Resources kEvery{{~std::uint64_t{0}, ~std::uint64_t{0}}};

/// Evade results beyond the results that they can cancel change nothing.
void forget_evades(const game::Plan& plan, const Segment& segment, game::Position& position) {
  if (!segment.neutralizes || plan.defense_die.evade < 0) return;
  const int evades = position.defense_pool.count(plan.defense_die.evade);
  if (evades == 0) return;
  position.defense_pool.add(plan.defense_die.evade, false, std::min(0, position.attack_pool.size() - evades));
}

/// Which contexts reach which nodes of a graph.
class Reached {
 public:
  Reached(const SegmentTable& table) : words_((table.width() + 63) / 64), bits_(table.nodes * words_) {
    for (const auto& [node, context] : table.start) {
      if (node >= 0) row(node)[context / 64] |= std::uint64_t{1} << context % 64;
    }
    const SegmentGraph& graph = *table.graph;
    for (int n = static_cast<int>(table.nodes); n-- > 0;) {
      const Node& node = graph.nodes[static_cast<std::size_t>(n)];
      if (node.kind == Node::Kind::End) continue;
      for (int e = node.first; e < node.first + node.count; ++e) {
        const auto edge = static_cast<std::size_t>(e);
        const int target =
            node.kind == Node::Kind::Chance ? graph.chance_edges[edge].target : graph.decision_edges[edge].target;
        if (words_ == 1) {
          bits_[static_cast<std::size_t>(target)] |= bits_[static_cast<std::size_t>(n)];
          continue;
        }
        for (std::size_t w = 0; w < words_; ++w) row(target)[w] |= row(n)[w];
      }
    }
  }
  bool operator()(int node, std::size_t context) const {
    return (bits_[static_cast<std::size_t>(node) * words_ + context / 64] >> context % 64 & 1u) != 0;
  }

 private:
  std::uint64_t* row(int node) { return &bits_[static_cast<std::size_t>(node) * words_]; }

  std::size_t words_;
  List<std::uint64_t> bits_;
};

/// Where a segment begins: what is active and what passes through, each numbered on its own.
struct Entrances {
  Positions starts, contexts;
  List<std::pair<int, int>> states;  ///< start and context; {-1, -1}: never

  std::pair<int, int> add(const Segment& segment, const game::Position& position) {
    return {starts.number(segment.active_part(position)), contexts.number(segment.passive_part(position))};
  }
};

/// Ends and contexts by what they have in common for what comes next, so that this is found once for all of them.
class Classes {
 public:
  template <typename Key>
  void add(const Key& key) {
    number_.push_back(keys_.number(key));
  }
  std::size_t of(std::size_t at) const { return static_cast<std::size_t>(number_[at]); }
  std::size_t size() const { return keys_.size(); }
  const game::Position& operator[](std::size_t number) const { return keys_[static_cast<int>(number)]; }

 private:
  Positions keys_;
  List<int> number_;
};

/// What is found once for each pair of classes.
template <typename Find>
class PairMemo {
 public:
  PairMemo(const Classes& ends, const Classes& contexts, Find find)
      : ends_(ends), contexts_(contexts), find_(std::move(find)), found_(ends.size() * contexts.size(), kUnknown) {}
  int operator()(std::size_t end, std::size_t context) {
    const std::size_t a = ends_.of(end), b = contexts_.of(context);
    int& found = found_[a * contexts_.size() + b];
    if (found == kUnknown) found = find_(joined(ends_[a], contexts_[b]));
    return found;
  }

 private:
  static constexpr int kUnknown = -1;
  const Classes& ends_;
  const Classes& contexts_;
  Find find_;
  List<int> found_;
};

/// Builds the graphs of all attacks, forward.
class SegmentBuilder {
 public:
  /// `read_after`: mask: resources that are still read when all attacks are over.
  SegmentBuilder(const game::Plan& plan, const Budget& budget, const game::Resources& read_after)
      : plan_(plan), budget_(budget), read_after_(read_after) {}

  /// `memory`: what lists take theirs from.
  Games run(Starts starts, const std::shared_ptr<const Arena>& memory) {
    Games out = built(starts);
    for (auto& attack : attacks_) out.attacks.push_back(std::make_unique<SegmentGame>(std::move(attack), memory));
    return out;
  }

  /// One attack, and where it leaves its resources.
  std::pair<std::unique_ptr<SegmentAttack>, Positions> run_one(const game::Resources& start) {
    built(Starts(&start, 1));
    return {std::move(attacks_.front()), std::move(ends_)};
  }

 private:
  /// The attacks are still to be added.
  Games built(Starts starts) {
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
    const std::vector<Segment> segments = cut(plan_, k, read_after_);
    if (share_attack(k, segments)) return;
    Entrances entrances;
    out.skipped_to.assign(out.states.size(), -1);
    for (std::size_t s = 0; s < out.states.size(); ++s) {
      const game::Resources& state = out.states[static_cast<int>(s)].resources;
      if (game::attack_happens(plan_, attack, state)) {
        entrances.states.push_back(entrances.add(segments.front(), game::begin_attack(plan_, attack, state)));
      } else {
        entrances.states.emplace_back(-1, -1);
        out.skipped_to[s] = next_attack(k, state);
      }
    }
    out.segments->reserve(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment* next = i + 1 < segments.size() ? &segments[i + 1] : nullptr;
      SegmentTable& table = out.segments->emplace_back(segments[i], StateMerging(plan_, attack, segments[i], next));
      build(k, segments, i, std::move(entrances), table);
      entrances = Entrances();
      add_ends(k, next, table, entrances);
    }
    out.states_after = states_after(k).size();
  }

  /// Whether the same is played by another ship in the attack before this one, or in the one that that one plays as:
  /// then this one plays as that, too. Graphs that further attacks of the ship would go on from are built in its own
  /// labels.
  bool share_attack(std::size_t k, const std::vector<Segment>& segments) {
    if (k == 0) return false;
    SegmentAttack& out = *attacks_[k];
    const std::size_t j = attacks_[k - 1]->plays_as;
    const SegmentAttack& other = *attacks_[j];
    if (other.states.size() != out.states.size() || !attacks_once(k) || !same_keys(k, j)) return false;
    std::vector<Segment> theirs;
    for (const SegmentTable& table : *other.segments) {
      if (table.nodes != table.graph->nodes.size()) return false;
      theirs.push_back(table.segment);
    }
    const auto labels = isomorphic_attack(plan_, j, theirs, k, segments, read_after_);
    if (!labels || !same_states(k, j, *labels)) return false;
    out.plays_as = j;
    out.labels = *labels;
    out.rest = without(other.states[0].resources, (*labels)(kEvery));
    out.segments = other.segments;
    out.skipped_to = other.skipped_to;
    out.states_after = other.states_after;
    out.size = other.size;
    edges_ += static_cast<double>(out.size.edges);
    choices_ += out.choice_count = other.choice_count;
    if (edges_ > budget_.edges || choices_ > budget_.edges * kChoicesPerEdge) refuse(k);
    return true;
  }

  /// Whether the states before and after attack k, relabeled, are those of attack j, but for what all of these have
  /// besides and j does not read. Then notes the states after it.
  bool same_states(std::size_t k, std::size_t j, const Relabeling& labels) {
    const Positions &theirs = attacks_[j]->states, &after = states_after(j);
    const game::Resources named = labels(kEvery), rest = without(theirs[0].resources, named);
    const game::AttackPlan& attack = plan_.attacks[j];
    if (without(attack.reads.masked(attack.readable), named) != game::Resources()) return false;
    for (int s = 0; s < static_cast<int>(theirs.size()); ++s) {
      const game::Resources& state = theirs[s].resources;
      if (labels(attacks_[k]->states[s].resources) != state.masked(named) || without(state, named) != rest)
        return false;
    }
    const game::Resources& readable = k + 1 < plan_.attacks.size() ? plan_.attacks[k + 1].readable : read_after_;
    Positions mine;
    for (int s = 0; s < static_cast<int>(after.size()); ++s) {
      game::Position state;
      state.resources = labels.back(after[s].resources, readable);
      if (mine.number(state) != s) return false;
    }
    states_after(k) = std::move(mine);
    return true;
  }

  Positions& states_after(std::size_t k) { return k + 1 < attacks_.size() ? attacks_[k + 1]->states : ends_; }

  int next_attack(std::size_t k, const game::Resources& resources) {
    const bool more = k + 1 < plan_.attacks.size();
    game::Position state;
    state.resources =
        game::end_attack(plan_, plan_.attacks[k], resources).masked(more ? plan_.attacks[k + 1].readable : read_after_);
    return states_after(k).number(state);
  }

  void build(std::size_t k, const std::vector<Segment>& segments, std::size_t i, Entrances entrances,
             SegmentTable& out) {
    const Segment* next = out.segment.last ? nullptr : &segments[i + 1];
    out.start = std::move(entrances.states);
    out.contexts = std::move(entrances.contexts);
    auto known = known_graph(k, segments, i);
    if (known) out.graph = known;
    const auto twin = known ? nullptr : twin_graph(k, segments, i, entrances.starts);
    const double left = budget_.edges - edges_;
    if (twin) {
      out.graph = twin;
      if (static_cast<double>(out.graph->edges()) > left) refuse(k);
    } else {
      const SegmentGraphSpec part{out.segment.end, &out.merging, [&](game::Position& position) {
                                    if (next != nullptr) forget_dice(plan_, *next, position);
                                  }};
      try {
        *out.graph = build_segment_graph(plan_, k, entrances.starts, part, std::move(*out.graph), left);
      } catch (const PlanTooLarge&) {
        refuse(k);
      }
    }
    out.nodes = out.graph->nodes.size();
    out.all_reached = !known && !twin && out.width() == 1;
    out.built_from = std::move(entrances.starts);
    out.start_nodes = out.graph->start;
    const double choices = static_cast<double>(out.graph->edges()) * static_cast<double>(out.width());
    attacks_[k]->choice_count += choices;
    choices_ += choices;
    if (choices_ > budget_.edges * kChoicesPerEdge) refuse(k);
    for (auto& [node, context] : out.start) {
      if (node >= 0) node = out.graph->start[static_cast<std::size_t>(node)];
    }
    attacks_[k]->size.states += out.nodes;
    attacks_[k]->size.edges += out.graph->edges();
    edges_ += static_cast<double>(out.graph->edges());
  }

  /// Segment i of the attack that k plays as.
  SegmentRef ref_in(std::size_t k, std::size_t i) const {
    const std::vector<SegmentTable>& tables = *attacks_[k]->segments;
    return {plan_.attacks[attacks_[k]->plays_as], tables[i].segment,
            i + 1 < tables.size() ? &tables[i + 1].segment : nullptr};
  }

  /// The graph of the last attack before k that has the same segment, or nullptr.
  std::shared_ptr<SegmentGraph> known_graph(std::size_t k, const std::vector<Segment>& segments, std::size_t i) const {
    for (std::size_t j = k; j-- > 0;) {
      if (attacks_[j]->plays_as != j || i >= attacks_[j]->segments->size()) continue;
      if (same_play(plan_, segment_ref(plan_.attacks[k], segments, i), ref_in(j, i)))
        return (*attacks_[j]->segments)[i].graph;
    }
    return nullptr;
  }

  /// The graph that building from `starts` would give, of an attack before k in which the same is played with other
  /// labels from the same starts in the same order; or nullptr. A copy, but where no name differs and no other attack
  /// goes on from it.
  std::shared_ptr<SegmentGraph> twin_graph(std::size_t k, const std::vector<Segment>& segments, std::size_t i,
                                           const Positions& starts) {
    const SegmentRef here = segment_ref(plan_.attacks[k], segments, i);
    for (std::size_t j = k; j-- > 0;) {
      if (attacks_[j]->plays_as != j || i >= attacks_[j]->segments->size()) continue;
      const SegmentTable& other = (*attacks_[j]->segments)[i];
      if (other.built_from.size() != starts.size() || other.nodes != other.graph->nodes.size()) continue;
      const auto relabeling = isomorphic_play(plan_, here, ref_in(j, i));
      if (!relabeling || !same_keys(k, j)) continue;
      bool same = true;
      for (int s = 0; same && s < static_cast<int>(starts.size()); ++s)
        same = (*relabeling)(other.built_from[s]) == starts[s];
      if (!same) continue;
      const bool shared = !relabeling->relabels() && attacks_once(k) && attacks_once(j);
      const auto out = shared ? other.graph : std::make_shared<SegmentGraph>(relabeled(*other.graph, *relabeling));
      out->start = other.start_nodes;
      return out;
    }
    return nullptr;
  }

  /// The attacker of attack k makes no other.
  bool attacks_once(std::size_t k) const {
    return std::count_if(plan_.attacks.begin(), plan_.attacks.end(), [&](const game::AttackPlan& attack) {
             return attack.attacker == plan_.attacks[k].attacker;
           }) == 1;
  }

  /// Whether decisions of both attacks get the same keys for ties.
  bool same_keys(std::size_t k, std::size_t j) {
    const auto &a = keys_of(k), &b = keys_of(j);
    return a[0].counts_like(b[0]) && a[1].counts_like(b[1]);
  }
  const std::array<TieKey, 2>& keys_of(std::size_t k) {
    keys_.resize(plan_.attacks.size());
    if (!keys_[k]) keys_[k] = {TieKey(plan_, plan_.attacks[k], false), TieKey(plan_, plan_.attacks[k], true)};
    return *keys_[k];
  }

  static SegmentGraph relabeled(const SegmentGraph& graph, const Relabeling& relabeling) {
    SegmentGraph out = graph;
    out.dice_free = Positions();
    out.dice_free.reserve(graph.dice_free.size());
    for (int n = 0; n < static_cast<int>(graph.dice_free.size()); ++n)
      out.dice_free.insert(relabeling(graph.dice_free[n]));
    return out;
  }

  /// Where each end leads in each context: to the next attack, or to what is collected in `entrances`.
  void add_ends(std::size_t k, const Segment* next, SegmentTable& table, Entrances& entrances) {
    for (std::size_t n = 0; n < table.nodes; ++n) {
      if (table.node(n).kind == Node::Kind::End) table.end_node.push_back(static_cast<int>(n));
    }
    table.next.assign(table.end_node.size() * table.width(), -1);
    Arena scratch;  // what is read_after has been made before
    const ArenaScope scope(scratch);
    if (next == nullptr) {
      ends_to_attack(k, table);
    } else {
      ends_to_segment(*next, table, entrances);
    }
  }

  void ends_to_attack(std::size_t k, SegmentTable& table) {
    Classes ends, contexts;
    const auto resources_of = [](const game::Position& position) {
      game::Position out;
      out.resources = position.resources;
      return out;
    };
    for (const int n : table.end_node) ends.add(resources_of(table.position(n)));
    for (std::size_t context = 0; context < table.width(); ++context)
      contexts.add(table.contexts[static_cast<int>(context)]);
    PairMemo state(ends, contexts, [&](const game::Position& position) { return next_attack(k, position.resources); });
    each_reached(table, [&](std::size_t end, std::size_t context) {
      table.next[end * table.width() + context] = state(end, context);
    });
  }

  void ends_to_segment(const Segment& next, SegmentTable& table, Entrances& entrances) {
    Classes starting_ends, starting_contexts, passing_ends, passing_contexts;
    for (const int n : table.end_node) {
      starting_ends.add(next.active_part(table.position(n)));
      passing_ends.add(next.passive_part(table.position(n)));
    }
    for (std::size_t context = 0; context < table.width(); ++context) {
      const game::Position& position = table.contexts[static_cast<int>(context)];
      game::Position starting;
      starting.resources = position.resources.masked(next.active);
      if (next.reads_attack_dice) starting.attack_pool = position.attack_pool;
      starting_contexts.add(starting);
      passing_contexts.add(next.passive_part(position));
    }
    PairMemo start(starting_ends, starting_contexts, [&](game::Position position) {
      forget_evades(plan_, next, position);
      return entrances.starts.number(next.active_part(position));
    });
    PairMemo context_of(passing_ends, passing_contexts,
                        [&](const game::Position& position) { return entrances.contexts.number(position); });
    constexpr std::pair<int, int> kNever{-1, -1};
    List<std::pair<int, int>> begins(table.next.size(), kNever);  // by end and context: start and context
    each_reached(table, [&](std::size_t end, std::size_t context) {
      begins[end * table.width() + context] = {start(end, context), context_of(end, context)};
    });
    const auto width = static_cast<int>(entrances.contexts.size());
    entrances.states.assign(entrances.starts.size() * entrances.contexts.size(), kNever);
    for (std::size_t at = 0; at < begins.size(); ++at) {
      if (begins[at] == kNever) continue;
      table.next[at] = begins[at].first * width + begins[at].second;
      entrances.states[static_cast<std::size_t>(table.next[at])] = begins[at];
    }
  }

  /// Calls visit(number of the end, context) for the ends that a context reaches.
  template <typename Visit>
  static void each_reached(const SegmentTable& table, Visit visit) {
    if (table.all_reached) {
      for (std::size_t end = 0; end < table.end_node.size(); ++end) visit(end, std::size_t{0});
      return;
    }
    const Reached reached(table);
    for (std::size_t end = 0; end < table.end_node.size(); ++end) {
      for (std::size_t context = 0; context < table.width(); ++context) {
        if (reached(table.end_node[end], context)) visit(end, context);
      }
    }
  }

  [[noreturn]] void refuse(std::size_t k) const {
    throw exact::too_large(plan_, budget_, k, attacks_[k]->states.size());
  }

  const game::Plan& plan_;
  const Budget& budget_;
  const game::Resources read_after_;
  std::vector<std::unique_ptr<SegmentAttack>> attacks_;
  Positions ends_;                                          ///< states after the last attack
  std::vector<std::optional<std::array<TieKey, 2>>> keys_;  ///< by attack, of the defender and the attacker
  double edges_ = 0, choices_ = 0;
};

}  // namespace

game::Resources SegmentAttack::relabeled(const game::Resources& resources) const {
  if (plays_as == k) return resources;
  game::Resources out = labels(resources);
  for (std::size_t w = 0; w < out.words.size(); ++w) out.words[w] |= rest.words[w];
  return out;
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
  auto [attack, after] = SegmentBuilder(plan, budget, kEvery).run_one(plan.start);
  std::vector<AttackEnd> out;
  if (attack->skipped_to[0] >= 0) return out;
  SegmentGame game(std::move(attack), memory);
  game.solve(plan, std::vector<Value>(after.size()));
  for (const Arrival& arrival : game.arrivals())
    out.push_back({after[arrival.next].resources, arrival.hits, arrival.crits, arrival.extra, arrival.probability});
  return out;
}

}  // namespace salvo::exact
