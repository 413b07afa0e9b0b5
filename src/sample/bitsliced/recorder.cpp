#include "sample/bitsliced/recorder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "game/position_parts.h"

namespace salvo::sample {

void check_known(const game::Plan& plan) {
  for (const game::ShipPlan& ship : plan.ships) {
    if (ship.hull_left >= 0) throw NotBitSliced("hull and shields are two numbers");
  }
  for (const game::AttackPlan& attack : plan.attacks) {
    if (!attack.deals.empty() || !attack.merged_after.empty()) throw NotBitSliced("damage cards are dealt");
  }
}

Recorder::Recorder(const Setup& setup, const std::vector<AttackDecisions>& decisions, Logic& logic)
    : setup_(setup),
      plan_(setup.plan),
      decisions_(decisions),
      logic_(logic),
      attacks_(setup.plan.attacks.size()),
      attack_dice_(logic),
      defense_dice_(logic) {
  for (const game::Resource& r : plan_.resources) state_.resources.emplace_back(plan_.start.get(r));
  const std::size_t ships = plan_.ships.size();
  state_.hits.resize(ships);
  state_.crits.resize(ships);
  state_.damage.resize(ships);
  state_.gained.resize(ships);
  state_.results.resize(ships);
}

void Recorder::record() {
  for (std::size_t k = 0; k < plan_.attacks.size(); ++k) record_attack(k);
}

void Recorder::record_attack(std::size_t k) {
  index_ = k;
  attack_ = &plan_.attacks[k];
  const Bit takes_place = happens();
  if (!takes_place.is(false)) {
    const State before = state_;
    start_ = state_.resources;
    pay_for_attack();
    used_.assign(kUsedBits, false);
    attack_dice_.clear();
    defense_dice_.clear();
    dice_ = min_dice_ = max_dice_ = hits_ = crits_ = side_rolled_ = 0;
    side_counts_.fill(0);
    extra_.fill(0);
    hit_ = false;
    active_ = true;
    arriving_.assign(attack_->steps.size(), false);
    returns_.clear();
    for (step_ = 0; attack_->steps[step_].kind != game::Step::Kind::End; ++step_) {
      arrive();
      play_step(attack_->steps[step_]);
      go_back();
    }
    if (!takes_place.is(true)) {
      const auto keep_if_not = [&](std::vector<Number>& now, const std::vector<Number>& then) {
        for (std::size_t i = 0; i < now.size(); ++i) now[i] = choose(logic_, takes_place, now[i], then[i]);
      };
      keep_if_not(state_.resources, before.resources);
      keep_if_not(state_.hits, before.hits);
      keep_if_not(state_.crits, before.crits);
      keep_if_not(state_.damage, before.damage);
      keep_if_not(state_.gained, before.gained);
    }
    RecordedAttack& out = attacks_[k];
    for (Number* number : {&out.attack_dice, &out.defense_dice, &out.hits, &out.crits}) {
      *number = only_if(logic_, takes_place, *number);
    }
    out.hits_at_all = logic_.both(takes_place, out.hits_at_all);
    out.happens = takes_place;
  }
  end_attack();
}

/// The price of the weapon, and that of the first waiver that can be paid where its requirement is not met.
void Recorder::pay_for_attack() {
  Bit unmet = !requirement_met();
  std::vector<std::pair<const std::vector<game::Cost>*, Bit>> waivers;
  for (const game::Waiver& waiver : attack_->waivers) {
    const Bit can = logic_.both(holds(waiver.when), payable(waiver.price));
    waivers.emplace_back(&waiver.price, logic_.both(unmet, can));
    unmet = logic_.both(unmet, !can);
  }
  for (const auto& [price, condition] : waivers) {
    for (const game::Cost& cost : *price) change_resource(cost.resource, -cost.n, condition);
  }
  for (const game::Cost& cost : attack_->cost) change_resource(cost.resource, -cost.n, true);
}

/// Play that left another step goes on here. Once nothing is on its way any more, everything is here.
void Recorder::arrive() {
  active_ = logic_.either(active_, std::exchange(arriving_[step_], false));
  if (std::all_of(arriving_.begin(), arriving_.end(), [](Bit bit) { return bit.is(false); })) active_ = true;
}

/// Play goes on at another step where the condition holds.
void Recorder::leave(Bit condition, int step) {
  const auto to = static_cast<std::size_t>(step);
  arriving_[to] = logic_.either(arriving_[to], condition);
  active_ = logic_.both(active_, !condition);
}

/// Behind the last step from which play goes on at an earlier one, that part is played again; whatever does not go
/// back waits for it.
void Recorder::go_back() {
  for (std::size_t to = 0; to <= step_; ++to) {
    if (arriving_[to].is(false) || last_return(to) > static_cast<std::ptrdiff_t>(step_)) continue;
    // Each time another effect of the window was used, for which the other player was asked.
    if (++returns_[to] > std::popcount(leaving(to))) {
      arriving_[to] = false;
      continue;
    }
    arriving_[step_ + 1] = logic_.either(arriving_[step_ + 1], active_);
    active_ = false;
    step_ = to - 1;
    return;
  }
}

/// The last step with an effect after which play goes back to step `to`; -1: there is none.
std::ptrdiff_t Recorder::last_return(std::size_t to) const {
  std::ptrdiff_t last = -1;
  for (std::size_t s = to; s < attack_->steps.size(); ++s) {
    for (const int e : attack_->steps[s].effects) {
      if (attack_->effects[static_cast<std::size_t>(e)].jump == static_cast<int>(to))
        last = static_cast<std::ptrdiff_t>(s);
    }
  }
  return last;
}

/// The effects of a step that make play go on elsewhere, as bits of Position::used.
std::uint32_t Recorder::leaving(std::size_t step) const {
  std::uint32_t out = 0;
  for (const int e : attack_->steps[step].effects) {
    const game::Effect& effect = attack_->effects[static_cast<std::size_t>(e)];
    if (effect.jump >= 0 && effect.used_bit >= 0) out |= 1u << effect.used_bit;
  }
  return out;
}

/// Whether a decision can come up now: each time that play went back to a step, another of its effects was used.
bool Recorder::can_come_up(const Decision& decision) const {
  for (std::size_t to = 0; to <= step_; ++to) {
    if (last_return(to) < static_cast<std::ptrdiff_t>(step_)) continue;
    const auto at = returns_.find(to);
    const int returned = at == returns_.end() ? 0 : at->second;
    if (std::popcount(decision.position.used & leaving(to)) != returned + (to < step_ ? 1 : 0)) return false;
  }
  return true;
}

void Recorder::play_step(const game::Step& step) {
  switch (step.kind) {
    case game::Step::Kind::Apply:
      for (const int e : step.effects) apply_mandatory(attack_->effects[static_cast<std::size_t>(e)]);
      return;
    case game::Step::Kind::Window:
      record_window(step);
      for (const bool attack_dice : {true, false}) {
        if (!game::reroll_follows(*attack_, step_ + 1, attack_dice)) dice_of(attack_dice).count_up();
      }
      return make_up();
    case game::Step::Kind::StartAttackDice:
    case game::Step::Kind::StartDefenseDice:
      dice_ = choose(logic_, active_, step.base, dice_);
      min_dice_ = choose(logic_, active_, step.min, min_dice_);
      max_dice_ = choose(logic_, active_, step.max, max_dice_);
      return;
    case game::Step::Kind::Floor:
      dice_ = choose(logic_, active_, larger(logic_, dice_, 0), dice_);
      return;
    case game::Step::Kind::RollAttack:
      return roll(true);
    case game::Step::Kind::RollDefense:
      return roll(false);
    case game::Step::Kind::Neutralize:
      return neutralize();
    case game::Step::Kind::Outcome:
      hit_ = logic_.either(hit_, logic_.both(active_, nonzero(logic_, results_left())));
      return;
    case game::Step::Kind::Damage:
      if (!active_.is(true)) throw NotBitSliced("play goes on behind the damage");
      return deal_damage();
    case game::Step::Kind::Deal:
      break;
    case game::Step::Kind::End:
      return;
  }
  throw NotBitSliced("a step of a kind that the bit-sliced kernels do not know");
}

void Recorder::roll(bool attack_dice) {
  const Number n = only_if(logic_, active_, roll_size());
  if (n.least < 0) throw NotBitSliced("a number of dice can be negative");
  RecordedAttack& out = attacks_[index_];
  (attack_dice ? out.attack_dice : out.defense_dice) = n;
  const AttackAddress& address = setup_.addresses.attacks[index_];
  dice_of(attack_dice)
      .roll(attack_dice ? setup_.attack_code : setup_.defense_code, attack_dice ? address.attack : address.defense,
            (attack_dice ? plan_.attack_die : plan_.defense_die).faces, n,
            game::reroll_follows(*attack_, step_ + 1, attack_dice));
  for (Number* limit : {&dice_, &min_dice_, &max_dice_}) *limit = only_if(logic_, !active_, *limit);
}

Number Recorder::roll_size() { return smaller(logic_, larger(logic_, dice_, min_dice_), max_dice_); }

Number Recorder::results_left() {
  return add(logic_, attack_dice_.count(plan_.attack_die.hit), attack_dice_.count(plan_.attack_die.crit));
}

void Recorder::neutralize() {
  if (active_.is(false)) return;
  Number evades = defense_dice_.count(plan_.defense_die.evade);
  std::array<Number, base::kMaxFaces> left{};
  for (int turn = 0; turn < 2; ++turn) {  // 000: Attack, Neutralize Results
    const bool crits = (turn == 0) == attack_->crits_first;
    const int face = crits ? plan_.attack_die.crit : plan_.attack_die.hit;
    if (face < 0) continue;
    const Number results = attack_dice_.count(face);
    if (crits ? attack_->uncancellable_crits : attack_->uncancellable_hits) {
      left[static_cast<std::size_t>(face)] = results;
      continue;
    }
    const Number difference = subtract(logic_, results, evades);
    const Bit too_many = difference.least < 0 ? difference.bits.back() : Bit(false);
    const Number rest = only_if(logic_, !too_many, difference);
    const Number unspent = only_if(logic_, too_many, subtract(logic_, evades, results));
    left[static_cast<std::size_t>(face)] = Number(rest.bits, 0, results.most);
    evades = Number(unspent.bits, 0, evades.most);
  }
  if (active_.is(true)) {
    attack_dice_.keep(left);
    defense_dice_.clear();
    return;
  }
  for (int face = 0; face < plan_.attack_die.faces; ++face) {
    const auto f = static_cast<std::size_t>(face);
    left[f] = choose(logic_, active_, left[f], attack_dice_.count(face));
  }
  std::array<Number, base::kMaxFaces> kept{};
  for (int face = 0; face < plan_.defense_die.faces; ++face)
    kept[static_cast<std::size_t>(face)] = only_if(logic_, !active_, defense_dice_.count(face));
  attack_dice_.keep(left);
  defense_dice_.keep(kept);
}

void Recorder::deal_damage() {
  const auto defender = static_cast<std::size_t>(attack_->defender);
  hits_ = attack_dice_.count(plan_.attack_die.hit);
  crits_ = attack_dice_.count(plan_.attack_die.crit);
  const Number results = attack_dice_.size();
  attack_dice_.clear();
  state_.hits[defender] = add(logic_, state_.hits[defender], hits_);
  state_.crits[defender] = add(logic_, state_.crits[defender], crits_);
  state_.results[defender] += results.most;
  RecordedAttack& out = attacks_[index_];
  const Number damage = add(logic_, hits_, crits_);
  out.hits_at_all = logic_.either(hit_, nonzero(logic_, damage));
  out.hits = hits_;
  out.crits = crits_;
  suffer(attack_->defender, Number(damage.bits, 0, std::min(damage.most, results.most)), true);
}

void Recorder::end_attack() {
  for (const int ship : attack_->removed_after) {
    const int health = plan_.ships[static_cast<std::size_t>(ship)].health;
    if (health >= 0) set_resource(health, game::kGone, equal(logic_, value(health), game::kHealthZero));
  }
  for (const game::CardCounts& lost : attack_->lost_after) set_resource(lost.kind, 0, true);
}

// ---------------------------------------------------------------- what effects do

void Recorder::apply_mandatory(const game::Effect& effect) {
  const Number times = evaluate(effect.times, 1);
  Bit going_on = active_;
  for (int i = 0; i < times.most; ++i) {
    going_on = logic_.both(going_on, active_);
    going_on = logic_.both(going_on, less(logic_, i, times));
    going_on =
        logic_.both(going_on, logic_.both(unused(effect), logic_.both(holds(effect.when), payable(effect.cost))));
    if (going_on.is(false)) return;
    act(effect, going_on, nullptr);
  }
}

std::vector<Number> Recorder::amounts_of(const game::Effect& effect) {
  std::vector<Number> out;
  for (const game::Operation& operation : effect.operations) {
    out.push_back(operation.amount.empty() ? Number(operation.n) : larger(logic_, evaluate(operation.amount, 0), 0));
  }
  return out;
}

/// Pays for an effect and does it; how much is read before, but after a roll of its own.
void Recorder::act(const game::Effect& effect, Bit condition, const std::vector<ChosenDice>* chosen) {
  std::vector<Number> amounts = amounts_of(effect);
  const std::uint32_t sets = effect.sets | (effect.used_bit >= 0 ? 1u << effect.used_bit : 0);
  for (std::size_t bit = 0; bit < kUsedBits; ++bit) {
    if ((effect.clears >> bit & 1u) != 0) {
      used_[bit] = logic_.both(used_[bit], !condition);
    } else if ((sets >> bit & 1u) != 0) {
      used_[bit] = logic_.either(used_[bit], condition);
    }
  }
  for (const game::Cost& cost : effect.cost) {
    // Whoever uses an effect can pay for it, so no bound is needed.
    const Number before = value(cost.resource);
    if (!resource(cost.resource).dynamic) continue;
    const Number after = subtract(logic_, before, only_if(logic_, condition, cost.n));
    value(cost.resource) = Number(after.bits, std::max(0, after.least), before.most);
  }
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    operate(effect.operations[i], amounts[i], condition, chosen);
    if (effect.operations[i].kind == game::Operation::Kind::Roll) {
      amounts = amounts_of(effect);
      side_counts_.fill(0);
    }
  }
  if (effect.jump >= 0) leave(condition, effect.jump);
}

