// LanePlayer: the lane kernel. Plays a chunk of sequences side by side, one in each lane: all of them walk the graphs
// of the attacks (lane_graph.h), those that wait for the same kind of dice together. It plays what cannot be
// bit-sliced. In: a Setup and a vector kernel that draws the random bits. Out: the same tallies as the plain kernel's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sample/circuit.h"
#include "sample/lane_graph.h"
#include "sample/vector_kernel.h"

namespace salvo::sample {

/// The work of one thread.
class LanePlayer {
 public:
  /// Throws NotBitSliced, with the reason, for what the lane kernel does not play.
  LanePlayer(const Setup& setup, VectorKernel kernel, const Wanted& wanted);

  /// Plays the sequences first <= s < last and adds them to `tally`.
  void play(std::uint64_t first, std::uint64_t last, Tally& tally);

 private:
  static constexpr std::size_t kLanes = 1024;
  static constexpr std::size_t kCounted = 1024;  ///< resources that are counted without looking far

  /// Where bits of the dice are found after they were transposed: bit `shift` of word `word` is the lowest.
  struct Field {
    std::size_t word = 0;
    int shift = 0;
  };
  /// Random bits of one pool of one attack.
  struct PoolFields {
    Field values, rerolls, low;
  };
  struct AttackFields {
    std::array<PoolFields, 2> pools;  ///< defense, attack
    Field side;
    std::vector<std::array<int, 64>> planes;  ///< by word and bit: the plane, or -1
  };
  /// How the bits of a die map to faces.
  struct DieTables {
    int bits = 0;
    std::array<std::array<std::vector<std::uint16_t>, kDiceAtOnce + 1>, 2> outcome;  ///< by ordered, dice and bits
    std::array<std::array<std::vector<std::uint16_t>, kDiceAtOnce + 1>, 2> digits;   ///< by ordered, dice and digits
    std::vector<std::uint8_t> face, low_bit_read;                                    ///< by value
    std::size_t faces = 0;
  };
  /// Lanes that wait for the same.
  struct Lanes {
    std::array<std::uint16_t, kLanes> lane;
    std::size_t n = 0;
    const std::uint16_t* begin() const { return lane.data(); }
    const std::uint16_t* end() const { return lane.data() + n; }
  };
  /// What an end changes, in the form in which lanes keep it.
  struct Change {
    Resources resources;
    std::uint64_t gained = 0, suffered = 0;
    std::uint32_t ship = 0;
    bool others = false;  ///< more than one ship suffered
  };
  struct Counted {
    Resources resources;
    std::uint64_t n = 0;
  };

  void make_program();
  void assign_fields(std::size_t attack);
  void play_chunk(std::uint64_t start, std::size_t first, std::size_t last, Tally& tally);
  void play_attack(std::size_t attack, std::uint64_t start, std::size_t first, std::size_t last);
  void transpose(std::size_t attack);
  void sort_in(std::size_t lane, LaneStep step) {
    node_[lane] = step.node();
    waiting_[step.bucket()][waits_[step.bucket()]++] = static_cast<std::uint16_t>(lane);
  }
  void roll(const Lanes& lanes);
  void reroll(const Lanes& lanes);
  template <std::size_t kDice>
  void reroll(const Lanes& lanes, bool attack_dice);
  void roll_sides(const Lanes& lanes, std::uint64_t start);
  void draw(const Lanes& lanes, std::uint64_t start);
  void end_attack(std::size_t attack, std::size_t first, std::size_t last);
  void finish(std::size_t first, std::size_t last, Tally& tally);
  void flush(Tally& tally);
  std::uint64_t field(const Field& field, std::size_t lane) const { return words_[field.word][lane] >> field.shift; }
  template <typename Outcome>
  void play_lanes(const Lanes& lanes, Outcome&& outcome);
  const Change& change(std::size_t attack, std::uint32_t end);
  std::uint64_t& left(const Resources& resources);

  const Setup& setup_;
  const Plan& plan_;
  VectorKernel kernel_;
  Wanted wanted_;
  Program program_;
  std::optional<Workspace> workspace_;
  std::array<DieTables, 2> dice_;  ///< defense, attack
  std::vector<std::unique_ptr<LaneGraph>> graphs_;
  std::vector<AttackFields> fields_;

  // By lane:
  std::vector<std::array<std::uint64_t, kLanes>> words_;
  std::vector<std::uint32_t> node_;
  std::vector<Resources> resources_;
  std::vector<std::vector<std::uint64_t>> suffered_;  ///< by ship: hits, crits, damage and cards, 16 bits each
  std::vector<std::uint64_t> gained_;                 ///< mine, and theirs from bit 32 on
  std::vector<std::uint16_t> drawn_, unplaced_;       ///< damage cards; dice without planes

  // Of the attack at hand:
  LaneGraph* graph_ = nullptr;
  const AttackFields* at_hand_ = nullptr;
  std::array<std::uint32_t, LaneStep::kBuckets> waits_{};  ///< how many lanes, by bucket
  std::array<std::array<std::uint16_t, kLanes>, LaneStep::kBuckets> waiting_;
  Lanes played_;

  std::vector<std::vector<Change>> changes_;                          ///< by attack and end
  std::vector<std::vector<std::uint64_t>> ended_;                     ///< by attack and end: how often
  std::vector<std::vector<std::uint32_t>> touched_;                   ///< by attack: ends with a count
  std::vector<Counted> counted_;                                      ///< sequences by what was left: those met last
  std::unordered_map<Resources, std::uint64_t, ResourcesHash> left_;  ///< the others
};

}  // namespace salvo::sample
