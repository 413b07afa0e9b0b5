// Battles in which one or both sides play optimally: they decide every action, target and token by its consequences.
//
// A round is a game of perfect information, one ship after the other, solved by backward induction over actions,
// attacks (trees with all decisions in them) and rounds. `optimal` maximizes the chance to win, a draw counted half;
// `best` the points at the end of the engagement, those of each ship by the share of its health that is lost.
#pragma once

#include <vector>

#include "battle/exact.h"

namespace salvo::battle {

struct OptimalBattle {
  ExactBattle battle;
  BattleBounds bounds;
  std::vector<BattlePosition> positions;
};

/// Throws PlanTooLarge when the battle has more than `budget` transitions, or an attack more than `attack_budget`. The
/// number of threads changes no figure.
OptimalBattle play_optimally(const Game& game, double budget, double attack_budget, int threads);

}  // namespace salvo::battle
