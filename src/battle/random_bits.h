// The random bits of the sampled battle, by battle, round and slot (rules.h); sample.h has their addresses.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/philox.h"
#include "battle/game.h"

namespace salvo::battle {

/// Which blocks of bits the rounds of a battle read. Those that nearly all battles read are generated together.
class RandomPlan {
 public:
  RandomPlan(const Game& game, std::uint64_t seed);
  /// The blocks of a round that the present ships read: a bit for each block from the first of the round on.
  std::uint64_t blocks(int round, const PresentShips& here) const {
    const OfRound& of = rounds_[at(round)];
    std::uint64_t out = 0;
    here.each([&](int s) { out |= of.ship[at(s)]; });
    for (int m = 0; m < here.mine; ++m) {
      for (int t = 0; t < here.theirs; ++t)
        out |= of.pair[at(game_.pair_of(here.my_ships[at(m)], here.his_ships[at(t)]))];
    }
    return out;
  }
  /// The blocks that all ships read.
  std::uint64_t blocks(int round) const { return rounds_[at(round)].all; }

 private:
  friend class RandomBits;
  struct OfRound {
    std::uint32_t slot = 0, block = 0;  ///< the first ones of the round
    std::array<std::uint64_t, kMaxShips> ship{};
    std::array<std::uint64_t, kMaxPairs> pair{};
    std::uint64_t all = 0;
  };
  const Game& game_;
  std::uint32_t slots_;
  base::PhiloxKey key_;
  std::vector<OfRound> rounds_;
};

/// The Chance of sampling (rules.h): the bits of a round of a battle.
class RandomBits {
 public:
  /// `blocks`: those to generate now.
  void begin_round(const RandomPlan& plan, std::uint64_t battle, int round, std::uint64_t blocks);
  bool percent(int slot, int of_hundred) {
    if (of_hundred <= 0 || of_hundred >= 100) return of_hundred > 0;
    return static_cast<int>((of(slot) >> 32) * 100 >> 32) < of_hundred;
  }
  std::size_t pick(int slot, const GeometryDistribution& cases) {
    return cases.list.size() == 1 ? 0 : cases.alias.pick(of(slot));
  }
  const Outcome& attack(int slot, const AttackKey& /*key*/, const Outcomes& outcomes) {
    return outcomes.draw.pick(of(slot));
  }
  std::uint64_t of(int slot) {
    const std::uint32_t n = slot_ + static_cast<std::uint32_t>(slot), place = n / 2 - block_;
    if ((known_ >> place & 1) == 0) make(place);
    return static_cast<std::uint64_t>(words_[place][n % 2 * 2]) << 32 | words_[place][n % 2 * 2 + 1];
  }

 private:
  void make(std::uint32_t place);

  /// Blocks of a round: two slots each.
  static constexpr std::size_t kBlocks = (1 + 3 * kMaxShips + kMaxPairs) / 2 + 1;
  static_assert(kBlocks <= 64);
  std::uint32_t slot_ = 0, block_ = 0;
  base::PhiloxKey key_{};
  std::uint64_t battle_ = 0, known_ = 0;  ///< `known_`: a bit for each block that was generated
  std::array<base::PhiloxCounter, kBlocks> words_;
};

}  // namespace salvo::battle
