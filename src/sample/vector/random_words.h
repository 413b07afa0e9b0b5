// The random bits of one trial at a time, from any generator. Together with address.h this specifies the reproducible
// streams. Trial s reads its bit of plane p as bit s%32 of a word:
//
// - philox4x32-10: word p%4 of philox({s/32 low, s/32 high, p/4, 0}, seed);
// - ars-7: word s/32%4 of ars({s/128 low, s/128 high, p, 0}, {seed low, seed high, 0, 0});
// - xoshiro256++: eight states, which yield 64 bits each, are seeded for each block of 65,536 trials (xoshiro.h). Trial
//   s belongs to state s/64%8 and reads bit s%64 of what that state draws in row s/512 of the block. In each row the
//   states draw for all planes in order; planes from `main_planes` on are drawn from a second set of states.
//
// A value that is too large for the die is redrawn from Philox with any generator (address.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/xoshiro.h"
#include "sample/address.h"
#include "sample/sample.h"

namespace salvo::sample {

inline constexpr std::uint32_t kRejectionStream = 0x80000000u;  ///< last counter word of the first attempt
/// A value below `sides` for a die whose bits from `plane` on gave trial s one that is too large: the first word of
/// philox({s low, s high, plane, kRejectionStream + attempt}, seed) below the last multiple of `sides`, modulo `sides`.
unsigned value_after_rejection(std::uint64_t seed, std::uint64_t s, int plane, int sides);
/// The value of die `number` of trial s among the dice outside both pools that have no planes.
unsigned unplaced_value(std::uint64_t seed, std::uint64_t s, int number, int sides);
/// A value below `cards` for the damage card that trial s draws as number `number`.
unsigned card_value(std::uint64_t seed, std::uint64_t s, int number, int cards);

class RandomWords {
 public:
  RandomWords(Generator generator, const Addresses& addresses, std::uint64_t seed);

  void begin_trial(std::uint64_t s);
  unsigned bit(int plane) const {
    return words_[static_cast<std::size_t>(plane) * width_ + trial_ / 32 % width_] >> trial_ % 32 & 1u;
  }
  unsigned bits(int plane, int n) const {
    unsigned value = 0;
    for (int i = 0; i < n; ++i) value = value << 1 | bit(plane + i);
    return value;
  }
  /// The same functions for the current trial.
  unsigned overflow(int plane, int sides) const { return value_after_rejection(seed_, trial_, plane, sides); }
  unsigned side(int number, int sides) const { return unplaced_value(seed_, trial_, number, sides); }
  unsigned card(int number, int cards) const { return card_value(seed_, trial_, number, cards); }

 private:
  void fill_philox(std::uint64_t group);
  void fill_ars(std::uint64_t group);
  void fill_xoshiro(std::uint64_t row);
  void next_row();

  Generator generator_;
  std::size_t planes_, main_planes_;
  std::uint64_t seed_;
  std::size_t width_;  ///< words of a plane filled at once
  std::uint64_t trial_ = 0, group_ = 0;
  bool filled_ = false;
  std::vector<std::uint32_t> words_;        ///< by plane and word
  std::vector<base::XoshiroState> states_;  ///< both sets
  std::uint64_t rows_drawn_ = 0;            ///< of the current block
};

}  // namespace salvo::sample
