// Volley: attacks of many attackers on many defenders, with the work on each side done once.
// In: plans in which one ship is attacked, each attacker once. Out: the distribution of damage of every combination.
//
// Why it is allowed: where players only spend tokens (TokenPlan), with the objective damage, an attack meets its other
// side in few numbers. The defender sees how many results it has to cancel and which tokens it has; the attacker sees
// how much each number of results is worth. So the defender's play is solved once for each number of results, the
// attacker's choices are made against those values, and what follows is known by the defender's tokens alone. Ties are
// broken as in solve.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "exact/token_game.h"
#include "rules/plan.h"

namespace salvo::exact {

inline constexpr int kMostVolleyDice = 12;

/// The dice and tokens of one attacker.
struct AttackSide {
  int dice = 0;
  bool mine = true, holds = false, lock = false;
  std::uint64_t lock_key = 0;
  Rolls rolls;
  Faces face{};
  /// Ways to spend with so many focus and blank results, most preferred first.
  struct Way {
    std::uint8_t changed = 0;
    std::uint64_t key = 0;
  };
  std::vector<Way> ways;
  std::vector<int> first;  ///< by focus * (dice + 1) + blank, and one more
};

/// The dice and tokens of the defender in each attack.
struct DefenseSide {
  struct Attack {
    TokenAttack tokens;  ///< the defender's box and the rule of reinforcement
    Rolls rolls;
    int reinforce = 0;
  };
  std::vector<Attack> attacks;
  int start = 0;  ///< number of the box in the first attack
  bool holds = false, destructible = false;
  int hull = 0, shields = 0;
};

/// What is still to come, by the number of the defender's box: mean damage and its distribution.
struct Rest {
  std::vector<double> value;
  std::vector<double> damage;  ///< [number][damage], `width` each
  std::size_t width = 1;
};

/// What each number of results is worth against the defender with one number of its box.
struct AnswerValues {
  std::array<double, kMostVolleyDice + 1> value{};
  std::vector<double> damage;  ///< [results][damage], `width` each
  std::size_t width = 1;
};

/// The sides of a plan, or nothing when it is of another kind: an attacker that attacks twice or defends, other
/// objectives, cards that do more than token play.
struct Volley {
  std::vector<AttackSide> attackers;  ///< by attack
  DefenseSide defender;
};
std::optional<Volley> volley_of(const Plan& plan);

/// The defender's play in attack k against up to `most` results. `rest`: what follows, or null after the last attack.
AnswerValues defend(const DefenseSide& defender, std::size_t k, int number, int most, const Rest* rest);

/// Distribution of damage when the attacker plays against these values; at the end its mean, unless null.
std::vector<double> attack(const AttackSide& attacker, const AnswerValues& answers, double* value);

/// What attack k and those after it do, for every number of the defender's box.
Rest rest_of_volley(const AttackSide& attacker, const DefenseSide& defender, std::size_t k, const Rest* rest);

}  // namespace salvo::exact