/// Rolls dice outside both pools. Their places go on from those that the attack rolled before.
void Recorder::roll_side(const game::Operation& operation, const Number& amount, Bit condition) {
  const DieCode& code = operation.attack_dice ? setup_.attack_code : setup_.defense_code;
  const game::Die& die = operation.attack_dice ? plan_.attack_die : plan_.defense_die;
  const PoolAddress& address = setup_.addresses.attacks[index_].side;
  if (side_rolled_.most + amount.most > address.slots)
    throw NotBitSliced("effects may roll more dice than have places");
  std::array<std::vector<Bit>, base::kMaxFaces> shown;
  for (int i = 0; i < amount.most; ++i) {
    const Bit rolled = logic_.both(condition, less(logic_, i, amount));
    std::vector<Bit> value(static_cast<std::size_t>(code.bits), false);
    for (int before = side_rolled_.least; before <= side_rolled_.most; ++before) {
      const Bit here = equal(logic_, side_rolled_, before);
      const int first = address.first + (before + i) * address.stride;
      for (int b = 0; b < code.bits; ++b) {
        Bit& bit = value[static_cast<std::size_t>(b)];
        bit = logic_.either(bit, logic_.both(here, logic_.plane(first + b)));
      }
    }
    for (int face = 0; face < die.faces; ++face) {
      shown[static_cast<std::size_t>(face)].push_back(logic_.both(rolled, face_of_value(logic_, code, face, value)));
    }
  }
  for (std::size_t face = 0; face < base::kMaxFaces; ++face) side_counts_[face] = count(logic_, shown[face]);
  side_rolled_ = add(logic_, side_rolled_, only_if(logic_, condition, amount));
}

