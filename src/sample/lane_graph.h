// LaneGraph: one attack under a policy as nodes that wait for dice or cards, found as play reaches them. The lane
// kernel walks it for many sequences at once, so that rules and policy are asked once for a position and not once a
// sequence. In: a Setup and the resources with which the attack begins. Out: nodes, the next for each roll, and how
// attacks end.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sample/kernel.h"

namespace salvo::sample {

struct ResourcesHash {
  std::size_t operator()(const Resources& resources) const {
    const std::uint64_t h = (resources.words[0] ^ std::rotl(resources.words[1], 29)) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
  }
};

/// What a sequence waits for.
struct LaneNode {
  enum class Kind : std::uint8_t {
    Roll,    ///< up to kDiceAtOnce dice of the first roll of a pool
    Reroll,  ///< up to kDiceAtOnce dice of a reroll
    Side,    ///< one die outside both pools
    Draw,    ///< a damage card
    End      ///< nothing: the attack is over
  };
  Kind kind = Kind::End;
  bool attack_dice = false;
  bool ordered = false;                 ///< which die shows which face still matters
  std::uint8_t n = 0;                   ///< dice; cards that are left
  std::array<std::uint8_t, 3> slots{};  ///< Roll: the first; Reroll: of each die; Side: number of the die
  std::uint32_t next = 0;               ///< place of its first successor; for an end its number
};
inline constexpr int kDiceAtOnce = 3;

/// A node's number and the bucket of those that are played together with it, 0 for ends.
class LaneStep {
 public:
  LaneStep() = default;
  LaneStep(std::uint32_t node, std::uint32_t bucket) : code_(node << kBucketBits | bucket) {}
  bool known() const { return code_ != 0; }
  std::uint32_t node() const { return code_ >> kBucketBits; }
  std::uint32_t bucket() const { return code_ & (kBuckets - 1); }
  static constexpr int kBucketBits = 5;
  static constexpr std::uint32_t kBuckets = 1u << kBucketBits;
  static constexpr std::uint32_t kMostNodes = 1u << (32 - kBucketBits);

 private:
  std::uint32_t code_ = 0;
};

/// How an attack ended: what it changed.
struct LaneEnd {
  struct Suffered {
    std::size_t ship = 0;
    int hits = 0, crits = 0, damage = 0, faceup = 0;
  };
  Resources resources;
  bool happens = false, hits_at_all = false;
  int attack_dice = 0, defense_dice = 0, hits = 0, crits = 0;
  std::vector<Suffered> suffered;
  int mine = 0, theirs = 0;  ///< gain of each side
};

class LaneGraph {
 public:
  /// Throws NotBitSliced, with the reason, for what the lane kernel does not play.
  LaneGraph(const Setup& setup, std::size_t attack);

  /// The node at which the attack begins with these resources.
  LaneStep entry(const Resources& resources);
  /// The node after `outcome` of a node: for dice the faces as digits of base faces(), the first lowest, in ascending
  /// order unless `ordered`; for a card its place among those that are left.
  LaneStep next(std::uint32_t node, std::size_t outcome) {
    const LaneStep known = successors_[nodes_[node].next + outcome];
    return known.known() ? known : find_next(node, outcome);
  }
  /// All nodes, and all successors; valid until the next call that finds a new node.
  const LaneNode* nodes() const { return nodes_.data(); }
  const LaneStep* successors() const { return successors_.data(); }

  const LaneNode& node(std::uint32_t number) const { return nodes_[number]; }
  const LaneEnd& end(std::uint32_t number) const { return ends_[number]; }
  std::size_t ends() const { return ends_.size(); }
  /// What an attack reads or changes of the resources with which it begins.
  const Resources& mask() const { return mask_; }
  static std::size_t faces(const Die& die) { return static_cast<std::size_t>(die.faces); }
  std::size_t bytes() const;

 private:
  /// A point of play between two rolls.
  struct State {
    Position position;
    std::uint64_t attack_order = 0, defense_order = 0;  ///< nibbles by slot: face, and 8 for a rerolled die; 0: untold
    std::uint32_t start = 0;                            ///< index into starts_
    std::uint16_t pending_slots = 0;                    ///< to be rerolled
    std::uint8_t rolled = 0;                            ///< dice of the roll at hand that are on the table
    std::uint8_t side_rolled = 0;
    std::uint8_t attack_dice = 0, defense_dice = 0;
    std::array<std::uint8_t, kVictims> drawn{};
    bool operator==(const State&) const = default;
  };
  struct Hash {
    std::size_t operator()(const State& state) const;
  };

  void check() const;
  LaneStep find_next(std::uint32_t node, std::size_t outcome);
  LaneStep settle(State state);
  void decide(State& state);
  void merge(State& state) const;
  void arrange(State& state, const Effect& effect, const Pool& chosen) const;
  void forget_order(State& state) const;
  LaneStep number(State state);
  LaneStep step_to(std::uint32_t node) const;
  LaneStep add_end(const LaneEnd& end);
  LaneEnd end_of(const State& state) const;
  LaneNode describe(const State& state) const;
  std::size_t outcomes(const LaneNode& node) const;
  const Die& die(bool attack_dice) const { return attack_dice ? plan_.attack_die : plan_.defense_die; }
  static std::uint64_t& order(State& state, bool attack_dice) {
    return attack_dice ? state.attack_order : state.defense_order;
  }

  const Setup& setup_;
  const Plan& plan_;
  std::size_t index_;
  const AttackPlan& attack_;
  Resources mask_;
  std::vector<LaneNode> nodes_;
  std::vector<State> states_;  ///< by node
  std::vector<LaneStep> successors_;
  std::vector<LaneEnd> ends_;
  std::vector<Resources> starts_;
  std::unordered_map<State, std::uint32_t, Hash> known_;
  std::unordered_map<Resources, LaneStep, ResourcesHash> entries_;
  std::vector<Option> options_;
  std::vector<int> left_;
};

}  // namespace salvo::sample
