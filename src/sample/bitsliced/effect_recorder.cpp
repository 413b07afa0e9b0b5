#include "sample/bitsliced/effect_recorder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/index.h"
#include "base/stable_sort.h"
#include "game/counted_rerolls.h"
#include "game/position_parts.h"

namespace salvo::sample {

void EffectRecorder::apply_mandatory(const game::Effect& effect) {
  const Number times = conditions_.evaluate(effect.times, 1);
  Bit applied = at_.active;
  for (int i = 0; i < times.max; ++i) {
    applied = logic_.both(applied, at_.active);
    applied = logic_.both(applied, less(logic_, i, times));
    applied = logic_.both(applied,
                          logic_.both(conditions_.unused(effect),
                                      logic_.both(conditions_.holds(effect.when), conditions_.payable(effect.cost))));
    if (applied.is(false)) return;
    act(effect, applied, nullptr);
  }
}

std::vector<Number> EffectRecorder::amounts_of(const game::Effect& effect) const {
  std::vector<Number> out;
  for (const game::Operation& operation : effect.operations) {
    out.push_back(operation.amount.empty() ? Number(operation.n)
                                           : maximum(logic_, conditions_.evaluate(operation.amount, 0), 0));
  }
  return out;
}

void EffectRecorder::act(const game::Effect& effect, Bit condition, const std::vector<ChosenDice>* chosen) {
  std::vector<Number> amounts = amounts_of(effect);
  mark_used(effect, condition);
  pay(effect.cost, condition);
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    if (game::counts_rerolled(effect, i)) throw UnsupportedByKernel("an effect counts the dice that it rerolls");
    if (chosen != nullptr && effect.operations[i].kind == game::Operation::Kind::Reroll)
      note_reroll(effect.operations[i], condition, *chosen);
    operate(effect.operations[i], amounts[i], condition, chosen);
    if (effect.operations[i].kind == game::Operation::Kind::Roll) {
      amounts = amounts_of(effect);
      at_.side_counts.fill(0);
    }
  }
  if (effect.jump >= 0) flow_.jump(condition, effect.jump);
}

void EffectRecorder::act_last(const game::Effect& effect, Bit condition, const std::vector<ChosenDice>& chosen,
                              std::size_t slot) {
  defer_at_ = slot;
  act(effect, condition, &chosen);
  defer_at_.reset();
}

void EffectRecorder::mark_used(const game::Effect& effect, Bit condition) {
  note((effect.sets | (effect.used_bit >= 0 ? 1u << effect.used_bit : 0)) & ~effect.clears, condition);
  for (std::size_t bit = 0; bit < kUsedBits; ++bit) {
    if ((effect.clears >> bit & 1u) != 0) at_.used[bit] = logic_.both(at_.used[bit], !condition);
  }
}

void EffectRecorder::note(std::uint32_t bits, Bit condition) {
  for (std::size_t bit = 0; bit < kUsedBits; ++bit) {
    if ((bits >> bit & 1u) != 0) at_.used[bit] = logic_.either(at_.used[bit], condition);
  }
}

void EffectRecorder::note_reroll(const game::Operation& reroll, Bit condition, const std::vector<ChosenDice>& chosen) {
  if (reroll.sets == 0) return;
  const SymbolicDice& dice = at_.dice_of(reroll.attack_dice);
  Bit any = false;
  for (const ChosenDice& c : chosen)
    any = logic_.either(any, c.all ? dice.any(c.face, c.marked) : less(logic_, 0, c.n));
  note(reroll.sets, logic_.both(condition, any));
}

void EffectRecorder::pay(const game::Costs& costs, Bit condition) {
  for (const game::Cost& cost : costs) {
    if (!resource(cost.resource).dynamic) continue;
    const Number before = value(cost.resource);
    const Number after = subtract(logic_, before, only_if(logic_, condition, cost.n));
    // An effect is used only where its price can be paid, so the result needs no lower bound.
    value(cost.resource) = Number(after.bits, std::max(0, after.min), before.max);
  }
}

