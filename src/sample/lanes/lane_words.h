// LaneWords: the dice of a plan as words, one or more for each lane and attack. Where a vector kernel fills rows, one
// for each bit and with one bit for each trial, its program goes on here: dice become faces by logic on rows, and 32
// rows at a time are turned over, so that each lane has its dice side by side.
// In: a Setup. Out: the program, and where in a word each die is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "sample/bitsliced/program.h"
#include "sample/kernel.h"
#include "sample/vector/vector_kernel.h"

namespace salvo::sample {

/// Dice in a word: die `slot` has its lowest bit at shift + slot * bits.
struct LaneField {
  std::size_t word = 0;
  int shift = 0;
  int bits = 0;  ///< of one die
};

/// Dice of one attack. Pools hold numbers of faces; dice outside pools hold values, for either die (side_face()).
struct LaneFields {
  struct Pool {
    LaneField first, reroll;
  };
  Pool attack, defense;
  std::vector<LaneField> sides;  ///< kAtMost dice each, in the order in which they are rolled
  int side_dice = 0;
  std::size_t words = 0;
  static constexpr int kAtMost = 16;  ///< dice of one field
  const LaneField& side(int die) const {
    return sides[std::min(static_cast<std::size_t>(die / kAtMost), sides.size() - 1)];
  }
  const Pool& pool(bool attack_dice) const { return attack_dice ? attack : defense; }
};

class LaneWords {
 public:
  static constexpr std::size_t kLanes = 1024;

  static constexpr int kWordBits = 64;

  /// `word_bits`: of a word that are used at most. Throws UnsupportedByKernel, with the reason, for dice that it does
  /// not know.
  explicit LaneWords(const Setup& setup, int word_bits = kWordBits);

  const Program& program() const { return program_; }
  const LaneFields& fields(std::size_t attack) const { return fields_[attack]; }
  /// What program() needs of a workspace before its first use.
  void prepare(Workspace& workspace) const;
  /// Lower or upper 32 bits of word `word` of an attack, by lane; null where none of them is used.
  const std::uint64_t* half(Workspace& workspace, std::size_t attack, std::size_t word, bool upper) const;
  static std::uint32_t load(const std::uint64_t* half, std::size_t lane) {
    std::uint32_t out;
    std::memcpy(&out, reinterpret_cast<const char*>(half) + lane * sizeof out, sizeof out);
    return out;
  }
  /// The trial of a lane, counted from the first of the chunk.
  static constexpr std::uint64_t trial(std::size_t lane) { return lane % kRow * 32 + lane / kRow; }

 private:
  static constexpr std::size_t kRow = kLanes / 32;  ///< lanes of a row of words

  void fill_planes();
  void place_attack(std::size_t attack);
  LaneField place(std::vector<int>& used, int dice, int bits) const;
  std::uint32_t target_row(const LaneField& field, int die, int bit);
  void make_pool(const LaneFields::Pool& fields, const PoolAddress& address, const DieCode& code);
  void make_faces(Logic& logic, const DieCode& code, const std::vector<Bit>& value, int plane, const LaneField& field,
                  int slot);
  void emit_die(Logic& logic, const DieCode& code, const std::vector<Bit>& value,
                std::vector<std::pair<Bit, std::uint32_t>> results, Rejection again);
  void make_side(const LaneField& field, int die, const PoolAddress& address);

  const Setup& setup_;
  int word_bits_;
  Program program_;
  /// A row of ones; one of dice that are drawn again; the first of those that results may use in between.
  std::uint32_t ones_ = 0, rejected_ = 0, free_ = 0;
  std::vector<LaneFields> fields_;
  std::vector<std::vector<std::uint32_t>> groups_;  ///< by attack and half of a word: 0 or the first of its 32 rows
};

/// The face of a die outside both pools whose field shows `value`.
int side_face(const DieCode& code, const LaneField& field, std::size_t value);

}  // namespace salvo::sample