void Recorder::operate(const game::Operation& operation, const Number& amount, Bit condition,
                       const std::vector<ChosenDice>* chosen) {
  SymbolicDice& dice = dice_of(operation.attack_dice);
  if (operation.max > 0 && game::needs_dice(operation))
    throw NotBitSliced("no more than one result of a face may be modified");
  if (waits_ && game::changes_dice(operation) && dice.one_by_one()) {
    return wait(operation, condition, *chosen);
  }
  switch (operation.kind) {
    case game::Operation::Kind::Pool:
      dice_ = add(logic_, dice_, only_if(logic_, condition, amount));
      return;
    case game::Operation::Kind::Limit:
      min_dice_ = choose(logic_, condition, larger(logic_, min_dice_, operation.min), min_dice_);
      max_dice_ =
          choose(logic_, condition,
                 smaller(logic_, max_dice_, operation.amount.empty() ? Number(operation.max) : amount), max_dice_);
      return;
    case game::Operation::Kind::Gain:
      change_resource(operation.resource, amount, condition);
      break;
    case game::Operation::Kind::Lose:
      change_resource(operation.resource,
                      operation.all ? Number(-resource(operation.resource).max) : subtract(logic_, 0, amount),
                      condition);
      break;
    case game::Operation::Kind::Damage:
      extra_[operation.victim] =
          smaller(logic_, add(logic_, extra_[operation.victim], only_if(logic_, condition, amount)),
                  std::numeric_limits<std::int8_t>::max());
      return suffer(attack_->victim(operation.victim), amount, condition);
    case game::Operation::Kind::Add:
      return dice.add(condition, operation.to, amount);
    case game::Operation::Kind::Cancel:
      if (operation.choose && chosen != nullptr) return dice.cancel(condition, *chosen);
      return dice.cancel_in_order(condition, operation.from, amount, operation.all);
    case game::Operation::Kind::Roll:
      return roll_side(operation, amount, condition);
    case game::Operation::Kind::Hit:
      hit_ = logic_.either(hit_, condition);
      if (operation.all) leave(condition, attack_->after_dice);
      return;
    case game::Operation::Kind::Expose:
    case game::Operation::Kind::Flip:
    case game::Operation::Kind::Deal:
      break;
    case game::Operation::Kind::Reroll:
      if (chosen == nullptr) throw NotBitSliced("a reroll that nobody chooses");
      return dice.reroll(condition, *chosen);
    case game::Operation::Kind::Change:
      if (operation.all || chosen == nullptr) {
        return dice.change_in_order(condition, operation.from, operation.to, amount, operation.all);
      }
      return dice.change(condition, *chosen, operation.to);
  }
  for (const int lock : operation.displaces) change_resource(lock, -1, condition);
}

