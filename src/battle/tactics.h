// Tactics: what ships do in a round of a play that was solved, in words for a player.
// In: the chances of actions, weapons and outcomes, as they come. Out: BattleTactic.
#pragma once

#include <array>
#include <map>
#include <string>

#include "battle/game.h"

namespace salvo::battle {

/// "focus", "lock (darthvader)" where there are several enemies.
std::string action_words(const Game& game, int s, const Action& action);
/// "protontorpedoes", with the target where there are several enemies.
std::string weapon_words(const Game& game, int s, const ChosenAttack& choice);

/// What was seen of the ships in a round: by words how often, or how many on average.
struct TacticTally {
  struct OfShip {
    std::map<std::string, double> actions, weapons, attack_spends, defense_spends;
  };
  std::array<OfShip, kMaxShips> ships;

  /// What both ships spend in an attack that comes to `outcome`; p: how likely that is.
  void add_spent(const Game& game, const BattleState& now, int s, const ChosenAttack& choice, const Outcome& outcome, double p);
  /// Of a ship that has `state` at the start of the round; without health where it is gone.
  BattleTactic tactic(const Game& game, const BattleState& state, int s) const;
};

}  // namespace salvo::battle
