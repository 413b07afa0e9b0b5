// Battles whose play is solved: one or both sides decide every action, target and token by what comes of it.
// In: a Game. Out: the value and everything that is told about the battle, and the play in the likeliest positions.
//
// A round is a game of perfect information, one ship after the other: backward induction over actions, attacks (trees
// with all decisions in them) and rounds. `optimal` decides for the chance to win, a draw counted half; `best` for the
// points at the end of the engagement, each ship's by the share of its health that is lost.
#pragma once

#include <vector>

#include "battle/exact.h"

namespace salvo::battle {

struct OptimalBattle {
  ExactBattle battle;
  BattleBounds bounds;
  std::vector<BattlePosition> positions;
};

/// Throws PlanTooLarge when more than `budget` ways have to be followed, or an attack needs more than `attack_budget`
/// transitions.
OptimalBattle play_optimally(const Game& game, double budget, double attack_budget);

}  // namespace salvo::battle