void Recorder::suffer(int index, const Number& damage, Bit condition) {
  const auto s = static_cast<std::size_t>(index);
  const game::ShipPlan& ship = plan_.ships[s];
  const Number suffered = only_if(logic_, condition, damage);
  state_.damage[s] = add(logic_, state_.damage[s], suffered);
  Number gained = plan_.objective == game::Objective::Damage ? suffered : Number(0);
  if (ship.health >= 0) {
    const Number before = subtract(logic_, value(ship.health), game::kHealthZero);
    const Number after = larger(logic_, subtract(logic_, before, suffered), 0);
    const Number removed = subtract(logic_, before, after);
    const Bit destroyed = logic_.both(less(logic_, 0, before), equal(logic_, after, 0));
    if (plan_.objective == game::Objective::Kill) gained = Number::of_bit(logic_.both(condition, destroyed));
    if (plan_.objective == game::Objective::Health || plan_.objective == game::Objective::Exchange) {
      gained = Number(removed.bits, 0, std::max(0, removed.most));
    }
    const Number left = add(logic_, after, game::kHealthZero);
    set_resource(ship.health, Number(left.bits, left.least, std::min(left.most, resource(ship.health).max)), condition);
  }
  state_.gained[s] = add(logic_, state_.gained[s], only_if(logic_, condition, gained));
}

void Recorder::change_resource(int index, const Number& delta, Bit condition) {
  const Number changed = add(logic_, value(index), delta);
  set_resource(index, smaller(logic_, larger(logic_, changed, 0), resource(index).max), condition);
}

void Recorder::set_resource(int index, Number after, Bit condition) {
  if (resource(index).dynamic) value(index) = choose(logic_, condition, after, value(index));
}

}  // namespace salvo::sample
