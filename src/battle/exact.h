// The exact engine of battles: the chain of rounds under given policies, every outcome followed.
// In: a Game. Out: the distribution of everything that is told about the battle.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "battle/game.h"

namespace salvo::battle {

/// Chances and means, exact.
struct ExactBattle {
  double win = 0, draw = 0, loss = 0;
  std::map<std::pair<int, int>, double> points;      ///< mine and theirs
  std::vector<double> rounds;                        ///< exactly k
  std::vector<std::array<double, kMaxShips>> alive;  ///< by round
  std::array<double, kMaxShips> survives{}, last{}, shots{}, done{}, taken{}, earned{};
  /// By result (win, draw, loss), rounds and points of both: what a sample is tested against.
  std::map<std::array<int, 4>, double> ends;
  double followed = 0;  ///< outcomes
};

/// Adds a battle that is over after `rounds` rounds, with its chance.
void finish(const Game& game, const BattleState& now, int rounds, double p, ExactBattle& out);

/// Throws PlanTooLarge when more than `budget` outcomes have to be followed.
ExactBattle play_exactly(const Game& game, double budget);

}  // namespace salvo::battle
