// What the sampling engine counts. All counts are integers, so a sum does not depend on its order.
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

/// 10^15 trials with values up to some hundreds: sums of squares need more than 64 bits.
__extension__ using Wide = unsigned __int128;

/// Sum and sum of squares of an integer quantity.
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
  int width = 1;  ///< the table holds hits and crits from 0 to width - 1
  std::vector<std::uint64_t> joint = {0};
  std::vector<std::uint64_t> damage;  ///< trials by damage if effects damage the ship, too; else empty
  Moments faceup;                     ///< damage cards dealt faceup

  /// Trials with this many hits and crits. The table grows on demand, since even hundreds of attacks on one ship hardly
  /// ever all do their worst. The reference is valid until the next call.
  std::uint64_t& count(std::size_t hits, std::size_t crits) {
    const auto need = static_cast<int>(hits > crits ? hits : crits) + 1;
    if (need > width) grow(need > 2 * width ? need : 2 * width);
    return joint[hits * static_cast<std::size_t>(width) + crits];
  }
  /// Makes room for hits and crits below `least`, no more.
  void grow(int least);
  void merge_joint(const ShipTally& other);
  /// Compares counts; table sizes may differ.
  bool operator==(const ShipTally&) const;
};

struct AttackTally {
  std::uint64_t happens = 0, hits_at_all = 0;
  Moments attack_dice, defense_dice, hits, crits;
  bool operator==(const AttackTally&) const = default;
};

/// All counts of a run. Tallies of disjoint trials are merged by adding.
struct Tally {
  std::uint64_t trials = 0;
  std::vector<ShipTally> ships;
  std::vector<AttackTally> attacks;
  std::vector<Moments> resources;  ///< left at the end, by resource
  std::vector<std::vector<std::uint64_t>>
      numbers;           ///< trials by number left; filled for resources with has_distribution()
  Moments mine, theirs;  ///< payoff of each side: damage, kills or health removed
  Wide mixed = 0;        ///< sum of mine times theirs

  Tally() = default;
  explicit Tally(const game::Plan& plan);
  void merge(const Tally& other);
  /// Zeroes the counts that were not wanted.
  void forget(bool tokens, bool of_attacks);
  bool operator==(const Tally&) const = default;
  /// All counts in decimal, separated by blanks, with "0*9" for nine zeros, in an order that the plan determines.
  std::string text() const;
  /// Throws std::invalid_argument for a text that text() could not have written for this plan.
  static Tally of_text(const game::Plan& plan, std::string_view text);
  /// Probabilities, means and standard errors.
  game::Distribution distribution(const game::Plan& plan) const;
};

}  // namespace salvo::sample
