// The sampled battle: many battles, each determined by its number and the seed alone, counted in integers.
//
// Random bits: those of battle b, round r and slot k (rules.h) are two words of philox4x32-10 with the key `seed`. With
// n = r * slots + k they are the first two words of the block {b low, b high, n / 2, kBattleStream} for even n, else
// the last two. Damage cards read the block {b low, b high, n, kCardStream}: cards that act as a ship engages its first
// two words, cards dealt after the dice of an attack the last two. The reference mode reads blocks of its own streams,
// so that it shares no bit with the tables.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "battle/game.h"
#include "sample/tally.h"

namespace salvo::battle {

inline constexpr std::uint32_t kBattleStream = 1u << 28, kReferenceStream = kBattleStream + 1,
                               kDiceStream = kBattleStream + 2, kCardStream = kBattleStream + 3;

/// Counts of many battles.
struct BattleTally {
  struct OfShip {
    std::uint64_t survives = 0, last = 0;
    sample::Moments shots, done, taken, earned;
    std::array<std::uint64_t, kMaxBattleRounds + 1>
        alive{};  ///< after each round; the last count of a battle holds for all later rounds
    bool operator==(const OfShip&) const = default;
  };
  std::uint64_t battles = 0;
  std::array<OfShip, kMaxShips> ships{};
  sample::Moments mine, theirs, rounds;              ///< points, rounds
  std::map<std::array<int, 4>, std::uint64_t> ends;  ///< by result, rounds, my points, their points
  std::uint64_t with_result(int result) const;
  void merge(const BattleTally& other);
};

/// A single battle.
struct PlayedBattle {
  BattleState now;  ///< at the end
  std::array<int, kMaxShips> shots{}, done{}, taken{}, earned{};
  std::array<std::uint8_t, kMaxShips> lived{};  ///< rounds that it survived
  void count(const AttackResult& shot);
};

class ReferenceDice;  // reference.h

struct SampleOptions {
  std::uint64_t seed = 1;
  int threads = 0;                                   ///< 0: all cores
  ReferenceDice* dice = nullptr;                     ///< not null: roll every die
  std::function<bool(std::uint64_t done)> progress;  ///< returns false to stop
};

/// Plays the battles first <= b < last. The result does not depend on the number of threads. `results`, unless null,
/// receives for each battle 2 for a win, 1 for a draw, 0 for a loss.
BattleTally play_many(const Game& game, std::uint64_t first, std::uint64_t last, const SampleOptions& options,
                      std::vector<std::uint8_t>* results = nullptr);

}  // namespace salvo::battle
