// solve by segments: the graphs of all segments forward, then values of all contexts backward.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "exact/attack_solver.h"
#include "exact/segments.h"

namespace salvo::exact {
namespace {

Pool only(Pool pool, std::initializer_list<int> faces) {
  Pool out;
  for (const int face : faces) {
    if (face >= 0) out.add(face, false, pool.count(face));
  }
  return out;
}

/// Drops the dice that nothing can read any more when `segment` begins.
void forget_dice(const Plan& plan, const Segment& segment, Position& position) {
  if (segment.results_only)
    position.attack_pool = only(position.attack_pool, {plan.attack_die.hit, plan.attack_die.crit});
  if (segment.neutralizes) position.defense_pool = only(position.defense_pool, {plan.defense_die.evade});
}

/// Evade results beyond the results that they can cancel change nothing.
void forget_evades(const Plan& plan, const Segment& segment, Position& position) {
  if (!segment.neutralizes || plan.defense_die.evade < 0) return;
  const int evades = position.defense_pool.count(plan.defense_die.evade);
  position.defense_pool.add(plan.defense_die.evade, false, std::min(0, position.attack_pool.size() - evades));
}

/// Which contexts reach which nodes of a graph.
class Reached {
 public:
  Reached(const SegmentTable& table) : words_((table.width() + 63) / 64), bits_(table.nodes * words_) {
    for (const auto& [node, context] : table.start) {
      if (node >= 0) row(node)[context / 64] |= std::uint64_t{1} << context % 64;
    }
    const Graph& graph = *table.graph;
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
  std::vector<std::uint64_t> bits_;
};

/// Where a segment begins: what is active and what passes through, each numbered on its own.
struct Entrances {
  PositionTable starts, contexts;
  std::vector<std::pair<int, int>> states;  ///< start and context; {-1, -1}: never

  std::pair<int, int> add(const Segment& segment, const Position& position) {
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
  const Position& operator[](std::size_t number) const { return keys_[static_cast<int>(number)]; }

 private:
  PositionTable keys_;
  std::vector<int> number_;
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
  std::vector<int> found_;
};

/// Builds the graphs of all attacks, forward.
class SegmentBuilder {
 public:
  SegmentBuilder(const Plan& plan, const Budget& budget, SegmentTables& out)
      : plan_(plan), budget_(budget), out_(out) {}

  void run() {
    out_.attacks.resize(plan_.attacks.size());
    Position first;
    first.resources = plan_.start.masked(plan_.attacks[0].readable);
    out_.attacks[0].states.insert(first);
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) add_attack(k);
  }

 private:
  void add_attack(std::size_t k) {
    const AttackPlan& attack = plan_.attacks[k];
    SegmentAttack& out = out_.attacks[k];
    const std::vector<Segment> segments = cut(plan_, k);
    Entrances entrances;
    out.skipped_to.assign(out.states.size(), -1);
    for (std::size_t s = 0; s < out.states.size(); ++s) {
      const Resources& state = out.states[static_cast<int>(s)].resources;
      if (rules::attack_happens(plan_, attack, state)) {
        entrances.states.push_back(entrances.add(segments.front(), rules::begin_attack(plan_, attack, state)));
      } else {
        entrances.states.emplace_back(-1, -1);
        out.skipped_to[s] = next_attack(k, state);
      }
    }
    out.segments.reserve(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment* next = i + 1 < segments.size() ? &segments[i + 1] : nullptr;
      SegmentTable& table = out.segments.emplace_back(segments[i], StateMerging(plan_, attack, segments[i], next));
      build(k, segments, i, std::move(entrances), table);
      entrances = Entrances();
      add_ends(k, next, table, entrances);
    }
  }

  int next_attack(std::size_t k, const Resources& resources) {
    const bool more = k + 1 < plan_.attacks.size();
    Position state;
    state.resources = rules::end_attack(plan_, plan_.attacks[k], resources)
                          .masked(more ? plan_.attacks[k + 1].readable : Resources());
    return (more ? out_.attacks[k + 1].states : out_.ends).number(state);
  }