/// Rolls dice outside both pools. Their places follow those of the dice that the attack rolled before.
void EffectRecorder::roll_side(const game::Operation& operation, const Number& amount, Bit condition) {
  const DieCode& code = operation.attack_dice ? setup_.attack_code : setup_.defense_code;
  const game::Die& die = operation.attack_dice ? plan_.attack_die : plan_.defense_die;
  const PoolAddress& address = setup_.addresses.attacks[at_.index].side;
  if (at_.side_rolled.max + amount.max > address.slots)
    throw UnsupportedByKernel("effects may roll more dice than have places");
  std::array<std::vector<Bit>, base::kMaxFaces> shown;
  for (int i = 0; i < amount.max; ++i) {
    const Bit rolled = logic_.both(condition, less(logic_, i, amount));
    std::vector<Bit> value(static_cast<std::size_t>(code.bits), false);
    for (int before = at_.side_rolled.min; before <= at_.side_rolled.max; ++before) {
      const Bit here = equal(logic_, at_.side_rolled, before);
      const int first = address.first + (before + i) * address.stride;
      for (int b = 0; b < code.bits; ++b) {
        Bit& bit = base::nth(value, b);
        bit = logic_.either(bit, logic_.both(here, logic_.plane(first + b)));
      }
    }
    for (int face = 0; face < die.faces; ++face) {
      base::nth(shown, face).push_back(logic_.both(rolled, face_of_value(logic_, code, face, value)));
    }
  }
  for (std::size_t face = 0; face < base::kMaxFaces; ++face) at_.side_counts[face] = count(logic_, shown[face]);
  at_.side_rolled = add(logic_, at_.side_rolled, only_if(logic_, condition, amount));
}

void EffectRecorder::operate(const game::Operation& operation, const Number& amount, Bit condition,
                             const std::vector<ChosenDice>* chosen) {
  SymbolicDice& dice = at_.dice_of(operation.attack_dice);
  if (operation.spares > 0) throw UnsupportedByKernel("a ship that can have several locks loses one of them");
  if (operation.max > 0 && game::needs_dice(operation))
    throw UnsupportedByKernel("no more than one result of a face may be modified");
  if (defer_at_ && game::changes_dice(operation) && dice.one_by_one()) return defer(operation, condition, *chosen);
  switch (operation.kind) {
    case game::Operation::Kind::Pool:
      at_.dice = add(logic_, at_.dice, only_if(logic_, condition, amount));
      return;
    case game::Operation::Kind::Limit:
      at_.min_dice = choose(logic_, condition, maximum(logic_, at_.min_dice, operation.min), at_.min_dice);
      at_.max_dice = choose(logic_, condition,
                            minimum(logic_, at_.max_dice, operation.amount.empty() ? Number(operation.max) : amount),
                            at_.max_dice);
      return;
    case game::Operation::Kind::Gain:
      change_resource(operation.resource, amount, condition);
      condition = logic_.both(condition, less(logic_, 0, amount));
      note(operation.sets, condition);
      break;
    case game::Operation::Kind::Lose:
      change_resource(operation.resource,
                      operation.all ? Number(-resource(operation.resource).max) : subtract(logic_, 0, amount),
                      condition);
      break;
    case game::Operation::Kind::Damage:
      if (operation.paid) throw UnsupportedByKernel("shields are paid");
      if (operation.sets != 0) note(operation.sets, logic_.both(condition, less(logic_, 0, amount)));
      at_.extra[operation.victim] =
          minimum(logic_, add(logic_, at_.extra[operation.victim], only_if(logic_, condition, amount)),
                  std::numeric_limits<std::int8_t>::max());
      return suffer(at_.attack->victim(operation.victim), amount, condition);
    case game::Operation::Kind::Add:
      return dice.add(condition, operation.to, amount);
    case game::Operation::Kind::Cancel:
      if (operation.choose && chosen != nullptr) return dice.cancel(condition, *chosen);
      return dice.cancel_in_order(condition, operation.from, amount, operation.all);
    case game::Operation::Kind::Roll:
      return roll_side(operation, amount, condition);
    case game::Operation::Kind::Hit:
      at_.hit = logic_.either(at_.hit, condition);
      if (operation.all) flow_.jump(condition, at_.attack->after_dice);
      return;
    case game::Operation::Kind::Expose:
    case game::Operation::Kind::Flip:
    case game::Operation::Kind::Deal:
    case game::Operation::Kind::Pick:
      throw UnsupportedByKernel("an effect turns or deals damage cards");
    case game::Operation::Kind::Reroll:
      if (chosen == nullptr) throw UnsupportedByKernel("a reroll whose dice no player chooses");
      return dice.reroll(condition, *chosen);
    case game::Operation::Kind::Change:
      if (operation.all || chosen == nullptr) {
        return dice.change_in_order(condition, operation.from, operation.to, amount, operation.all);
      }
      return dice.change(condition, *chosen, operation.to);
  }
  for (const int lock : operation.displaces) change_resource(lock, -1, condition);
}

