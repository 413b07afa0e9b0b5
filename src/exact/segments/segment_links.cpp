#include "exact/segments/segment_links.h"

#include <algorithm>
#include <cstdint>

#include "base/index.h"

namespace salvo::exact {
namespace {

/// Drops evade results beyond the results that they can cancel.
void forget_evades(const game::Plan& plan, const Segment& segment, game::Position& position) {
  if (!segment.neutralizes || plan.defense_die.evade < 0) return;
  const int evades = position.defense_pool.count(plan.defense_die.evade);
  if (evades == 0) return;
  position.defense_pool.add(plan.defense_die.evade, false, std::min(0, position.attack_pool.size() - evades));
}

/// Which contexts reach which nodes of a graph: a row of bits for each node.
class Reached {
 public:
  explicit Reached(const SegmentTable& table) : words_((table.width() + 63) / 64), bits_(table.nodes * words_) {
    for (const auto& [node, context] : table.start) {
      if (node >= 0) row(node)[context / 64] |= std::uint64_t{1} << context % 64;
    }
    const SegmentGraph& graph = *table.graph;
    for (int n = static_cast<int>(table.nodes); n-- > 0;) {  // parents have larger numbers
      const Node& node = base::nth(graph.nodes, n);
      if (node.kind == Node::Kind::End) continue;
      for (int e = node.first; e < node.first + node.count; ++e) {
        const int target = node.kind == Node::Kind::Chance ? base::nth(graph.chance_edges, e).target
                                                           : base::nth(graph.decision_edges, e).target;
        if (words_ == 1) {
          base::nth(bits_, target) |= base::nth(bits_, n);
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

/// Ends or contexts, grouped by the part of their positions that matters later.
class Classes {
 public:
  void add(const game::Position& part) { number_.push_back(parts_.number(part)); }
  /// The class of end or context `at`.
  std::size_t of(std::size_t at) const { return static_cast<std::size_t>(base::nth(number_, at)); }
  std::size_t size() const { return parts_.size(); }
  const game::Position& operator[](std::size_t number) const { return parts_[static_cast<int>(number)]; }

 private:
  Positions parts_;
  List<int> number_;
};

/// The result of `find` for each end and context, computed once for each pair of their classes.
template <typename Find>
class PairMemo {
 public:
  PairMemo(const Classes& ends, const Classes& contexts, Find find)
      : ends_(ends), contexts_(contexts), find_(std::move(find)), found_(ends.size() * contexts.size(), kMissing) {}
  int operator()(std::size_t end, std::size_t context) {
    const std::size_t a = ends_.of(end), b = contexts_.of(context);
    int& found = found_[a * contexts_.size() + b];
    if (found == kMissing) found = find_(joined(ends_[a], contexts_[b]));
    return found;
  }

 private:
  static constexpr int kMissing = -1;
  const Classes& ends_;
  const Classes& contexts_;
  Find find_;
  List<int> found_;
};

/// Calls visit(number of the end, context) for the ends that a context reaches.
template <typename Visit>
void each_reached(const SegmentTable& table, Visit visit) {
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

void number_ends(SegmentTable& table) {
  for (std::size_t n = 0; n < table.nodes; ++n) {
    if (table.node(n).kind == Node::Kind::End) table.end_node.push_back(static_cast<int>(n));
  }
  table.next.assign(table.end_node.size() * table.width(), -1);
}

}  // namespace

void link_to_states(SegmentTable& table, const std::function<int(const game::Resources&)>& state_after) {
  number_ends(table);
  Arena scratch;  // `table` was made outside this scope, so its lists do not use it
  const ArenaScope scope(scratch);
  Classes ends, contexts;
  for (const int n : table.end_node) {
    game::Position end;
    end.resources = table.position(n).resources;
    ends.add(end);
  }
  for (int context = 0; context < static_cast<int>(table.width()); ++context) contexts.add(table.contexts[context]);
  PairMemo state(ends, contexts, [&](const game::Position& position) { return state_after(position.resources); });
  each_reached(table, [&](std::size_t end, std::size_t context) {
    table.next[end * table.width() + context] = state(end, context);
  });
}

Entrances link_to_segment(const game::Plan& plan, const Segment& next, SegmentTable& table) {
  Entrances out;
  number_ends(table);
  Arena scratch;  // `table` and `out` were made outside this scope, so their lists do not use it
  const ArenaScope scope(scratch);
  Classes starting_ends, starting_contexts, passing_ends, passing_contexts;
  for (const int n : table.end_node) {
    starting_ends.add(next.active_part(table.position(n)));
    passing_ends.add(next.passive_part(table.position(n)));
  }
  for (int context = 0; context < static_cast<int>(table.width()); ++context) {
    const game::Position& position = table.contexts[context];
    game::Position starting;
    starting.resources = position.resources.masked(next.active);
    if (next.reads_attack_dice) starting.attack_pool = position.attack_pool;
    starting_contexts.add(starting);
    passing_contexts.add(next.passive_part(position));
  }
  PairMemo start(starting_ends, starting_contexts, [&](game::Position position) {
    forget_evades(plan, next, position);
    return out.starts.number(next.active_part(position));
  });
  PairMemo context_of(passing_ends, passing_contexts,
                      [&](const game::Position& position) { return out.contexts.number(position); });
  List<std::pair<int, int>> begins(table.next.size(), kNeverBegins);  // by end and context: start and context
  each_reached(table, [&](std::size_t end, std::size_t context) {
    begins[end * table.width() + context] = {start(end, context), context_of(end, context)};
  });
  const auto width = static_cast<int>(out.contexts.size());
  out.states.assign(out.starts.size() * out.contexts.size(), kNeverBegins);
  for (std::size_t at = 0; at < begins.size(); ++at) {
    if (begins[at] == kNeverBegins) continue;
    table.next[at] = begins[at].first * width + begins[at].second;
    base::nth(out.states, table.next[at]) = begins[at];
  }
  return out;
}

}  // namespace salvo::exact
