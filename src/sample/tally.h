// Tally: what the sampling engine counts, in integers, so that a sum does not depend on its order.
#pragma once

#include <cstdint>
#include <vector>

#include "salvo/distribution.h"
#include "salvo/plan.h"

namespace salvo::sample {

/// Sum and sum of squares of an integer figure.
struct Moments {
  std::uint64_t sum = 0, squares = 0;
  void add(std::uint64_t x) {
    sum += x;
    squares += x * x;
  }
  void merge(const Moments& other) {
    sum += other.sum;
    squares += other.squares;
  }
};

/// Counts of one ship: sequences by total hits and crits.
struct ShipTally {
  int width = 1;  ///< crits run from 0 to width - 1
  std::vector<std::uint64_t> joint;
  std::vector<std::uint64_t>
      damage;  ///< sequences by damage, where other effects than attacks damage the ship; else empty
};

struct AttackTally {
  std::uint64_t happens = 0, hits_at_all = 0;
  Moments attack_dice, defense_dice, hits, crits;
};

/// All counts of a run; tallies of disjoint sequences are merged by adding.
struct Tally {
  std::uint64_t trials = 0;
  std::vector<ShipTally> ships;
  std::vector<AttackTally> attacks;
  std::vector<Moments> resources;  ///< left at the end, by resource
  Moments mine, theirs;            ///< gain of each side: damage, kills or health removed
  std::uint64_t mixed = 0;         ///< sum of mine times theirs

  Tally() = default;
  explicit Tally(const Plan& plan);
  void merge(const Tally& other);
  /// Probabilities, means and standard errors.
  Distribution distribution(const Plan& plan) const;
};

}  // namespace salvo::sample
