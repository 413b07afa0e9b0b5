// The sampled battle: many battles, each from its number and the seed alone.
// In: a Game. Out: what they came to, counted in integers.
//
// Random bits: those of battle b, round r and slot k (game.h) are two words of philox4x32-10 with the key `seed`: with
// n = r * slots + k, of the block {b low, b high, n / 2, kBattleStream} the first two for even n, else the last two.
// Damage cards read the block {b low, b high, n, kCardStream}: those that act as a ship engages the first two words,
// those that are dealt after the dice of its attack the last two.
// The plain mode reads blocks of streams of its own, so that it shares no bit with the other.
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

/// What battles came to.
struct BattleTally {
  struct OfShip {
    std::uint64_t survives = 0, last = 0;
    sample::Moments shots, done, taken, earned;
    std::array<std::uint64_t, kMaxBattleRounds + 1>
        alive{};  ///< by round; the last of a battle stands for all after it
    bool operator==(const OfShip&) const = default;
  };
  std::uint64_t battles = 0;
  std::array<OfShip, kMaxShips> ships{};
  sample::Moments mine, theirs, rounds;              ///< points, rounds
  std::map<std::array<int, 4>, std::uint64_t> ends;  ///< by result, rounds, points of mine and theirs
  std::uint64_t with_result(int result) const;
  void merge(const BattleTally& other);
};

/// One battle that was played.
struct PlayedBattle {
  BattleState now;  ///< at its end
  std::array<int, kMaxShips> shots{}, done{}, taken{}, earned{};
  std::array<std::uint8_t, kMaxShips> lived{};  ///< rounds after which it was still there
  void count(const AttackResult& shot);
};

/// Plays battle `number`.
PlayedBattle play_one(const Game& game, std::uint64_t seed, std::uint64_t number);

class ReferenceDice;  // plain.h

struct SampleOptions {
  std::uint64_t seed = 1;
  int threads = 0;                                   ///< 0: all cores
  ReferenceDice* dice = nullptr;                         ///< not null: every die is rolled
  std::function<bool(std::uint64_t done)> progress;  ///< false: stop
};

/// Plays the battles first <= b < last. Which threads play them changes nothing. `results`: where not null, by battle
/// 2 for a win, 1 for a draw, 0 for a loss.
BattleTally play_many(const Game& game, std::uint64_t first, std::uint64_t last, const SampleOptions& options,
                      std::vector<std::uint8_t>* results = nullptr);

}  // namespace salvo::battle
