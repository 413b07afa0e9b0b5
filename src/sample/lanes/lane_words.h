// The dice of a plan packed into words, one or more per lane and attack. The program first fills rows with random bits,
// one row per bit and one bit per trial. It then computes the faces of dice by logic on rows and transposes 32 rows at
// a time, so that each lane has its dice next to each other.
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

/// Where a word holds dice: the lowest bit of die `slot` is at shift + slot * bits.
struct LaneField {
  std::size_t word = 0;
  int shift = 0;
  int bits = 0;  ///< per die
};

/// The fields of one attack. Fields of pools hold numbers of faces. Fields of dice outside pools hold values, since it
/// is known only during play whether such a die is an attack or a defense die (side_face()).
struct LaneFields {
  struct Pool {
    LaneField first, reroll;
  };
  Pool attack, defense;
  std::vector<LaneField> sides;  ///< kAtMost dice each, in rolling order
  int side_dice = 0;
  std::size_t words = 0;
  static constexpr int kAtMost = 16;  ///< dice per field
  const LaneField& side(int die) const {
    return sides[std::min(static_cast<std::size_t>(die / kAtMost), sides.size() - 1)];
  }
  const Pool& pool(bool attack_dice) const { return attack_dice ? attack : defense; }
};

class LaneWords {
 public:
  static constexpr std::size_t kLanes = 1024;

  static constexpr int kWordBits = 64;

  /// `word_bits`: how many bits of each word to use. Throws UnsupportedByKernel for dice that it cannot encode.
  explicit LaneWords(const Setup& setup, int word_bits = kWordBits);

  const Program& program() const { return program_; }
  const LaneFields& fields(std::size_t attack) const { return fields_[attack]; }
  /// Prepares a workspace for program().
  void prepare(Workspace& workspace) const;
  /// Lower or upper 32 bits of word `word` of an attack, by lane; null if unused.
  const std::uint64_t* half(Workspace& workspace, std::size_t attack, std::size_t word, bool upper) const;
  static std::uint32_t load(const std::uint64_t* half, std::size_t lane) {
    std::uint32_t out;
    std::memcpy(&out, reinterpret_cast<const char*>(half) + lane * sizeof out, sizeof out);
    return out;
  }
  /// The trial of a lane, relative to the first of the chunk.
  static constexpr std::uint64_t trial(std::size_t lane) { return lane % kRow * 32 + lane / kRow; }

 private:
  static constexpr std::size_t kRow = kLanes / 32;  ///< lanes per transposed row

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
  /// A row of ones, a row of rejected values, and the first scratch row.
  std::uint32_t ones_ = 0, rejected_ = 0, free_ = 0;
  std::vector<LaneFields> fields_;
  std::vector<std::vector<std::uint32_t>>
      groups_;  ///< by attack, then by half of a word: 0 or the first of its 32 rows
};

/// The face of a die outside both pools whose field holds `value`.
int side_face(const DieCode& code, const LaneField& field, std::size_t value);

}  // namespace salvo::sample
