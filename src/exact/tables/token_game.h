// AttackGame in dense form, for plans in which players only spend tokens (TokenPlan): all choices are in arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "exact/attack_game.h"
#include "exact/tables/token_plan.h"

namespace salvo::exact {

using Numbers = boost::container::small_vector<int, 6>;

/// Splits the states in which an attack begins into the parts of the attacker, the defender, its health and the rest.
/// The number of a state is the sum of the shares of its parts, and so is that of the state after the attack.
struct StateParts {
  Numbers attacker;        ///< by attacker start: number in the attacker's box
  Numbers attacker_state;  ///< by attacker start: share of the state's number
  Numbers defender, defender_state;
  Numbers health, health_state;  ///< by health start: the defender's health resource; a single 0 if it has none
  boost::container::small_vector<Digit, 1> others;  ///< the other digits, strides as in the state's number
  int other_count = 1;
  Numbers next_attacker;  ///< by number in the attacker's box: share of the next state's number
  Numbers next_defender;
  int next_health_stride = 0;  ///< 0: the next states do not include the health
  bool leaves_when_destroyed = false;
  /// Numbers of a box with equal shares of the next state's number form a class.
  Numbers attacker_class;  ///< by number in the attacker's box
  Numbers class_offset;    ///< by class: its share of the next state's number
  Numbers defender_class;  ///< the same for the defender's box
  Numbers defender_class_offset;
};

/// One combination of the other digits: the dice that are rolled, and the shares of the states before and after.
struct OtherCase {
  game::Resources resources;  ///< with these digits, and the initial value of every other resource
  game::Resources after;      ///< after the attack, without spends and damage
  bool happens = true;        ///< whether the attacker is in play
  int attack_dice = 0, defense_dice = 0;
  int reinforce = 0;
  int next = 0;          ///< share of the next state's number
  int next_skipped = 0;  ///< the same if the attack does not happen
  int state = 0;         ///< share of the state's number
};

/// Choices in one OtherCase. A spend is an index into TokenBox::spends. Three dice and a token need no allocation, and
/// with these sizes a TokenGame just fits a size class of common allocators.
struct Choices {
  template <std::size_t kInPlace>
  using Numbered = boost::container::small_vector<std::uint16_t, kInPlace>;
  /// [defender start][health start][attacker start][success][focus]: 0: no reroll; else 1 + focus * 32 + blank, the
  /// numbers of dice that are not rerolled.
  Numbered<16> reroll;
  /// [defender start][health start][number in the attacker's box][success][focus]: spend.
  Numbered<32> attack;
  /// [class][results - 1][defender start][health start][roll]: spend.
  Numbered<32> defense;
};

struct TokenTable {
  StateParts parts;
  boost::container::small_vector<OtherCase, 1> cases;
  boost::container::small_vector<Choices, 1> choices;  ///< by case
  double gain_sign = 1;
};

/// The results that remain of `results` when the defender is reinforced.
inline int after_reinforce(const TokenAttack& attack, int reinforce, int results) {
  while (reinforce-- > 0 && results >= attack.reinforce_least) --results;
  return results;
}

/// The number of results that a spend changes in a roll; -1 if the roll does not allow all of it.
inline int changed(const Spend& spend, int focus, int blank) {
  if (spend.all > 0) return focus > 0 && spend.any <= blank ? focus + spend.any : -1;
  return spend.ones <= focus && spend.ones + spend.any <= focus + blank ? spend.ones + spend.any : -1;
}

/// Whether a number of a box has the tokens for a spend.
inline bool affordable(const TokenBox& box, int number, const Spend& spend) {
  for (std::size_t i = 0; i < box.digits.size(); ++i) {
    if (spend.n[i] > box.value(number, i)) return false;
  }
  return true;
}

/// The states and dice of attack k, without choices.
TokenTable prepare_table(const game::Plan& plan, const TokenPlan& tokens, std::size_t k);

class TokenGame final : public AttackGame {
 public:
  TokenGame(const game::Plan& plan, std::shared_ptr<const TokenPlan> tokens, std::size_t k)
      : tokens_(std::move(tokens)), k_(k), table_(prepare_table(plan, *tokens_, k)) {}

  std::vector<Value> solve(const game::Plan& plan, const std::vector<Value>& next) override;
  std::vector<Mass> flow(const game::Plan& plan, const std::vector<Mass>& now, Forward& forward) const override;
  void decide(const game::Plan& plan, const game::Resources& start, const game::Position& position,
              std::vector<game::Option>& options) const override;
  GameSize size() const override;
  /// The number of choices in its tables.
  double table_size() const;

 private:
  std::shared_ptr<const TokenPlan> tokens_;
  std::size_t k_;
  TokenTable table_;
  double evaluations_ = 0;  ///< options compared
};

}  // namespace salvo::exact
