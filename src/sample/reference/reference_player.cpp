#include "sample/reference/reference_player.h"

#include <algorithm>

#include "base/index.h"
#include "game/counted_rerolls.h"
#include "game/play.h"

namespace salvo::sample {

void play(const Setup& setup, std::uint64_t first, std::uint64_t last, Tally& tally) {
  ReferencePlayer player(setup, tally);
  for (std::uint64_t s = first; s < last; ++s) player.play_trial(s);
}

void ReferencePlayer::play_trial(std::uint64_t s) {
  bits_.begin_trial(s);
  std::fill(hits_.begin(), hits_.end(), 0);
  std::fill(crits_.begin(), crits_.end(), 0);
  std::fill(damage_.begin(), damage_.end(), 0);
  mine_ = theirs_ = 0;
  std::fill(faceup_.begin(), faceup_.end(), 0);
  unplaced_dice_ = drawn_ = 0;
  game::Resources resources = plan_.start;
  for (std::size_t k = 0; k < plan_.attacks.size(); ++k) {
    if (game::attack_happens(plan_, plan_.attacks[k], resources)) resources = play_attack(k, resources);
    resources = game::end_attack(plan_, plan_.attacks[k], resources);
  }
  finish(resources);
}

game::Resources ReferencePlayer::play_attack(std::size_t k, const game::Resources& resources) {
  attack_ = &plan_.attacks[k];
  attack_number_ = k;
  address_ = &setup_.addresses.attacks[k];
  counts_ = &tally_.attacks[k];
  ++counts_->happens;
  start_ = resources;
  position_ = game::begin_attack(plan_, *attack_, resources);
  attack_dice_.n = defense_dice_.n = side_dice_ = 0;
  while (attack_->steps[position_.step].kind != game::Step::Kind::End) {
    jumped_ = false;
    play_step(static_cast<int>(k));
    if (!jumped_) ++position_.step;
  }
  return position_.resources;
}

void ReferencePlayer::play_step(int k) {
  const game::Step& step = attack_->steps[position_.step];
  switch (step.kind) {
    case game::Step::Kind::Apply:
      for (const int e : step.effects) {
        apply(base::nth(attack_->effects, e));
        if (jumped_) return;
      }
      break;
    case game::Step::Kind::Window:
      decide(k);
      break;
    case game::Step::Kind::Deal:
      break;
    case game::Step::Kind::StartAttackDice:
    case game::Step::Kind::StartDefenseDice:
      position_.dice = static_cast<std::int8_t>(step.base);
      position_.min_dice = static_cast<std::int8_t>(step.min);
      position_.max_dice = static_cast<std::int8_t>(step.max);
      break;
    case game::Step::Kind::Floor:
      position_.dice = std::max<std::int8_t>(position_.dice, 0);
      break;
    case game::Step::Kind::RollAttack:
      roll(attack_dice_, setup_.attack_code, address_->attack, counts_->attack_dice);
      break;
    case game::Step::Kind::RollDefense:
      roll(defense_dice_, setup_.defense_code, address_->defense, counts_->defense_dice);
      break;
    case game::Step::Kind::Neutralize:
      neutralize();
      break;
    case game::Step::Kind::Outcome:
      position_.hit = position_.hit || results_left() > 0;
      break;
    case game::Step::Kind::Damage:
      deal_damage();
      break;
    case game::Step::Kind::End:
      break;
  }
}

void ReferencePlayer::pay(const game::Costs& costs) {
  for (const game::Cost& cost : costs) change_resource(cost.resource, -cost.n);
}

void ReferencePlayer::change_resource(int index, int delta) {
  const game::Resource& r = base::nth(plan_.resources, index);
  position_.resources.set(r, std::clamp(position_.resources.get(r) + delta, 0, r.max));
}

ReferencePlayer::Amounts ReferencePlayer::amounts_of(const game::Effect& effect) const {
  Amounts out{};
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    const game::Operation& operation = effect.operations[i];
    out[i] = operation.n;
    if (!operation.amount.empty()) out[i] = std::max(0, game::evaluate(plan_, operation.amount, counted_position()));
  }
  return out;
}

/// Pays for an effect and performs it. Amounts are read before it changes anything, and again after its own roll.
void ReferencePlayer::act(const game::Effect& effect, const game::Pool* chosen) {
  Amounts amounts = amounts_of(effect);
  if (effect.used_bit >= 0) position_.used |= 1u << effect.used_bit;
  position_.used = (position_.used | effect.sets) & ~effect.clears;
  pay(effect.cost);
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    operate(effect.operations[i], amounts[i], chosen);
    if (effect.operations[i].kind == game::Operation::Kind::Roll || game::counts_rerolled(effect, i))
      amounts = amounts_of(effect);
    position_.side_pool = game::SidePool();
  }
  if (effect.jump >= 0) go_to(effect.jump);
}

void ReferencePlayer::go_to(int step) {
  position_.step = static_cast<std::uint8_t>(step);
  jumped_ = true;
}

void ReferencePlayer::count(int index, int delta) {
  if (index >= 0) change_resource(index, delta);
}

void ReferencePlayer::apply(const game::Effect& effect) {
  repeat(effect);
  deal_cards(jumped_ ? 0 : 1);
}

void ReferencePlayer::repeat(const game::Effect& effect) {
  const int times = game::evaluate(plan_, effect.times, counted_position());
  for (int i = 0; i < times && !jumped_ && usable(effect); ++i) act(effect, nullptr);
}

