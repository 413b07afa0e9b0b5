// The game graph of one segment, from all positions in which the segment can begin. The graph numbers the two parts of
// a position, its dice and everything else, separately, because play changes each almost independently of the other.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "base/index.h"
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

/// A position as two numbers: of the position without its dice (SegmentGraph::dice_free), and of its dice.
struct PositionKey {
  int dice_free = 0, dice = 0;

  bool operator==(const PositionKey&) const = default;
};

/// A hash table from keys to nodes. Several keys can share a node. Slots are small because a lookup waits for memory.
class NodeTable {
 public:
  static constexpr int kNone = -1;

  int find(PositionKey key) const {
    if (slots_.empty()) return kNone;
    for (std::size_t i = hash(key);; ++i) {
      const Slot& slot = slots_[i & mask_];
      if (slot.node == kNone || slot.key == key) return slot.node;
    }
  }
  /// `key` must not be in the table.
  void insert(PositionKey key, int node) {
    if (2 * ++size_ > slots_.size()) grow();
    put({key, node});
  }
  void prefetch(PositionKey key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash(key) & mask_]);
  }

 private:
  struct Slot {
    PositionKey key;
    int node = kNone;
  };

  /// Places keys with equal dice-free parts and close dice numbers near each other.
  static std::size_t hash(PositionKey key) {
    const std::uint64_t h =
        (static_cast<std::uint64_t>(key.dice_free) << 24 | static_cast<std::uint64_t>(key.dice) >> 2) *
        0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>((h ^ h >> 32) << 2 | (static_cast<std::uint64_t>(key.dice) & 3u));
  }
  void put(Slot slot);
  void grow();

  List<Slot> slots_;
  std::size_t mask_ = 0;  ///< number of slots minus one
  std::size_t size_ = 0;
};

/// An edge of a decision. Its index within the node is the index of the option in game::legal_options.
struct SegmentEdge {
  static constexpr std::int32_t kSameDecision = -1;

  std::int32_t target = 0;
  std::int32_t tie = 0;  ///< index into SegmentGraph::ties, or kSameDecision: use the target's tie key

  bool same_decision() const { return tie == kSameDecision; }
};

struct SegmentGraph {
  List<Node> nodes;        ///< children before parents; Node::first of an end is the number of the end
  List<PositionKey> keys;  ///< by node
  List<SegmentEdge> decision_edges;
  List<ChanceEdge> chance_edges;
  List<std::uint64_t> ties;  ///< see DecisionEdge::tie
  List<int> start;           ///< by starting position: its node
  Positions dice_free;       ///< positions without their dice
  DiceNumbers dice;
  NodeTable node_of;

  game::Position position(PositionKey key) const {
    game::Position out = dice_free[key.dice_free];
    out.attack_pool = dice[key.dice].attack;
    out.defense_pool = dice[key.dice].defense;
    return out;
  }
  game::Position position(int node) const { return position(base::nth(keys, node)); }
  /// The node of a position, or NodeTable::kNone.
  int find(game::Position position) const;
  std::size_t edges() const { return decision_edges.size() + chance_edges.size(); }
};

class StateMerging;

/// What build_segment_graph needs to know about a segment besides its starts.
struct SegmentGraphSpec {
  int until = 0;                          ///< play ends before this step, or when the attack ends
  const StateMerging* merging = nullptr;  ///< positions that it merges share a node
  /// Clears the dice that nothing reads after the segment; ends that become equal share a node. It must not depend on
  /// anything but the dice.
  std::function<void(game::Position&)> forget;
};

/// Builds the graph of a segment of attack `index` from the positions `starts`; start[i] is the node of starts[i]. Each
/// option is an edge, as in build_graph. `known`: a graph of the same steps from other starts (of any attack) to
/// extend. Throws PlanTooLarge when that takes more than `edges_left` new edges.
SegmentGraph build_segment_graph(const game::Plan& plan, std::size_t index, const Positions& starts,
                                 const SegmentGraphSpec& spec, SegmentGraph known, double edges_left);

}  // namespace salvo::exact
