// Applies effects: operations on dice, tokens and damage, up to a roll that the rest waits for.
#include <algorithm>
#include <array>
#include <cassert>

#include "game/counted_rerolls.h"
#include "game/play_parts.h"

namespace salvo::game {

void change_resource(const Plan& plan, Position& position, int index, int delta) {
  const Resource& r = resource(plan, index);
  const int value = std::clamp(position.resources.get(r) + delta, 0, r.max);
  if (r.dynamic) position.resources.set(r, value);
}

namespace {

/// A ship that gains a lock keeps as many others as it can have, and loses the rest.
void displace(const Plan& plan, Position& position, const Operation& operation) {
  int spares = operation.spares;
  for (auto other = operation.displaces.rbegin(); other != operation.displaces.rend(); ++other) {
    if (spares > 0 && position.resources.get(resource(plan, *other)) > 0) {
      --spares;
    } else {
      change_resource(plan, position, *other, -1);
    }
  }
}

}  // namespace

Pool after_choice(const Operation& operation, Pool pool, Pool chosen) {
  pool = pool.minus(chosen);
  if (operation.kind != Operation::Kind::Change) return pool;
  constexpr int kShift = kCountBits * base::kMaxFaces;
  for (const bool mark : {false, true}) {
    const Pool half(mark ? chosen.bits() >> kShift : chosen.bits() & ((std::uint64_t{1} << kShift) - 1));
    pool.add(operation.to, mark, dice_in(half));
  }
  return pool;
}

namespace {

/// The upper limit of dice set by a limit operation.
int limit_of(const Operation& operation, int amount) { return operation.amount.empty() ? operation.max : amount; }

/// Removes up to n results of the faces in their order, unmarked dice first.
void cancel(Pool& pool, const FaceList& faces, int n) {
  for (const int face : faces) {
    for (const bool mark : {false, true}) {
      const int k = std::min(n, pool.count(face, mark));
      pool.add(face, mark, -k);
      n -= k;
    }
  }
}

/// Changes up to `left` dice of the faces in their order, unmarked dice first.
void change(Pool& pool, const Operation& operation, int left) {
  for (const int face : operation.from) {
    if (face == operation.to) continue;
    for (const bool mark : {false, true}) {
      const int k = std::min(left, pool.count(face, mark));
      pool.add(face, mark, -k);
      pool.add(operation.to, mark, k);
      left -= k;
    }
  }
}

/// Applies an operation that leaves no choice. `amount`: of tokens, dice or damage.
void apply_operation(const Plan& plan, const AttackPlan& attack, const Operation& operation, int amount,
                     Position& position) {
  Pool& pool = pool_of(position, operation.attack_dice);
  switch (operation.kind) {
    case Operation::Kind::Pool:
      position.dice = static_cast<std::int8_t>(position.dice + (operation.amount.empty() ? operation.n : amount));
      break;
    case Operation::Kind::Limit:
      position.min_dice = std::max(position.min_dice, static_cast<std::int8_t>(operation.min));
      position.max_dice = std::min(position.max_dice, static_cast<std::int8_t>(limit_of(operation, amount)));
      break;
    case Operation::Kind::Change:
      change(pool, operation, operation.all ? base::kMaxPool : amount);
      break;
    case Operation::Kind::Add:
      pool.add(operation.to, false, std::min(amount, base::kMaxPool - dice_in(pool)));
      break;
    case Operation::Kind::Cancel:
      cancel(pool, operation.from, operation.all ? base::kMaxPool : amount);
      break;
    case Operation::Kind::Gain:
      change_resource(plan, position, operation.resource, amount);
      if (amount <= 0) break;
      position.used |= operation.sets;
      displace(plan, position, operation);
      break;
    case Operation::Kind::Lose:
      change_resource(plan, position, operation.resource,
                      operation.all ? -resource(plan, operation.resource).max : -amount);
      displace(plan, position, operation);
      break;
    case Operation::Kind::Damage:
      if (operation.recover) {
        recover_shields(plan, attack, position, operation.victim, amount);
      } else if (operation.shield) {
        lose_shields(plan, attack, position, operation, amount);
      } else {
        deal_extra(plan, attack, position, operation, amount);
        if (amount > 0) position.used |= operation.sets;
      }
      break;
    case Operation::Kind::Roll:
      position.pending = static_cast<std::uint8_t>(amount);
      position.pending_attack = operation.attack_dice;
      position.pending_side = amount > 0;
      break;
    case Operation::Kind::Hit:
      position.hit = true;
      if (operation.all) position.step = static_cast<std::uint8_t>(attack.after_dice);
      break;
    case Operation::Kind::Expose:
      add_exposures(position, operation.victim, amount);
      break;
    case Operation::Kind::Flip:
      flip(plan, operation, amount, position);
      break;
    case Operation::Kind::Deal:
      divert_card(plan, attack, operation, position);
      break;
    case Operation::Kind::Pick:
      pick_card(plan, attack, static_cast<std::size_t>(operation.to), position);
      break;
    case Operation::Kind::Reroll:
      assert(false && "a reroll needs chosen dice");
      break;
  }
}

/// Whether the operations after operation `o` wait for the dice that it rolls.
bool waits_for_dice(const Effect& effect, std::size_t o) {
  return effect.operations[o].kind == Operation::Kind::Roll || counts_rerolled(effect, o);
}

/// Amounts of all operations of an effect, evaluated before it does anything.
using Amounts = std::array<int, kMaxOperations>;

Amounts amounts_of(const Plan& plan, const Effect& effect, const Position& position) {
  Amounts out{};
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    const Operation& operation = effect.operations[i];
    out[i] = std::max(0, operation.amount.empty() ? operation.n : evaluate(plan, operation.amount, position));
  }
  return out;
}

/// Applies an operation to the chosen dice: spends, changes or picks them up.
void apply_to_chosen(const Operation& operation, Pool dice, Position& position) {
  Pool& pool = pool_of(position, operation.attack_dice);
  pool = after_choice(operation, pool, dice);
  if (operation.kind != Operation::Kind::Reroll) return;
  position.pending = static_cast<std::uint8_t>(dice_in(dice));
  position.pending_attack = position.pending > 0 && operation.attack_dice;
  if (position.pending > 0) position.used |= operation.sets;
}

/// Applies the operations of an effect from `first` on, up to a roll that the rest waits for. `chosen`: the dice of the
/// operation with a choice, or nullptr.
void apply_operations(const Plan& plan, const AttackPlan& attack, int index, std::size_t first, const Amounts& amounts,
                      const Pool* chosen, Position& position) {
  const Effect& effect = effect_of(attack, index);
  const Operation* choice = chosen == nullptr ? nullptr : choosing(effect);
  for (std::size_t o = first; o < effect.operations.size(); ++o) {
    const Operation& operation = effect.operations[o];
    if (&operation == choice) {
      apply_to_chosen(operation, *chosen, position);
    } else {
      apply_operation(plan, attack, operation, amounts[o], position);
    }
    if (position.pending > 0 && waits_for_dice(effect, o)) {
      position.resume = static_cast<std::uint8_t>(index + 1);
      return;
    }
  }
  if (effect.jump >= 0) position.step = static_cast<std::uint8_t>(effect.jump);
}

}  // namespace