/// Trials whose players stop after a different number of decisions never change the same dice, so their changes at the
/// same place of a decision are merged.
void EffectRecorder::defer(const game::Operation& operation, Bit condition, const std::vector<ChosenDice>& chosen) {
  const auto same = [&](const Deferred& other) {
    return other.operation == &operation && other.slot == *defer_at_ &&
           std::equal(chosen.begin(), chosen.end(), other.chosen.begin(), other.chosen.end(),
                      [](const ChosenDice& a, const ChosenDice& b) { return a.face == b.face && a.all == b.all; });
  };
  const auto at = std::find_if(deferred_.begin(), deferred_.end(), same);
  if (at == deferred_.end()) {
    deferred_.push_back({&operation, *defer_at_, condition, chosen});
    return;
  }
  for (std::size_t c = 0; c < chosen.size(); ++c)
    at->chosen[c].n = choose(logic_, condition, chosen[c].n, at->chosen[c].n);
  at->condition = logic_.either(at->condition, condition);
}

void EffectRecorder::apply_deferred() {
  std::vector<Deferred> all = std::exchange(deferred_, {});
  base::stable_sort(all, [](const Deferred& a, const Deferred& b) { return a.slot < b.slot; });
  for (const Deferred& change : all) {
    operate(*change.operation, change.operation->n, change.condition, &change.chosen);
  }
}

void EffectRecorder::suffer(int index, const Number& damage, Bit condition) {
  const auto s = static_cast<std::size_t>(index);
  const game::ShipPlan& ship = plan_.ships[s];
  const Number suffered = only_if(logic_, condition, damage);
  at_.totals.damage[s] = add(logic_, at_.totals.damage[s], suffered);
  Number gained = plan_.objective == game::Objective::Damage ? suffered : Number(0);
  if (ship.health >= 0) {
    const Number before = subtract(logic_, value(ship.health), game::kHealthZero);
    const Number after = maximum(logic_, subtract(logic_, before, suffered), 0);
    const Number removed = subtract(logic_, before, after);
    const Bit destroyed = logic_.both(less(logic_, 0, before), equal(logic_, after, 0));
    if (plan_.objective == game::Objective::Kill) gained = Number::of_bit(logic_.both(condition, destroyed));
    if (plan_.objective == game::Objective::Health || plan_.objective == game::Objective::Exchange) {
      gained = Number(removed.bits, 0, std::max(0, removed.max));
    }
    const Number left = add(logic_, after, game::kHealthZero);
    set_resource(ship.health, Number(left.bits, left.min, std::min(left.max, resource(ship.health).max)), condition);
  }
  at_.totals.gained[s] = add(logic_, at_.totals.gained[s], only_if(logic_, condition, gained));
}

void EffectRecorder::change_resource(int index, const Number& delta, Bit condition) {
  const Number changed = add(logic_, value(index), delta);
  set_resource(index, minimum(logic_, maximum(logic_, changed, 0), resource(index).max), condition);
}

void EffectRecorder::set_resource(int index, const Number& after, Bit condition) {
  if (resource(index).dynamic) value(index) = choose(logic_, condition, after, value(index));
}

}  // namespace salvo::sample
