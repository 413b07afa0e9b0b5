// The actions of ships in a round of solved play, in words for a player.
#pragma once

#include <array>
#include <map>
#include <string>

#include "battle/game.h"

namespace salvo::battle {

/// "focus"; with several enemies "lock (darthvader)".
std::string action_words(const Game& game, int s, const Action& action);
/// "protontorpedoes"; with several enemies followed by the target.
std::string weapon_words(const Game& game, int s, int target, int weapon);

/// Collects the actions of ships in a round: by description, the frequency or the mean number.
struct TacticTally {
  struct OfShip {
    std::map<std::string, double> actions, weapons, attack_spends, defense_spends;
  };
  std::array<OfShip, kMaxShips> ships;

  /// Adds what both ships spend in an attack that ends in `outcome` with probability p.
  void add_spent(const Game& game, const BattleState& now, int s, int target, const Outcome& outcome, double p);
  /// The tactic of ship s in the round that begins in `state`; without health if the ship is gone.
  BattleTactic tactic(const Game& game, const BattleState& state, int s) const;
};

}  // namespace salvo::battle
