// Recorder: plays a plan on logic, step by step as the reference kernel plays it on dice.
// In: a Setup and the tables of its policy. Out: after record(), the state at the end as functions of the random bits.
#pragma once

#include <map>
#include <vector>

#include "sample/bitsliced/circuit.h"
#include "sample/bitsliced/decision_logic.h"
#include "sample/bitsliced/decisions.h"
#include "sample/bitsliced/symbolic_dice.h"

namespace salvo::sample {

/// What one attack did; zero where it did not happen.
struct RecordedAttack {
  Bit happens = false, hits_at_all = false;
  Number attack_dice, defense_dice, hits, crits;
};

/// Throws NotBitSliced when the plan has something that Recorder does not know. What is new in plans has to be looked
/// at here first: what is not refused must be recorded.
void check_known(const game::Plan& plan);

inline constexpr std::size_t kUsedBits = 32;  ///< of Position::used

class Recorder {
 public:
  Recorder(const Setup& setup, const std::vector<AttackDecisions>& decisions, Logic& logic);
  void record();

  /// What lasts from attack to attack.
  struct State {
    std::vector<Number> resources;
    std::vector<Number> hits, crits, damage, gained;  ///< by ship: the last is what the other side gained from it
    std::vector<int> results;                         ///< by ship: bound of hits plus crits
  };
  const State& state() const { return state_; }
  const std::vector<RecordedAttack>& attacks() const { return attacks_; }

 private:
  void record_attack(std::size_t k);
  void pay_for_attack();
  void arrive();
  void leave(Bit condition, int step);
  void go_back();
  std::ptrdiff_t last_return(std::size_t to) const;
  std::uint32_t leaving(std::size_t step) const;
  bool can_come_up(const Decision& decision) const;
  void play_step(const game::Step& step);
  void roll(bool attack_dice);
  void roll_side(const game::Operation& operation, const Number& amount, Bit condition);
  void neutralize();
  void deal_damage();
  void end_attack();

  void record_window(const game::Step& step);
  Bit act_on(const std::vector<Decision>& table, Bit active);
  Number roll_size();
  void apply_mandatory(const game::Effect& effect);
  std::vector<Number> amounts_of(const game::Effect& effect);
  void act(const game::Effect& effect, Bit condition, const std::vector<ChosenDice>* chosen);
  void operate(const game::Operation& operation, const Number& amount, Bit condition,
               const std::vector<ChosenDice>* chosen);
  void suffer(int ship, const Number& damage, Bit condition);
  void change_resource(int index, const Number& delta, Bit condition);
  void set_resource(int index, Number value, Bit condition);

  Number evaluate(const game::Expression& expression, int if_empty);
  Bit holds(const game::Expression& expression) { return nonzero(logic_, evaluate(expression, 1)); }
  Bit requirement_met();
  Bit happens();
  Bit gone(int ship);
  Bit payable(const std::vector<game::Cost>& costs);
  Bit unused(const game::Effect& effect) const {
    return effect.used_bit < 0 ? Bit(true) : !used_[static_cast<std::size_t>(effect.used_bit)];
  }
  Bit has_options(const game::Step& step);
  Bit does_something(const game::Effect& effect);
  Bit marks_matter(bool attack_dice);
  Bit may_be_payable(const game::Effect& effect);
  void forget_marks(Bit condition);
  Number results_left();
  SymbolicDice& dice_of(bool attack_dice) { return attack_dice ? attack_dice_ : defense_dice_; }
  const game::Resource& resource(int index) const { return plan_.resources[static_cast<std::size_t>(index)]; }
  Number& value(int index) { return state_.resources[static_cast<std::size_t>(index)]; }

  void add_features(DecisionLogic& learner, const std::vector<Decision>& table);
  /// An operation of an effect that players use at place `slot` of their decisions.
  struct Chosen {
    std::size_t slot = 0;
    int effect = 0;
    const game::Operation* operation = nullptr;
    bool unmarked = false;  ///< marks of rerolls do not count
  };
  std::vector<ChosenDice> chosen_dice(const DecisionLogic& learner, const std::vector<Decision>& table,
                                      const Chosen& use);
  bool can_wait(const game::Step& step) const;
  void wait(const game::Operation& operation, Bit condition, const std::vector<ChosenDice>& chosen);
  void make_up();

  const Setup& setup_;
  const game::Plan& plan_;
  const std::vector<AttackDecisions>& decisions_;
  Logic& logic_;
  State state_;
  std::vector<RecordedAttack> attacks_;

  // Of the attack at hand:
  std::size_t index_ = 0, step_ = 0;
  const game::AttackPlan* attack_ = nullptr;
  std::vector<Number> start_;  ///< resources with which it began
  SymbolicDice attack_dice_, defense_dice_;
  std::vector<Bit> used_;  ///< by bit of Position::used
  Number dice_, min_dice_, max_dice_;
  Number hits_, crits_;
  std::array<Number, game::kVictims> extra_;           ///< damage from other effects, by victim
  Number side_rolled_;                                 ///< dice rolled for effects so far
  std::array<Number, base::kMaxFaces> side_counts_{};  ///< those of the effect at hand, by face
  /// A change of dice that waits until they are only counted.
  struct Waiting {
    const game::Operation* operation = nullptr;
    std::size_t slot = 0;  ///< place of the effect in its player's decision
    Bit condition;
    std::vector<ChosenDice> chosen;
  };
  std::vector<Waiting> waiting_;
  bool waits_ = false;  ///< changes of dice wait
  std::size_t slot_ = 0;
  Bit hit_;
  Bit active_;                          ///< play is at this step: no effect made it go on at another one
  std::vector<Bit> arriving_;           ///< by step: an effect made play go on there
  std::map<std::size_t, int> returns_;  ///< how often play went back to a step
};

}  // namespace salvo::sample
