// Builds the graph of a segment depth first: the same nodes in the same order as GraphBuilder (graph.cpp) finds them.
#include "base/index.h"
#include "exact/graph/graph_writer.h"
#include "exact/segments/option_successors.h"

namespace salvo::exact {
namespace {

class SegmentGraphBuilder : private OptionSuccessors {
 public:
  SegmentGraphBuilder(const game::Plan& plan, std::size_t index, const SegmentGraphSpec& spec, SegmentGraph known,
                      double edges_left)
      : OptionSuccessors(plan, index, spec, std::move(known)), writer_(graph_, edges_left) {
    graph_.start.clear();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      decision_steps_.push_back(decision_step(graph_.keys[n], graph_.nodes[n]));
      ends_ += graph_.nodes[n].kind == Node::Kind::End ? 1 : 0;
    }
  }

  SegmentGraph build(const Positions& starts) {
    for (int s = 0; s < static_cast<int>(starts.size()); ++s) graph_.start.push_back(visit(merged(key_of(starts[s]))));
    return std::move(graph_);
  }

 private:
  static constexpr std::uint8_t kNoDecision = 255;

  int add_node(PositionKey key, const Node& node) {
    const auto number = static_cast<int>(graph_.nodes.size());
    graph_.nodes.push_back(node);
    graph_.keys.push_back(key);
    decision_steps_.push_back(decision_step(key, node));
    graph_.node_of.insert(key, number);
    return number;
  }

  std::uint8_t decision_step(PositionKey key, const Node& node) const {
    return node.kind == Node::Kind::Decision ? rest(key.dice_free).step : kNoDecision;
  }

  /// The node of a merged key.
  int visit(PositionKey key) {
    const int met = graph_.node_of.find(key);
    return met != NodeTable::kNone ? met : visit_new(key);
  }

  [[gnu::noinline]] int visit_new(PositionKey key) {
    const RestFacts& facts = rest(key.dice_free);
    if (facts.over) return add_node(key, {.first = ends_++});
    if (facts.window) {
      const std::size_t first = successors_.size();
      if (list_successors(key)) return add_node(key, decide(key, first));
      successors_.resize(first);
    }
    if (graph_.dice_free[key.dice_free].pending > 0) return add_node(key, reroll(key));
    return advance(key);
  }

  /// Advances to the next decision, roll or draw, or to the end.
  [[gnu::noinline]] int advance(PositionKey key) {
    game::Position position = graph_.position(key);
    const game::NextEvent event = game::advance(plan_, attack_, position, spec_.until);
    PositionKey here = key_of(position);
    if (here == key && event != game::NextEvent::Finished) return add_node(here, node(here, event));
    here = merged(here);
    if (event == game::NextEvent::Finished) here.dice = dice_at_end(here.dice);
    if (here == key) return add_node(here, node(here, event));
    int number = graph_.node_of.find(here);
    if (number == NodeTable::kNone) number = add_node(here, node(here, event));
    graph_.node_of.insert(key, number);
    return number;
  }

  Node node(PositionKey key, game::NextEvent event) {
    switch (event) {
      case game::NextEvent::Decision: {
        const std::size_t first = successors_.size();
        list_successors(key);
        return decide(key, first);
      }
      case game::NextEvent::AttackRoll:
        return roll(key, plan_.attack_die, 1);
      case game::NextEvent::DefenseRoll:
        return roll(key, plan_.defense_die, 2);
      case game::NextEvent::Reroll:
        return reroll(key);
      case game::NextEvent::Draw:
        return writer_.draw(plan_, attack_, graph_.position(key),
                            [&](const game::Position& after) { return visit(merged(key_of(after))); });
      case game::NextEvent::Finished:
        break;
    }
    return {.first = ends_++};
  }

