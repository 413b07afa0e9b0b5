// SegmentGraph: the game graph of a part of an attack, from all positions in which the part can begin. Little of a
// position depends on the dice: it is a *mode*, all but its dice, and the dice, each numbered on its own; so is a node.
// In: a Plan, an attack, the part, its starts. Out: nodes with edges of eight bytes, children before parents.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/packed_table.h"
#include "exact/graph/graph.h"
#include "exact/segments/arena.h"

namespace salvo::exact {

/// Positions and their numbers.
using Positions = base::PackedTable<game::Position, game::packed, List>;

/// The dice on the table.
struct Dice {
  game::Pool attack, defense;
};
inline std::array<std::uint64_t, 2> packed_dice(const Dice& dice) { return {dice.attack.bits(), dice.defense.bits()}; }
using DiceNumbers = base::PackedTable<Dice, packed_dice, List>;

/// A position of a part: numbers of its mode and of its dice.
struct PositionKey {
  int mode = 0, dice = 0;

  bool operator==(const PositionKey&) const = default;
};

/// Numbers of nodes by their keys. Several keys can lead to one node. Slots are small, since looking up waits for
/// memory.
class NodeTable {
 public:
  static constexpr int kNone = -1;

  int find(PositionKey key) const {
    if (slots_.empty()) return kNone;
    for (std::size_t i = place_of(key);; ++i) {
      const Slot& slot = slots_[i & mask_];
      if (slot.node == kNone || slot.key == key) return slot.node;
    }
  }
  /// Adds a key that is not in the table.
  void insert(PositionKey key, int node) {
    if (2 * ++size_ > slots_.size()) grow();
    put({key, node});
  }
  /// The key will be looked up soon.
  void prepare(PositionKey key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[place_of(key) & mask_]);
  }

 private:
  struct Slot {
    PositionKey key;
    int node = kNone;
  };

  /// Points of a mode whose dice have numbers close to one another lie close to one another.
  static std::size_t place_of(PositionKey key) {
    const std::uint64_t h =
        (static_cast<std::uint64_t>(key.mode) << 24 | static_cast<std::uint64_t>(key.dice) >> 2) *
        0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>((h ^ h >> 32) << 2 | (static_cast<std::uint64_t>(key.dice) & 3u));
  }
  void put(Slot slot);
  void grow();

  List<Slot> slots_;
  std::size_t mask_ = 0;  ///< slots less one
  std::size_t size_ = 0;
};

/// An edge of a decision. Which option it is follows from its place: edges are in the order of rules::legal_options.
struct SegmentEdge {
  static constexpr std::int32_t kSameDecision = -1;

  std::int32_t target = 0;
  std::int32_t tie = 0;  ///< number in SegmentGraph::ties, or kSameDecision: it is that of the target

  bool same_decision() const { return tie == kSameDecision; }
};

struct SegmentGraph {
  List<Node> nodes;    ///< Node::first of an end is its number
  List<PositionKey> keys;  ///< by node
  List<SegmentEdge> decision_edges;
  List<ChanceEdge> chance_edges;
  List<std::uint64_t> ties;  ///< as DecisionEdge::tie
  List<int> start;           ///< by starting position: its node
  Positions modes;           ///< positions without dice
  DiceNumbers dice;
  NodeTable numbers;

  game::Position position(PositionKey key) const {
    game::Position out = modes[key.mode];
    out.attack_pool = dice[key.dice].attack;
    out.defense_pool = dice[key.dice].defense;
    return out;
  }
  game::Position position(int node) const { return position(keys[static_cast<std::size_t>(node)]); }
  /// The node of a position, or NodeTable::kNone.
  int find(game::Position position) const;
  std::size_t edges() const { return decision_edges.size() + chance_edges.size(); }
};

class StateMerging;

/// The steps of an attack before `until`. Ends are where step `until` begins, or the attack ends.
struct SegmentGraphSpec {
  int until = 0;
  const StateMerging* merging = nullptr;  ///< positions that it merges are one node
  std::function<void(game::Position&)>
      forget;  ///< takes dice away, whatever else there is; ends are merged that become equal
};

/// The graph of a part from the positions `starts`, options as in build_graph; start[i] is the node of starts[i].
/// `known`: such a graph of the same steps from other starts, maybe in another attack, that it goes on from. Throws
/// PlanTooLarge when more than `edges_left` edges are added.
SegmentGraph build_segment_graph(const game::Plan& plan, std::size_t index, const Positions& starts, const SegmentGraphSpec& part,
                     SegmentGraph known, double edges_left);

}  // namespace salvo::exact