bool ReferencePlayer::usable(const game::Effect& effect) const {
  if (effect.used_bit >= 0 && (position_.used >> effect.used_bit & 1u) != 0) return false;
  if (game::evaluate(plan_, effect.when, counted_position()) == 0) return false;
  return std::all_of(effect.cost.begin(), effect.cost.end(),
                     [&](const game::Cost& cost) { return value_of(cost.resource) >= cost.n; });
}

void ReferencePlayer::decide(int k) {
  for (;;) {
    forget_marks(attack_dice_, true);
    forget_marks(defense_dice_, false);
    const game::Position position = counted_position();
    if (!game::has_options(plan_, *attack_, position)) return;
    setup_.policy.decide(plan_, static_cast<std::size_t>(k), start_, position, options_);
    for (const game::Option& option : options_) {
      if (option.effect < 0) return;
      act(base::nth(attack_->effects, option.effect), &option.dice);
      deal_cards(0);
      if (jumped_) return;
    }
  }
}

/// Locks are lost in order until no more are left than the ship can have beside the one that it gained.
void ReferencePlayer::lose_others(const game::Operation& gain) {
  int held = 0;
  for (const int lock : gain.displaces) held += value_of(lock) > 0 ? 1 : 0;
  for (const int lock : gain.displaces) {
    if (held <= gain.spares) return;
    if (value_of(lock) == 0) continue;
    change_resource(lock, -1);
    --held;
  }
}

/// `chosen`: the dice that the player picked to reroll, change or cancel; null if the effect offers no choice.
void ReferencePlayer::operate(const game::Operation& operation, int amount, const game::Pool* chosen) {
  switch (operation.kind) {
    case game::Operation::Kind::Pool:
      position_.dice = static_cast<std::int8_t>(position_.dice + (operation.amount.empty() ? operation.n : amount));
      break;
    case game::Operation::Kind::Limit:
      position_.min_dice = std::max(position_.min_dice, static_cast<std::int8_t>(operation.min));
      position_.max_dice =
          std::min(position_.max_dice, static_cast<std::int8_t>(operation.amount.empty() ? operation.max : amount));
      break;
    case game::Operation::Kind::Gain:
      change_resource(operation.resource, amount);
      if (amount <= 0) break;
      position_.used |= operation.sets;
      lose_others(operation);
      break;
    case game::Operation::Kind::Lose:
      change_resource(operation.resource,
                      operation.all ? -base::nth(plan_.resources, operation.resource).max : -amount);
      for (const int lock : operation.displaces) change_resource(lock, -1);
      break;
    case game::Operation::Kind::Damage:
      if (operation.recover) return recover(operation.victim, amount);
      if (operation.shield) {
        remove(operation.victim, amount, false, operation.paid);
        if (operation.paid) return;
      } else {
        suffer(operation.victim, operation.crit ? 0 : amount, operation.crit ? amount : 0, operation.past_shields);
        if (amount > 0) position_.used |= operation.sets;
      }
      position_.extra[operation.victim] =
          static_cast<std::int8_t>(std::min(position_.extra[operation.victim] + amount, 127));
      break;
    case game::Operation::Kind::Expose:
      exposing_[operation.victim] = std::min(exposing_[operation.victim] + amount, base::kMaxExposures);
      break;
    case game::Operation::Kind::Flip:
      turn_facedown(operation, amount);
      break;
    case game::Operation::Kind::Deal:
    case game::Operation::Kind::Pick:
      otherwise_ = &operation;
      break;
    case game::Operation::Kind::Roll:
      roll_side(operation, amount);
      break;
    case game::Operation::Kind::Hit:
      position_.hit = true;
      if (operation.all) go_to(attack_->after_dice);
      break;
    case game::Operation::Kind::Add:
      add(operation, amount);
      break;
    case game::Operation::Kind::Cancel:
      if (operation.choose && chosen != nullptr) {
        dice_of(operation.attack_dice).remove(*chosen);
      } else {
        cancel(operation, amount);
      }
      break;
    case game::Operation::Kind::Reroll:
      if (*chosen != game::Pool()) position_.used |= operation.sets;
      each_chosen(operation, *chosen, true);
      break;
    case game::Operation::Kind::Change:
      if (operation.all || chosen == nullptr) {
        change_in_order(operation, amount);
      } else {
        each_chosen(operation, *chosen, false);
      }
      break;
  }
}

void ReferencePlayer::finish(const game::Resources& resources) {
  ++tally_.trials;
  for (std::size_t s = 0; s < hits_.size(); ++s) {
    ShipTally& ship = tally_.ships[s];
    ++ship.count(static_cast<std::size_t>(hits_[s]), static_cast<std::size_t>(crits_[s]));
    ship.faceup.add(static_cast<std::uint64_t>(faceup_[s]));
    if (!ship.damage.empty()) ++ship.damage[std::min(static_cast<std::size_t>(damage_[s]), ship.damage.size() - 1)];
  }
  for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
    const int left = resources.get(plan_.resources[i]);
    tally_.resources[i].add(static_cast<std::uint64_t>(left));
    if (!tally_.numbers[i].empty()) ++base::nth(tally_.numbers[i], left);
  }
  tally_.mine.add(mine_);
  tally_.theirs.add(theirs_);
  tally_.mixed += Wide{mine_} * theirs_;
}

}  // namespace salvo::sample
