// The position of a trial in the lane kernel, in 32 bits: a table of possible next steps, and which bits of the lane's
// word select one. Finding the next step takes two shifts and one load, without a branch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace salvo::sample {

class LaneStep {
 public:
  /// What a trial waits for when its current word leads no further. Moving a resting trial leaves it where it is.
  enum class Rest : std::uint8_t {
    End,   ///< nothing: the attack is over
    Draw,  ///< a damage card
    Side,  ///< a die outside both pools that has no planes
    Word   ///< bits of another word
  };
  static constexpr int kFewestBits = 2, kMaxBits = 8;  ///< that select the outcome of dice
  static constexpr std::size_t kUnit = 16;             ///< tables begin at multiples of this
  static constexpr std::size_t kMaxEntries = kUnit << 22;
  /// The table of a rest holds the step itself twice, then its number, which is not a step.
  static constexpr std::size_t kNumberAt = 2;

  /// Unknown. Leads to itself: the first kNothing entries of all tables are unknown.
  LaneStep() = default;
  static constexpr std::size_t kNothing = std::size_t{1} << kMaxBits;
  /// Selects an entry of the table at `place` by `bits` (kFewestBits to kMaxBits) bits of the word, from `shift` on.
  static LaneStep dice(std::size_t place, int shift, int bits) {
    return LaneStep(place, static_cast<std::uint32_t>(64 - bits - shift), static_cast<std::uint32_t>(kMaxBits - bits));
  }
  static LaneStep rest(std::size_t place, Rest kind) { return LaneStep(place, static_cast<std::uint32_t>(kind), 7); }
  /// A number stored in a table.
  static LaneStep number(std::uint32_t n) {
    LaneStep out;
    out.code_ = n;
    return out;
  }
  std::uint32_t number() const { return code_; }

  bool known() const { return code_ != kUnknown; }
  bool rests() const { return code_ >> kRightAt == (kUnknown >> kRightAt | 7u); }
  bool ended() const { return (code_ & ~kPlace) == kEnded; }
  Rest why() const { return static_cast<Rest>(code_ & kLeft); }
  std::size_t place() const { return (code_ & kPlace) / (kPlaceUnit / kUnit); }
  /// Shifts left first, so that the selecting bits are the highest, then right by 56 to 63: the highest bit of the code
  /// is always set.
  std::size_t chosen(std::uint64_t word) const {
    return static_cast<std::size_t>(word << (code_ & kLeft) >> (static_cast<std::int32_t>(code_) >> kRightAt & 63));
  }
  LaneStep next(const LaneStep* tables, std::uint64_t word) const {
    return (tables + (code_ & kPlace) / (kPlaceUnit / kUnit))[chosen(word)];
  }

  // The layout of the code, for vector code. From the lowest bit: 6 bits of the left shift, 22 of the place, 3 of the
  // right shift, and a 1.
  static constexpr std::uint32_t kUnknown = 0x80000000u, kLeft = 63, kPlace = 0x0fffffc0u, kPlaceUnit = 64;
  static constexpr int kRightAt = 28;
  static constexpr std::uint32_t kEnded = kUnknown | 7u << kRightAt | static_cast<std::uint32_t>(Rest::End);

 private:
  LaneStep(std::size_t place, std::uint32_t left, std::uint32_t right)
      : code_(kUnknown | right << kRightAt | static_cast<std::uint32_t>(place / kUnit * kPlaceUnit) | left) {
    if (place >= kMaxEntries) throw std::length_error("the lane kernel has too many positions");
  }
  std::uint32_t code_ = kUnknown;
};

}  // namespace salvo::sample
