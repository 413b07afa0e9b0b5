// The state of play in all trials at once: every number is a function of the random bits. It holds what game::Position
// and game::Resources hold in one trial.
#pragma once

#include <array>
#include <vector>

#include "base/index.h"
#include "game/plan.h"
#include "sample/bitsliced/symbolic_dice.h"

namespace salvo::sample {

inline constexpr std::size_t kUsedBits = 32;  ///< of Position::used

/// What lasts from attack to attack.
struct SymbolicTotals {
  std::vector<Number> resources;
  std::vector<Number> hits, crits, damage;  ///< by ship
  std::vector<Number> gained;               ///< by ship: payoff of the other side from hurting it
  std::vector<int> max_results;             ///< by ship: upper bound of hits plus crits
};

struct SymbolicPosition {
  SymbolicPosition(const game::Plan& plan, Logic& logic);
  /// Starts attack number `k` with the current resources.
  void begin_attack(const game::Plan& plan, std::size_t k);

  SymbolicDice& dice_of(bool of_attack) { return of_attack ? attack_dice : defense_dice; }
  const SymbolicDice& dice_of(bool of_attack) const { return of_attack ? attack_dice : defense_dice; }
  const Number& resource(int number) const { return base::nth(totals.resources, number); }

  SymbolicTotals totals;

  // Of the current attack:
  std::size_t index = 0, step = 0;
  const game::AttackPlan* attack = nullptr;
  std::vector<Number> start;  ///< resources with which it began
  SymbolicDice attack_dice, defense_dice;
  std::vector<Bit> used;  ///< by bit of Position::used
  Number dice, min_dice, max_dice;
  Number hits, crits;
  std::array<Number, game::kVictims> extra;           ///< damage from effects, by victim
  Number side_rolled;                                 ///< dice rolled outside both pools so far
  std::array<Number, base::kMaxFaces> side_counts{};  ///< of the current effect, by face
  Bit hit;
  Bit active;  ///< the trial is at this step: no jump has taken it to another one
};

}  // namespace salvo::sample