void apply_effect(const Plan& plan, const AttackPlan& attack, int index, const Pool* chosen, Position& position) {
  const Effect& effect = effect_of(attack, index);
  const Amounts amounts = amounts_of(plan, effect, position);
  if (effect.used_bit >= 0) position.used |= 1u << effect.used_bit;
  position.used = (position.used | effect.sets) & ~effect.clears;
  for (const Cost& cost : effect.cost) change_resource(plan, position, cost.resource, -cost.n);
  apply_operations(plan, attack, index, 0, amounts, chosen, position);
}

void resume_effect(const Plan& plan, const AttackPlan& attack, Position& position) {
  const int index = position.resume - 1;
  const Effect& effect = effect_of(attack, index);
  std::size_t roll = 0;
  while (!waits_for_dice(effect, roll)) ++roll;
  const Amounts amounts = amounts_of(plan, effect, position);
  position.resume = 0;
  position.side_pool = SidePool();
  apply_operations(plan, attack, index, roll + 1, amounts, nullptr, position);
}

void apply_mandatory_effects(const Plan& plan, const AttackPlan& attack, Position& position) {
  const auto step = position.step;
  for (const int index : step_of(attack, position).effects) {
    const Effect& effect = effect_of(attack, index);
    const int times = evaluate(plan, effect.times, position);
    for (int i = 0; i < times && usable(plan, effect, position); ++i) {
      apply_effect(plan, attack, index, nullptr, position);
      if (position.step != step || position.pending > 0) return;
    }
  }
}

}  // namespace salvo::game