  void build(std::size_t k, const std::vector<Segment>& segments, std::size_t i, Entrances entrances,
             SegmentTable& out) {
    const Segment* next = out.segment.last ? nullptr : &segments[i + 1];
    out.start = std::move(entrances.states);
    out.contexts = std::move(entrances.contexts);
    if (auto known = known_graph(k, segments, i)) out.graph = std::move(known);
    Part part{out.segment.end, &out.merging, [&](Position& position) {
                if (next != nullptr) forget_dice(plan_, *next, position);
              }};
    try {
      const double left = budget_.edges - static_cast<double>(out_.edges);
      *out.graph = build_part(plan_, k, entrances.starts, part, std::move(*out.graph), left);
    } catch (const PlanTooLarge&) {
      refuse(k);
    }
    out.nodes = out.graph->nodes.size();
    choices_ += static_cast<double>(out.graph->edges()) * static_cast<double>(out.width());
    if (choices_ > budget_.edges * kChoicesPerEdge) refuse(k);
    for (auto& [node, context] : out.start) {
      if (node >= 0) node = out.graph->start[static_cast<std::size_t>(node)];
    }
    out_.nodes += out.nodes;
    out_.edges += out.graph->edges();
  }

  /// The graph of the last attack before k that has the same segment, or nullptr.
  std::shared_ptr<Graph> known_graph(std::size_t k, const std::vector<Segment>& segments, std::size_t i) const {
    const auto after = [](const auto& all, std::size_t at) { return at + 1 < all.size() ? &all[at + 1] : nullptr; };
    for (std::size_t j = k; j-- > 0;) {
      const std::vector<SegmentTable>& others = out_.attacks[j].segments;
      if (i >= others.size()) continue;
      const SegmentTable* other_next = after(others, i);
      if (same_play(plan_, plan_.attacks[k], segments[i], after(segments, i), plan_.attacks[j], others[i].segment,
                    other_next == nullptr ? nullptr : &other_next->segment)) {
        return others[i].graph;
      }
    }
    return nullptr;
  }

  /// Where each end leads in each context: to the next attack, or to what is collected in `entrances`.
  void add_ends(std::size_t k, const Segment* next, SegmentTable& table, Entrances& entrances) {
    for (std::size_t n = 0; n < table.nodes; ++n) {
      if (table.node(n).kind == Node::Kind::End) table.end_node.push_back(static_cast<int>(n));
    }
    table.next.assign(table.end_node.size() * table.width(), -1);
    if (next == nullptr) {
      lead_on(k, table);
    } else {
      lead_into(*next, table, entrances);
    }
  }

  void lead_on(std::size_t k, SegmentTable& table) {
    Classes ends, contexts;
    const auto resources_of = [](const Position& position) {
      Position out;
      out.resources = position.resources;
      return out;
    };
    for (const int n : table.end_node) ends.add(resources_of(table.position(n)));
    for (std::size_t context = 0; context < table.width(); ++context)
      contexts.add(table.contexts[static_cast<int>(context)]);
    PairMemo state(ends, contexts, [&](const Position& position) { return next_attack(k, position.resources); });
    each_reached(table, [&](std::size_t end, std::size_t context) {
      table.next[end * table.width() + context] = state(end, context);
    });
  }

