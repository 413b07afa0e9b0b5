// The reference kernel: plays one trial after the other, die by die and card by card. Steps and effects are in
// reference_player.cpp, dice in reference_dice.cpp, damage and damage cards in reference_damage.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/index.h"
#include "game/plan.h"
#include "game/policy.h"
#include "sample/kernel.h"
#include "sample/reference/reference_dice.h"
#include "sample/tally.h"
#include "sample/vector/random_words.h"

namespace salvo::sample {

// This class has many methods because the game has many verbs. Each is short, and all change the same position.
class ReferencePlayer {
 public:
  ReferencePlayer(const Setup& setup, Tally& tally)
      : setup_(setup),
        plan_(setup.plan),
        tally_(tally),
        bits_(setup.generator, setup.addresses, setup.seed),
        hits_(plan_.ships.size()),
        crits_(plan_.ships.size()),
        damage_(plan_.ships.size()),
        faceup_(plan_.ships.size()) {}

  void play_trial(std::uint64_t s);

 private:
  using Amounts = std::array<int, game::kMaxOperations>;

  // Steps, and effects of players and of the rules (reference_player.cpp).
  game::Resources play_attack(std::size_t k, const game::Resources& resources);
  void play_step(int k);
  void decide(int k);
  void apply(const game::Effect& effect);
  void repeat(const game::Effect& effect);
  bool usable(const game::Effect& effect) const;
  void act(const game::Effect& effect, const game::Pool* chosen);
  void operate(const game::Operation& operation, int amount, const game::Pool* chosen);
  Amounts amounts_of(const game::Effect& effect) const;
  void pay(const game::Costs& costs);
  void change_resource(int index, int delta);
  void lose_others(const game::Operation& gain);
  void count(int index, int delta);
  int value_of(int index) const { return position_.resources.get(base::nth(plan_.resources, index)); }
  void go_to(int step);
  void finish(const game::Resources& resources);

  // Dice (reference_dice.cpp).
  Dice& dice_of(bool attack_dice) { return attack_dice ? attack_dice_ : defense_dice_; }
  game::Position counted_position() const;
  int results_left() const;
  void roll(Dice& dice, const DieCode& code, const PoolAddress& address, Moments& counted);
  void reroll(PlayedDie& die, bool attack_dice);
  void roll_side(const game::Operation& operation, int n);
  unsigned side_value(const DieCode& code);
  void forget_marks(Dice& dice, bool attack_dice);
  void each_chosen(const game::Operation& operation, game::Pool chosen, bool rerolls);
  void change_in_order(const game::Operation& operation, int amount);
  void add(const game::Operation& operation, int amount);
  void cancel(const game::Operation& operation, int amount);
  void neutralize();

  // Damage and damage cards (reference_damage.cpp).
  void deal_damage();
  void suffer(std::size_t victim, int hits, int crits, bool past_shields);
  void remove(std::size_t victim, int damage, bool past_shields, bool paid = false);
  int remove_parts(const game::ShipPlan& ship, int damage, bool past_shields);
  void recover(std::size_t victim, int shields);
  int shields(std::size_t victim) const;
  void deal_cards(int back);
  void suffer_crit(std::size_t victim, int back);
  std::vector<int> times_after_crit(const game::DealPlan& deal) const;
  void apply_after_crit(const game::DealPlan& deal, const std::vector<int>& times);
  void suffer_from_cards(std::size_t victim, int back);
  void lie_faceup(std::size_t victim, const game::DrawKind& card);
  bool asked_otherwise(int window, int drawn, bool asked, int back);
  void deal_otherwise(std::size_t victim, const game::DrawKind* card);
  void expose(std::size_t victim, int back);
  bool look(std::size_t victim);
  std::size_t picked(int window, bool asked, int back);
  const game::DrawKind& draw_faceup(const game::DealPlan& deal, int back);
  void turn_faceup(std::size_t victim, const game::DrawKind& card, int from);
  void turn_facedown(const game::Operation& operation, int amount);
  const game::DrawKind& draw(const game::DealPlan& deal);

  const Setup& setup_;
  const game::Plan& plan_;
  Tally& tally_;
  RandomWords bits_;
  const game::AttackPlan* attack_ = nullptr;
  const AttackAddress* address_ = nullptr;
  AttackTally* counts_ = nullptr;
  game::Resources start_;  ///< at the start of the attack
  std::vector<game::Option> options_;
  game::Position position_;  ///< its pools stay empty: see counted_position()
  Dice attack_dice_, defense_dice_;
  std::vector<int> hits_, crits_, damage_;
  std::vector<int> faceup_;                     ///< damage cards dealt faceup, by ship
  std::array<int, game::kVictims> due_{};       ///< critical damage still to suffer, by victim
  std::array<bool, game::kVictims> past_{};     ///< that damage bypasses shields, by victim
  std::array<int, game::kVictims> exposing_{};  ///< damage cards still to expose, by victim
  const game::Operation* otherwise_ = nullptr;  ///< set by a decision about a card: how it is dealt, or which is picked
  std::size_t attack_number_ = 0;
  std::uint64_t mine_ = 0, theirs_ = 0;
  int side_dice_ = 0;      ///< rolled for effects in this attack
  int unplaced_dice_ = 0;  ///< in this trial, of those without planes
  int drawn_ = 0;          ///< damage cards drawn in this trial
  bool jumped_ = false;    ///< an effect jumped to another step
};

}  // namespace salvo::sample
