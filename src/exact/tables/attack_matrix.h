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

#include "exact/tables/token_game.h"
#include "game/plan.h"

namespace salvo::exact {

inline constexpr int kMaxVolleyDice = 12;

/// The dice and tokens of one attacker.
struct AttackSide {
  int dice = 0;
  bool mine = true, lock = false;
  game::PolicyKind policy = game::PolicyKind::Optimal;
  std::uint64_t lock_key = 0;
  Rolls rolls;
  Faces face{};
  /// Ways to spend with so many focus and blank results, most preferred first.
  struct SpendOption {
    std::uint8_t changed = 0;
    std::uint64_t key = 0;
  };
  std::vector<SpendOption> options;
  std::vector<int> first;  ///< by focus * (dice + 1) + blank, and one more
};

/// The dice and tokens of the defender in each attack.
struct DefenseSide {
  struct Attack {
    TokenAttack tokens;  ///< the defender's box and the rule of reinforcement
    Rolls rolls;
    int reinforce = 0;
    bool leaves = false;  ///< a destroyed defender leaves play after this attack
  };
  std::vector<Attack> attacks;
  game::PolicyKind policy = game::PolicyKind::Optimal;
  bool alone = false;  ///< a role is greedy: choices are those of each attack alone
  bool kill = false;   ///< Objective::Kill: states have the health
  bool destructible = false;
  int hull = 0, shields = 0;
  int start = 0;  ///< the state in which the first attack begins

  /// States between attacks: the number of the box, and the health (kGone, or kHealthZero + what is left) where it
  /// counts.
  int numbers() const { return attacks[0].tokens.defender_box.size; }
  int states() const { return numbers() * (kill ? game::kHealthZero + hull + shields + 1 : 1); }
  int state(int number, int health) const { return number + (kill ? numbers() * health : 0); }
  int number_of(int state) const { return state % numbers(); }
  int health_of(int state) const { return state / numbers(); }
};

/// What is still to come, by the defender's state: its value, seen by the attackers, and the distribution of damage.
struct Rest {
  std::vector<Value> value;
  std::vector<double> damage;  ///< [state][damage], `width` each
  std::size_t width = 1;
};

/// What each number of results is worth to the attacker against the defender in one state, and what it does.
struct AnswerValues {
  std::array<Value, kMaxVolleyDice + 1> value{};  ///< of this attack alone, where choices are made so
  bool kill = false;                              ///< Objective::Kill
  std::vector<double> damage;                     ///< [results][damage], `width` each
  std::size_t width = 1;
};

/// The sides of a plan, or nothing when it is of another kind: an attacker that attacks twice or defends, an objective
/// other than damage and kill, cards that do more than token play.
struct Volley {
  std::vector<AttackSide> attackers;  ///< by attack
  DefenseSide defender;
};
std::optional<Volley> volley_of(const game::Plan& plan);

/// The defender's play in attack k against up to `most` results. `rest`: what follows, or null after the last attack.
AnswerValues defend(const DefenseSide& defender, std::size_t k, int state, int most, const Rest* rest);

/// Distribution of damage when the attacker plays against these values; and the mean of these, unless null.
std::vector<double> attack(const AttackSide& attacker, const AnswerValues& answers, Value* value);

/// What attack k and those after it do, for every state of the defender.
Rest rest_of_volley(const AttackSide& attacker, const DefenseSide& defender, std::size_t k, const Rest* rest);

}  // namespace salvo::exact
