// Solves every combination of many attackers and many defenders, doing the work of each side once. In: plans in which
// one ship is attacked, once by each attacker. Out: the distribution of damage.
//
// Why it is allowed: if players only spend tokens (TokenPlan), the two sides of an attack meet in few numbers. The
// defender sees how many results it has to cancel; the attacker sees what each number of results is worth. So the
// defender's answers are solved once for each number of results, the attacker chooses against their values, and what
// follows depends on the defender's tokens (and health) alone. Ties are broken as in solve.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "exact/tables/token_game.h"
#include "game/plan.h"

namespace salvo::exact {

inline constexpr int kMaxMatrixDice = 12;

/// The dice and tokens of one attacker.
struct AttackSide {
  int dice = 0;
  bool mine = true, lock = false;
  game::PolicyKind policy = game::PolicyKind::Optimal;
  std::uint64_t lock_key = 0;
  Rolls rolls;
  Faces face{};
  /// What a spend of tokens does to a roll.
  struct SpendOption {
    std::uint8_t changed = 0;
    std::uint64_t key = 0;
  };
  std::vector<SpendOption> options;
  std::vector<int> first;  ///< by focus * (dice + 1) + blank: the first option, most preferred first; and the end
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
  bool alone = false;  ///< a role is greedy: choices look at each attack alone
  bool kill = false;   ///< Objective::Kill: states include the health
  bool destructible = false;
  int hull = 0, shields = 0;
  int start = 0;  ///< the state in which the first attack begins

  /// States between attacks: the number of the box and, for Objective::Kill, the health (kGone, or kHealthZero + what
  /// is left).
  int numbers() const { return attacks[0].tokens.defender_box.size; }
  int states() const { return numbers() * (kill ? game::kHealthZero + hull + shields + 1 : 1); }
  int state(int number, int health) const { return number + (kill ? numbers() * health : 0); }
  int number_of(int state) const { return state % numbers(); }
  int health_of(int state) const { return state / numbers(); }
};

/// The later attacks, by the defender's state before them: their value to the attackers and the distribution of damage.
struct Rest {
  std::vector<Value> value;
  std::vector<double> damage;  ///< [state][damage], `width` each
  std::size_t width = 1;
};

/// By number of results, against the defender in one state: the value to the attacker and the distribution of damage.
struct AnswerValues {
  std::array<Value, kMaxMatrixDice + 1> value{};  ///< of this attack alone if a role is greedy
  bool kill = false;                              ///< Objective::Kill
  std::vector<double> damage;                     ///< [results][damage], `width` each
  std::size_t width = 1;
};

/// The two sides of a plan. Nothing for plans of another kind: an attacker that attacks twice or defends, an objective
/// other than damage and kill, or cards that do more than spend tokens.
struct AttackMatrix {
  std::vector<AttackSide> attackers;  ///< by attack
  DefenseSide defender;
};
std::optional<AttackMatrix> attack_matrix_of(const game::Plan& plan);

/// The defender's answers in attack k to up to `most` results. `rest`: the later attacks, or null.
AnswerValues defend(const DefenseSide& defender, std::size_t k, int state, int most, const Rest* rest);

/// The distribution of damage when the attacker plays against these answers. Sets *value unless null.
std::vector<double> attack(const AttackSide& attacker, const AnswerValues& answers, Value* value);

/// Attack k and the later ones, for every state of the defender.
Rest rest_of_matrix(const AttackSide& attacker, const DefenseSide& defender, std::size_t k, const Rest* rest);

}  // namespace salvo::exact
