// Battles in which one or both sides play optimally: they decide every action, target and token by its consequences.
//
// A round is a game of perfect information, one ship after the other, solved by backward induction over actions,
// attacks (trees with all decisions in them) and rounds. `optimal` maximizes the chance to win, a draw counted half;
// `best` the points at the end of the engagement, those of each ship by the share of its health that is lost.
#pragma once

#include <vector>

#include "battle/exact.h"
#include "battle/play_graph.h"

namespace salvo::battle {

struct OptimalBattle {
  ExactBattle battle;
  BattleBounds bounds;
  std::vector<BattlePosition> positions;
};

/// Throws PlanTooLarge. The number of threads changes no figure.
OptimalBattle play_optimally(const Game& game, const PlayBudget& budget, int threads);

/// The same without bounds and positions. A side plays as if both played optimally (`game`), even if the other has a
/// policy in the battle as it was `asked`; null: none has. The budget is for the graph with the choices of policies.
ExactBattle play_equilibrium(const Game& game, const Game* asked, const PlayBudget& budget, int threads);

}  // namespace salvo::battle
