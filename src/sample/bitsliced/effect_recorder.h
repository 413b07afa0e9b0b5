// Records effects: costs, dice, tokens and damage.
#pragma once

#include <optional>
#include <vector>

#include "sample/bitsliced/conditions.h"
#include "sample/bitsliced/step_flow.h"
#include "sample/kernel.h"

namespace salvo::sample {

class EffectRecorder {
 public:
  EffectRecorder(const Setup& setup, Logic& logic, SymbolicPosition& at, const Conditions& conditions, StepFlow& flow)
      : setup_(setup), plan_(setup.plan), logic_(logic), at_(at), conditions_(conditions), flow_(flow) {}

  void apply_mandatory(const game::Effect& effect);
  /// Pays for an effect and performs it where the condition holds. Amounts are read before the effect changes anything,
  /// and again after its own roll. `chosen`: the dice that the player picks; null for a mandatory effect.
  void act(const game::Effect& effect, Bit condition, const std::vector<ChosenDice>* chosen);
  /// The same for a player's last action in a window, at place `slot` of the decision: changes of dice that are still
  /// tracked one by one are deferred until the window ends and only their numbers matter.
  void act_last(const game::Effect& effect, Bit condition, const std::vector<ChosenDice>& chosen, std::size_t slot);
  void apply_deferred();

  void suffer(int ship, const Number& damage, Bit condition);
  void change_resource(int index, const Number& delta, Bit condition);
  void set_resource(int index, const Number& after, Bit condition);

 private:
  std::vector<Number> amounts_of(const game::Effect& effect) const;
  void mark_used(const game::Effect& effect, Bit condition);
  void note(std::uint32_t bits, Bit condition);
  /// Notes the reroll of any of the chosen dice.
  void note_reroll(const game::Operation& reroll, Bit condition, const std::vector<ChosenDice>& chosen);
  void pay(const game::Costs& costs, Bit condition);
  void operate(const game::Operation& operation, const Number& amount, Bit condition,
               const std::vector<ChosenDice>* chosen);
  void roll_side(const game::Operation& operation, const Number& amount, Bit condition);
  void defer(const game::Operation& operation, Bit condition, const std::vector<ChosenDice>& chosen);
  const game::Resource& resource(int index) const { return base::nth(plan_.resources, index); }
  Number& value(int index) { return base::nth(at_.totals.resources, index); }

  const Setup& setup_;
  const game::Plan& plan_;
  Logic& logic_;
  SymbolicPosition& at_;
  const Conditions& conditions_;
  StepFlow& flow_;

  /// A change of dice to apply when they are only counted.
  struct Deferred {
    const game::Operation* operation = nullptr;
    std::size_t slot = 0;  ///< place of the effect in its player's decision
    Bit condition;
    std::vector<ChosenDice> chosen;
  };
  std::vector<Deferred> deferred_;
  std::optional<std::size_t> defer_at_;  ///< the slot whose changes of dice are deferred
};

}  // namespace salvo::sample
