// Records the actions of players in a window, from the tables of their decisions.
#pragma once

#include <vector>

#include "sample/bitsliced/decision_logic.h"
#include "sample/bitsliced/decisions.h"
#include "sample/bitsliced/effect_recorder.h"

namespace salvo::sample {

class WindowRecorder {
 public:
  WindowRecorder(const Setup& setup, const std::vector<AttackDecisions>& decisions, Logic& logic, SymbolicPosition& at,
                 const Conditions& conditions, const StepFlow& flow, EffectRecorder& effects)
      : plan_(setup.plan),
        decisions_(decisions),
        logic_(logic),
        at_(at),
        conditions_(conditions),
        flow_(flow),
        effects_(effects) {}

  void record(const game::Step& step);

 private:
  using Table = std::vector<Decision>;
  /// An effect that players use at place `slot` of their decisions, wherever the condition holds.
  struct Use {
    const game::Effect* effect = nullptr;
    Bit condition;
    bool last = false;  ///< the player does nothing more in this window
    std::vector<ChosenDice> chosen;
  };
  /// One operation of such an effect.
  struct UsedOperation {
    std::size_t slot = 0;
    int effect = 0;
    const game::Operation* operation = nullptr;
    bool unmarked = false;  ///< whether dice were rerolled does not matter
  };

  void forget_marks(Bit condition);
  Bit act_on(const Table& table, Bit active);
  std::vector<Use> uses_at(std::size_t slot, const Table& table, const DecisionLogic& learner, Bit active);
  bool can_defer(const game::Step& step) const;
  std::vector<ChosenDice> chosen_dice(const DecisionLogic& learner, const Table& table, const UsedOperation& use);
  void add_features(DecisionLogic& learner, const Table& table) const;

  const game::Plan& plan_;
  const std::vector<AttackDecisions>& decisions_;
  Logic& logic_;
  SymbolicPosition& at_;
  const Conditions& conditions_;
  const StepFlow& flow_;
  EffectRecorder& effects_;
};

}  // namespace salvo::sample