  void lead_into(const Segment& next, SegmentTable& table, Entrances& entrances) {
    Classes starting_ends, starting_contexts, passing_ends, passing_contexts;
    for (const int n : table.end_node) {
      starting_ends.add(next.active_part(table.position(n)));
      passing_ends.add(next.passive_part(table.position(n)));
    }
    for (std::size_t context = 0; context < table.width(); ++context) {
      const Position& position = table.contexts[static_cast<int>(context)];
      Position starting;
      starting.resources = position.resources.masked(next.active);
      if (next.reads_attack_dice) starting.attack_pool = position.attack_pool;
      starting_contexts.add(starting);
      passing_contexts.add(next.passive_part(position));
    }
    PairMemo start(starting_ends, starting_contexts, [&](Position position) {
      forget_evades(plan_, next, position);
      return entrances.starts.number(next.active_part(position));
    });
    PairMemo context_of(passing_ends, passing_contexts,
                        [&](const Position& position) { return entrances.contexts.number(position); });
    constexpr std::pair<int, int> kNever{-1, -1};
    std::vector<std::pair<int, int>> begins(table.next.size(), kNever);  // by end and context: start and context
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
    const Reached reached(table);
    for (std::size_t end = 0; end < table.end_node.size(); ++end) {
      for (std::size_t context = 0; context < table.width(); ++context) {
        if (reached(table.end_node[end], context)) visit(end, context);
      }
    }
  }

  [[noreturn]] void refuse(std::size_t k) const {
    throw PlanTooLarge(exact::too_large(plan_, budget_, k, out_.attacks[k].states.size()), budget_.edges,
                       budget_.edges);
  }

  const Plan& plan_;
  const Budget& budget_;
  SegmentTables& out_;
  double choices_ = 0;
};

/// Values of all contexts of one segment, backward.
class SegmentBackward {
 public:
  SegmentBackward(const Plan& plan, std::size_t k, SegmentTable& table)
      : plan_(plan),
        attack_(plan.attacks[k]),
        table_(table),
        width_(table.width()),
        two_(plan.objective == Objective::Kill),
        first_(table.nodes * width_),
        second_(two_ ? first_.size() : 0),
        ties_(first_.size()),
        asked_(table.nodes),
        most_(width_),
        other_(width_),
        taken_(width_) {
    for (std::size_t n = 0; n < table.nodes; ++n) {
      const Node& node = table.node(n);
      if (node.kind != Node::Kind::Decision) continue;
      for (int e = node.first; e < node.first + node.count; ++e) {
        const DecisionEdge& edge = table.graph->decision_edges[static_cast<std::size_t>(e)];
        if (edge.same_decision) asked_[static_cast<std::size_t>(edge.target)] = true;
      }
    }
  }

