// The exact engine of battles under given policies: a Markov chain of rounds in which every outcome is followed.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "battle/game.h"

namespace salvo::battle {

/// Exact probabilities and means.
struct ExactBattle {
  double win = 0, draw = 0, loss = 0;
  std::map<std::pair<int, int>, double> points;      ///< mine and theirs earned
  std::vector<double> rounds;                        ///< the battle has exactly k rounds
  std::vector<std::array<double, kMaxShips>> alive;  ///< by round
  std::array<double, kMaxShips> survives{}, last{}, shots{}, done{}, taken{}, earned{};
  /// By result (1, 0, -1), rounds and points of both sides, for the G-test of a sample.
  std::map<std::array<int, 4>, double> ends;
  double followed = 0;  ///< distinct transitions
  double work = 0;      ///< as ExactBudget
};

/// Adds a battle that is over after `rounds` rounds, with probability p.
void finish(const Game& game, const BattleState& now, int rounds, double p, ExactBattle& out);

/// What the exact engine may take. Both are counted, so that every machine gives up on the same battles.
struct ExactBudget {
  double outcomes = 0;  ///< distinct ones, which take memory
  double work = 0;      ///< outcomes, those included that lead to a known position: they take time
};

/// Throws PlanTooLarge when the battle takes more than the budget.
ExactBattle play_exactly(const Game& game, const ExactBudget& budget);

}  // namespace salvo::battle
