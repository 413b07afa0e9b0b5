// Whether an attack can deal damage for any roll.
#include <algorithm>

#include "base/index.h"
#include "battle/attack_model.h"

namespace salvo::battle {
namespace {

bool is_damage_source(const game::Operation& one) {
  using Kind = game::Operation::Kind;
  switch (one.kind) {
    case Kind::Pool:
      return one.attack_dice && (one.n > 0 || !one.amount.empty());
    case Kind::Add:
      return one.attack_dice;
    case Kind::Limit:
      return one.attack_dice && one.min > 0;
    case Kind::Damage:
      return !one.recover;
    case Kind::Expose:
      return true;
    default:
      return false;  // it needs dice or cards that other effects add
  }
}

bool rolls_dice(const game::Step& step) {
  return step.kind == game::Step::Kind::StartAttackDice && (step.base > 0 || step.min > 0);
}

/// Whether the attack has dice, or an effect that can add some or do damage without them.
bool has_damage_source(const game::AttackPlan& attack) {
  return std::any_of(attack.steps.begin(), attack.steps.end(), [&](const game::Step& step) {
    if (step.kind == game::Step::Kind::Deal) return false;  // of damage that other steps do
    return rolls_dice(step) || std::any_of(step.effects.begin(), step.effects.end(), [&](int e) {
             const auto& operations = base::nth(attack.effects, e).operations;
             return std::any_of(operations.begin(), operations.end(), is_damage_source);
           });
  });
}

bool can_gain(const game::Plan& plan, int resource) {
  for (const game::AttackPlan& attack : plan.attacks) {
    for (const game::Effect& effect : attack.effects) {
      for (const game::Operation& one : effect.operations) {
        if (one.kind == game::Operation::Kind::Gain && one.resource == resource) return true;
      }
    }
  }
  return false;
}

/// The part of the cost of the attack that never recovers, if any.
DamagePotential potential_of(const compile::CompiledScenario& asked, const game::AttackPlan& attack,
                             const ShipType& attacker) {
  for (const game::Cost& cost : attack.cost) {
    const auto r = static_cast<std::size_t>(cost.resource);
    const std::string label = slot_label(asked.plan, asked.labels, r);
    const int slot = label.empty() ? -1 : slot_of(attacker, label);
    if (slot < 0 || asked.plan.resources[r].ship != attack.attacker) continue;
    const Slot& paid = base::nth(attacker.slots, slot);
    if (paid.token < 0 && !paid.gained && !paid.end.renews && paid.end.recover <= 0) return {true, slot, cost.n};
  }
  return {true, -1, 0};
}

enum class Stock { Start, Actions, All };

/// The tokens of a ship: its initial ones, or in addition one of each kind that actions give, or of all kinds.
Counts stocked(const ShipType& type, Stock stock) {
  Counts out;
  for (const Slot& slot : type.slots) {
    const bool action = std::find(kTokenActions.begin(), kTokenActions.end(), slot.label) != kTokenActions.end();
    const bool more = slot.token >= 0 && slot.max > 0 && (stock == Stock::All || (stock == Stock::Actions && action));
    out.push_back(static_cast<std::uint8_t>(more ? std::max(1, slot.initial) : slot.initial));
  }
  return out;
}

}  // namespace

bool AttackModel::rolls_freely(const game::Plan& plan) {
  return std::any_of(plan.attacks.begin(), plan.attacks.end(), [](const game::AttackPlan& attack) {
    return attack.cost.empty() && std::any_of(attack.steps.begin(), attack.steps.end(), rolls_dice);
  });
}

void AttackModel::note_gains(const compile::CompiledScenario& asked, int ship, ShipType& type) {
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    if (asked.plan.resources[r].ship != ship || !can_gain(asked.plan, static_cast<int>(r))) continue;
    const std::string label = slot_label(asked.plan, asked.labels, r);
    if (const int slot = label.empty() ? -1 : slot_of(type, label); slot >= 0)
      base::nth(type.slots, slot).gained = true;
  }
}

DamagePotential AttackModel::can_damage(const AttackKey& key) const {
  const ShipType &a = type(key.attacker), &d = type(key.defender);
  if (base::nth(rolls_[pair_of(key.attacker, key.defender)], key.weapon)) return {true, -1, 0};
  std::optional<DamagePotential> out;
  // Cards may require tokens, or their absence.
  for (const Stock stock : {Stock::Start, Stock::Actions, Stock::All}) {
    AttackKey with = key;
    with.lock = stock != Stock::Start;
    try {
      Scenario named = scenario(with, stocked(a, stock), stocked(d, stock));
      const compile::CompiledScenario asked = compiled(named);
      for (const game::AttackPlan& attack : asked.plan.attacks) {
        if (!has_damage_source(attack)) continue;
        const DamagePotential found = potential_of(asked, attack, a);
        out = out && *out != found ? DamagePotential{true, -1, 0} : found;
      }
    } catch (const Error& error) {
      if (!error.path.starts_with("attacks[")) return {true, -1, 0};  // not known
      // Otherwise the attack cannot be made.
    }
  }
  return out.value_or(DamagePotential());
}

}  // namespace salvo::battle
