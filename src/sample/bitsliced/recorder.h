// Plays a plan on logic, step by step as the reference kernel plays it on dice.
#pragma once

#include <vector>

#include "sample/bitsliced/effect_recorder.h"
#include "sample/bitsliced/window_recorder.h"

namespace salvo::sample {

/// What one attack did; zero in trials where it did not happen.
struct RecordedAttack {
  Bit happens = false, hits_at_all = false;
  Number attack_dice, defense_dice, hits, crits;
};

/// Throws UnsupportedByKernel for a plan with something that Recorder does not know. Check new plan features here
/// first: anything not rejected must be recorded.
void check_known(const game::Plan& plan);

class Recorder {
 public:
  Recorder(const Setup& setup, const std::vector<AttackDecisions>& decisions, Logic& logic);
  void record();

  /// The state at the end.
  const SymbolicTotals& totals() const { return at_.totals; }
  const std::vector<RecordedAttack>& attacks() const { return attacks_; }

 private:
  void record_attack(std::size_t k);
  void pay_for_attack();
  void play_steps();
  void play_step(const game::Step& step);
  void roll(bool attack_dice);
  void neutralize();
  void deal_damage();
  void restore_where_absent(Bit happens, const SymbolicTotals& before);
  void end_attack();

  const Setup& setup_;
  const game::Plan& plan_;
  Logic& logic_;
  SymbolicPosition at_;
  Conditions conditions_;
  StepFlow flow_;
  EffectRecorder effects_;
  WindowRecorder windows_;
  std::vector<RecordedAttack> attacks_;
};

}  // namespace salvo::sample