  /// `next` by state after the segment, empty: nothing is still to come. Choices of roles that do not play Optimal are
  /// read, the others written. Returns values by state in which the segment begins.
  std::vector<Value> run(const std::vector<Value>& next, PolicyKind attacker, PolicyKind defender) {
    std::vector<Value> out(table_.start.size());
    if (width_ == 0) return out;  // never begins; its graph may still have nodes, those of a segment with the same play
    const double sign = plan_.ships[static_cast<std::size_t>(attack_.attacker)].mine ? 1.0 : -1.0;
    for (int n = 0; n < static_cast<int>(table_.nodes); ++n) {
      const Node& node = table_.graph->nodes[static_cast<std::size_t>(n)];
      if (node.kind == Node::Kind::End) {
        end(n, node, sign, next);
      } else if (node.kind == Node::Kind::Chance) {
        mean(n, node, first_);
        if (two_) mean(n, node, second_);
      } else {
        const PolicyKind kind = node.attacker_decides ? attacker : defender;
        decide(n, node, kind == PolicyKind::Optimal, (sign > 0) == node.attacker_decides ? 1.0 : -1.0);
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
  Value value(std::size_t n) const { return {first_[n], two_ ? second_[n] : 0}; }

  void end(int n, const Node& node, double sign, const std::vector<Value>& next) {
    rules::Gain gain;
    if (table_.segment.last) gain = rules::gain(plan_, attack_, table_.graph->positions[n]);
    for (std::size_t context = 0; context < width_; ++context) {
      const int state = table_.next[at(node.first, context)];
      const Value later = next.empty() || state < 0 ? Value{} : next[static_cast<std::size_t>(state)];
      first_[at(n, context)] = sign * gain.value + later.first;
      if (two_) second_[at(n, context)] = sign * gain.damage + later.second;
    }
  }

  void mean(int n, const Node& node, std::vector<double>& values) const {
    for (int e = node.first; e < node.first + node.count; ++e) {
      const ChanceEdge& edge = table_.graph->chance_edges[static_cast<std::size_t>(e)];
      add(&values[at(edge.target, 0)], edge.probability, width_, &values[at(n, 0)]);
    }
  }

  static void add(const double* in, double factor, std::size_t width, double* __restrict__ out) {
    for (std::size_t context = 0; context < width; ++context) out[context] += factor * in[context];
  }

  void decide(int n, const Node& node, bool optimal, double sign) {
    const DecisionEdge* edges = &table_.graph->decision_edges[static_cast<std::size_t>(node.first)];
    if (optimal) {
      choose(n, node, edges, sign);
    } else {
      follow(n, edges);
    }
    if (!asked_[static_cast<std::size_t>(n)]) return;
    for (std::size_t context = 0; context < width_; ++context) {
      const std::size_t here = at(n, context);
      const DecisionEdge& taken = edges[table_.choices[here]];
      ties_[here] = taken.same_decision ? ties_[at(taken.target, context)] : taken.tie;
    }
  }

  /// The values of the choices that were made.
  void follow(int n, const DecisionEdge* edges) {
    for (std::size_t context = 0; context < width_; ++context) {
      const std::size_t here = at(n, context);
      const std::size_t there = at(edges[table_.choices[here]].target, context);
      first_[here] = first_[there];
      if (two_) second_[here] = second_[there];
    }
  }

  /// The best choice in every context.
  void choose(int n, const Node& node, const DecisionEdge* edges, double sign) {
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

  /// Best and second best value so far. Numbers of edges are kept as doubles beside the values, so that contexts can be
  /// compared several at a time.
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

  /// Notes best choices and their values.
  void settle(int n, double sign) {
    int* __restrict__ choice = &table_.choices[at(n, 0)];
    double* __restrict__ value = &first_[at(n, 0)];
    for (std::size_t context = 0; context < width_; ++context) {
      choice[context] = static_cast<int>(taken_[context]);
      value[context] = sign * most_[context];
    }
  }

  /// Where another choice is as good the tie rule decides; returns whether there is such a context.
  bool break_ties(int n, const Node& node, const DecisionEdge* edges, double sign) {
    tied_.clear();
    for (std::size_t context = 0; context < width_; ++context) {
      if (equal(other_[context], most_[context])) tied_.push_back(context);
    }
    int* choice = &table_.choices[at(n, 0)];
    for (const std::size_t context : tied_) choice[context] = two_ ? best(edges, node.count, context, sign) : -1;
    if (two_ || tied_.empty()) return !tied_.empty();
    keys_.resize(width_);
    for (int e = 0; e < node.count; ++e) {
      const std::size_t there = at(edges[e].target, 0);
      for (const std::size_t context : tied_) {
        if (!equal(sign * first_[there + context], most_[context])) continue;
        const std::uint64_t key = edges[e].same_decision ? ties_[there + context] : edges[e].tie;
        if (choice[context] >= 0 && key <= keys_[context]) continue;
        choice[context] = e;
        keys_[context] = key;
      }
    }
    return true;
  }

  /// The best choice where values tie, and damage is compared before the tie rule.
  int best(const DecisionEdge* edges, int count, std::size_t context, double sign) const {
    return best_of(
        count, sign, [&](int e) { return value(at(edges[e].target, context)); },
        [&](int e) { return edges[e].same_decision ? ties_[at(edges[e].target, context)] : edges[e].tie; },
        [](int) { return true; });
  }

  const Plan& plan_;
  const AttackPlan& attack_;
  SegmentTable& table_;
  std::size_t width_;
  bool two_;
  std::vector<double> first_, second_;
  std::vector<std::uint64_t> ties_;
  std::vector<char> asked_;  ///< by node: whether a decision compares its tie key
  std::vector<double> most_, other_,
      taken_;                        ///< by context: best and second best value of a decision; edge of the best
  std::vector<std::size_t> tied_;    ///< contexts in which several choices are best
  std::vector<std::uint64_t> keys_;  ///< by context: tie key of the best choice so far
};

/// All segments of attack k; values by state in which it begins where it happens.
std::vector<Value> solve_attack(const Plan& plan, std::size_t k, SegmentAttack& attack, std::vector<Value> next,
                                PolicyKind attacker, PolicyKind defender) {
  for (auto table = attack.segments.rbegin(); table != attack.segments.rend(); ++table) {
    next = SegmentBackward(plan, k, *table).run(next, attacker, defender);
  }
  return next;
}

/// Choices of greedy roles: those of the attack alone, played as well as can be by both.
void choose_greedily(const Plan& plan, std::size_t k, SegmentAttack& attack) {
  static_cast<void>(solve_attack(plan, k, attack, {}, PolicyKind::Optimal, PolicyKind::Optimal));
  const auto keeps = [&](const Node& node) {
    return (node.attacker_decides ? plan.attacker_policy : plan.defender_policy) == PolicyKind::Greedy;
  };
  for (SegmentTable& table : attack.segments) {
    for (int n = 0; n < static_cast<int>(table.nodes); ++n) {
      if (keeps(table.graph->nodes[static_cast<std::size_t>(n)])) continue;
      std::fill_n(table.choices.begin() + static_cast<std::ptrdiff_t>(table.at(n, 0)), table.width(), 0);
    }
  }
}

}  // namespace

bool has_segments(const Plan& plan) {
  return plan.attacker_policy != PolicyKind::Rules && plan.defender_policy != PolicyKind::Rules && !plan.damage_deck;
}

SegmentTables solve_segments(const Plan& plan, const Budget& budget) {
  SegmentTables out;
  SegmentBuilder(plan, budget, out).run();
  std::vector<Value> next(out.ends.size());
  for (std::size_t k = plan.attacks.size(); k-- > 0;) {
    SegmentAttack& attack = out.attacks[k];
    for (SegmentTable& table : attack.segments) table.choices.assign(table.nodes * table.width(), 0);
    if (plan.attacker_policy == PolicyKind::Greedy || plan.defender_policy == PolicyKind::Greedy) {
      choose_greedily(plan, k, attack);
    }
    std::vector<Value> here = solve_attack(plan, k, attack, next, plan.attacker_policy, plan.defender_policy);
    for (std::size_t s = 0; s < here.size(); ++s) {
      if (attack.skipped_to[s] >= 0) here[s] = next[static_cast<std::size_t>(attack.skipped_to[s])];
    }
    next = std::move(here);
  }
  out.value = next[0].first;
  out.second_value = next[0].second;
  return out;
}

void decide_segments(const Plan& plan, const SegmentTables& tables, std::size_t attack, const Position& position,
                     std::vector<Option>& options) {
  const AttackPlan& attack_plan = plan.attacks[attack];
  const SegmentTable& table = tables.attacks[attack].at_step(position.step);
  Position key = position;
  rules::merge_unread(plan, attack_plan, key);
  Position passing = table.segment.passive_part(key);
  if (table.segment.results_only) forget_dice(plan, table.segment, passing);
  const Position here = table.segment.active_part(key);
  key = here;
  table.merging.merge(plan, attack_plan, key);
  const int node = table.graph->positions.find(key);
  const int context = table.contexts.find(passing);
  if (node < 0 || context < 0) throw std::logic_error("a position outside the solved game was reached");
  const Node& decision = table.graph->nodes[static_cast<std::size_t>(node)];
  const int taken = table.choices[table.at(node, static_cast<std::size_t>(context))];
  const DecisionEdge& edge = table.graph->decision_edges[static_cast<std::size_t>(decision.first + taken)];
  options.assign(1, table.merging.unmerged(attack_plan, here, edge.option));
}

}  // namespace salvo::exact
