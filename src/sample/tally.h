// Tally: what the sampling engine counts, in integers, so that a sum does not depend on its order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game/distribution.h"

namespace salvo::game {
struct Plan;
}

namespace salvo::sample {

/// 10^15 trials of figures up to some hundreds: squares need more than 64 bits.
__extension__ using Wide = unsigned __int128;

/// Sum and sum of squares of an integer figure.
struct Moments {
  std::uint64_t sum = 0;
  Wide squares = 0;
  void add(std::uint64_t x) {
    sum += x;
    squares += Wide{x} * x;
  }
  void merge(const Moments& other) {
    sum += other.sum;
    squares += other.squares;
  }
  bool operator==(const Moments&) const = default;
};

/// Counts of one ship: trials by total hits and crits.
struct ShipTally {
  int width = 1;  ///< hits and crits that have a place run from 0 to width - 1
  std::vector<std::uint64_t> joint = {0};
  std::vector<std::uint64_t>
      damage;      ///< trials by damage, where other effects than attacks damage the ship; else empty
  Moments faceup;  ///< damage cards dealt faceup

  /// Trials with so many hits and crits; the table grows where it has no place for them, since hundreds of attacks on
  /// one ship hardly ever do all that they could. The reference holds until the next call.
  std::uint64_t& count(std::size_t hits, std::size_t crits) {
    const auto need = static_cast<int>(hits > crits ? hits : crits) + 1;
    if (need > width) grow(need > 2 * width ? need : 2 * width);
    return joint[hits * static_cast<std::size_t>(width) + crits];
  }
  /// Makes place for hits and crits below `least`, no more.
  void grow(int least);
  void merge_joint(const ShipTally& other);
  /// Whether the counts are the same, however large the tables are.
  bool operator==(const ShipTally&) const;
};

struct AttackTally {
  std::uint64_t happens = 0, hits_at_all = 0;
  Moments attack_dice, defense_dice, hits, crits;
  bool operator==(const AttackTally&) const = default;
};

/// All counts of a run; tallies of disjoint trials are merged by adding.
struct Tally {
  std::uint64_t trials = 0;
  std::vector<ShipTally> ships;
  std::vector<AttackTally> attacks;
  std::vector<Moments> resources;                   ///< left at the end, by resource
  std::vector<std::vector<std::uint64_t>> numbers;  ///< trials by number left, by resource with has_distribution()
  Moments mine, theirs;                             ///< gain of each side: damage, kills or health removed
  Wide mixed = 0;                                   ///< sum of mine times theirs

  Tally() = default;
  explicit Tally(const game::Plan& plan);
  void merge(const Tally& other);
  /// Sets what was not asked for to zero.
  void forget(bool tokens, bool of_attacks);
  bool operator==(const Tally&) const = default;
  /// All counts in decimal, with blanks between them and "0*9" for nine zeros, in an order that the plan gives.
  std::string text() const;
  /// Throws std::invalid_argument for a text that text() does not write for this plan.
  static Tally of_text(const game::Plan& plan, std::string_view text);
  /// Probabilities, means and standard errors.
  game::Distribution distribution(const game::Plan& plan) const;
};

}  // namespace salvo::sample
