// Interleaves battles on one thread, so that the table lookups of one battle are prefetched while the others run. Each
// battle ends as if it had been played alone.
#pragma once

#include <array>
#include <cstdint>

#include "battle/game.h"
#include "battle/random_bits.h"
#include "battle/sample.h"

namespace salvo::battle {

class Batch {
 public:
  Batch(const Game& game, std::uint64_t seed);

  /// Calls ended(b, played) for the battles first <= b < last, in any order.
  template <typename Ended>
  void play(std::uint64_t first, std::uint64_t last, const Ended& ended) {
    next_ = first;
    last_ = last;
    lanes_ = 0;
    while (lanes_ < kLanes && begin(lane_[lanes_])) ++lanes_;
    while (lanes_ > 0) {
      play_round();
      for (std::size_t l = lanes_; l-- > 0;) {
        Lane& lane = lane_[l];
        if (!game_.over(lane.played.now)) continue;
        ended(lane.battle, lane.played);
        if (begin(lane)) continue;
        --lanes_;
        if (l < lanes_) lane = lane_[lanes_];
      }
    }
  }

 private:
  /// Enough battles that a prefetch completes before its result is read, few enough that all stay in the L1 cache.
  static constexpr std::size_t kLanes = 16;
  /// A battle in progress.
  struct Lane {
    PlayedBattle played;
    std::uint64_t battle = 0;
    RandomBits bits;
    PresentShips here;
    FiringLines firing;
    bool stale = true;  ///< a ship was removed since `here` and `firing` were computed
    // The ship that acts.
    int ship = 0;
    bool focus_only = false;
    ActionScores scores;
    Weights weights;
    Game::TargetSearch search;
    std::uint64_t random = 0;  ///< for its attack
    const Outcome* outcome = nullptr;
    bool destroyed = false;  ///< a ship was destroyed since the last removal
  };

  bool begin(Lane& lane);
  void play_round();
  /// `kWidth`: at least the most options of a ship.
  template <std::size_t kWidth>
  void activate(int place);
  void engage(int place);
  /// Calls work(number, lane) for all listed lanes.
  template <typename Work>
  void each(const Work& work) {
    for (std::size_t i = 0; i < listed_; ++i) work(list_[i], lane_[list_[i]]);
  }
  /// Lists the lanes for which listed(lane), without a branch.
  template <typename Listed>
  void list_of_all(const Listed& listed);
  template <typename Listed>
  void list_of_listed(const Listed& listed);

  const Game& game_;
  RandomPlan random_;
  EvaluationTables evaluations_;
  BattleState start_;
  std::uint64_t next_ = 0, last_ = 0;
  std::array<Lane, kLanes> lane_;
  std::size_t lanes_ = 0;
  std::array<std::uint8_t, kLanes + 1> list_;
  std::size_t listed_ = 0;
};

}  // namespace salvo::battle