  /// A decision between the successors from `first` on, which are removed from the list.
  Node decide(PositionKey key, std::size_t first) {
    const auto step = rest(key.dice_free).step;
    const std::size_t end = successors_.size();
    for (std::size_t i = first; i < end; ++i) {
      const int target = visit(successors_[i].key);  // appends to the list and removes what it appended
      Successor& successor = successors_[i];
      successor.edge.target = target;
      if (base::nth(decision_steps_, target) == step && !successor.interrupted)
        successor.edge.tie = SegmentEdge::kSameDecision;
    }
    const Node out = writer_.decision(end - first, attacker_decides(key));
    for (std::size_t i = first; i < end; ++i) graph_.decision_edges.push_back(successors_[i].edge);
    successors_.resize(first);
    return out;
  }

  Node roll(PositionKey key, const game::Die& die, std::uint8_t which) {
    const game::Position before = graph_.position(key);
    const int count = game::roll_size(before);
    const int dice_free = dice_free_of(game::after_roll(attack_, before, game::Pool()));
    const std::vector<RollOutcome>& outcomes = writer_.outcomes(die, count, which);
    List<ChanceEdge> edges;
    edges.reserve(outcomes.size());
    for (const RollOutcome& outcome : outcomes) {
      const int dice =
          which == 1 ? dice_of(outcome.pool, before.defense_pool) : dice_of(before.attack_pool, outcome.pool);
      edges.push_back({visit(merged({dice_free, dice})), outcome.probability});
    }
    return writer_.chance(edges, which, count);
  }

  Node reroll(PositionKey key) {
    const game::Position& before = graph_.dice_free[key.dice_free];
    const bool attack_dice = before.pending_attack, aside = before.pending_side || before.resume > 0;
    const game::Die& die = attack_dice ? plan_.attack_die : plan_.defense_die;
    const int after = aside ? kUnknown : dice_free_rerolled(key.dice_free);
    std::array<PositionKey, base::kMaxFaces> to;
    for (int face = 0; face < die.faces; ++face) {
      base::nth(to, face) = merged(aside ? key_of(game::after_reroll(graph_.position(key), face))
                                         : PositionKey{after, with_rerolled(key.dice, attack_dice, face)});
      graph_.node_of.prefetch(base::nth(to, face));
    }
    std::array<ChanceEdge, base::kMaxFaces> edges;
    for (int face = 0; face < die.faces; ++face)
      base::nth(edges, face) = {visit(base::nth(to, face)),
                                static_cast<double>(base::nth(die.sides_of_face, face)) / die.sides};
    return writer_.chance({edges.data(), static_cast<std::size_t>(die.faces)}, 0, 0);
  }

  int dice_free_rerolled(int dice_free) {
    if (rest(dice_free).rerolled == kUnknown) {
      const int after = dice_free_of(game::after_reroll(graph_.dice_free[dice_free], 0));
      rest(dice_free).rerolled = after;
    }
    return rest(dice_free).rerolled;
  }

  /// The dice and one more, which was rerolled and shows `face`.
  int with_rerolled(int dice, bool attack_dice, int face) {
    NumberMemo& memo = rerolled_[attack_dice];
    const int at = dice * base::kMaxFaces + face;
    int known = memo.find(at);
    if (known != kUnknown) return known;
    Dice more = graph_.dice[dice];
    (attack_dice ? more.attack : more.defense).add(face, true, 1);
    known = dice_of(more.attack, more.defense);
    memo.insert(at, known);
    return known;
  }

  GraphWriter<SegmentGraph> writer_;
  int ends_ = 0;
  std::array<NumberMemo, 2> rerolled_;  ///< of defense dice, of attack dice: by dice and face
  List<std::uint8_t> decision_steps_;   ///< by node: the step of the decision, or kNoDecision
};

}  // namespace

SegmentGraph build_segment_graph(const game::Plan& plan, std::size_t index, const Positions& starts,
                                 const SegmentGraphSpec& spec, SegmentGraph known, double edges_left) {
  Arena scratch;  // `known` was made outside this scope, so the graph does not use it
  const ArenaScope scope(scratch);
  return SegmentGraphBuilder(plan, index, spec, std::move(known), edges_left).build(starts);
}

}  // namespace salvo::exact
