// Conditions of rules and cards, and which options players have, as logic. Reads the position and changes nothing.
#pragma once

#include <vector>

#include "game/plan.h"
#include "sample/bitsliced/symbolic_position.h"

namespace salvo::sample {

class Conditions {
 public:
  Conditions(const game::Plan& plan, Logic& logic, const SymbolicPosition& at) : plan_(plan), logic_(logic), at_(at) {}

  Number evaluate(const game::Expression& expression, int if_empty) const;
  Bit holds(const game::Expression& expression) const { return nonzero(logic_, evaluate(expression, 1)); }
  Bit payable(const game::Costs& costs) const;
  Bit unused(const game::Effect& effect) const {
    return effect.used_bit < 0 ? Bit(true) : !base::nth(at_.used, effect.used_bit);
  }
  Number roll_size() const;
  Number results_left() const;
  /// The attack has its required tokens, so that no waiver is needed.
  Bit requirement_met() const;
  Bit attack_happens() const;
  Bit has_options(const game::Step& step) const;
  /// Whether a later reroll distinguishes rerolled dice from others.
  Bit marks_matter(bool attack_dice) const;

 private:
  Bit gone(int ship) const;
  Bit does_something(const game::Effect& effect) const;
  Bit may_be_payable(const game::Effect& effect) const;

  const game::Plan& plan_;
  Logic& logic_;
  const SymbolicPosition& at_;
};

}  // namespace salvo::sample
