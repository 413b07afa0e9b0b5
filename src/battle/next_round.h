// What an attack leaves for the next round, for the policy `sound`.
#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>

#include "battle/game.h"

namespace salvo::battle {

/// The next round between two ships, after attacks of one on the other. Short-lived: keeps references.
class Game::NextRound {
 public:
  /// `before`: what the attacker had before its attack, or before its action.
  NextRound(const Game& game, const BattleState& now, const ShipState& before, int by, int on);

  /// In damage to the target: by how much better the round is with the lock and the tokens that an attack leaves its
  /// attacker than with those that it had before, if the target survives.
  double gain(const Outcomes& outcomes);

 private:
  struct Known {
    int state;
    bool lock;
    int left;
    double worth;
  };
  double worth(int state, bool lock, int left);
  BattleState begin() const;

  const Game& game_;
  const BattleState& now_;
  int by_, on_;
  int ended_;                                        ///< the state of the attacker, had it not attacked
  bool had_lock_;                                    ///< on the target
  std::optional<BattleState> then_;                  ///< the start of the round, once needed
  boost::container::small_vector<Known, 16> known_;  ///< outcomes differ in few of these
};

}  // namespace salvo::battle
