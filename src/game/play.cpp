#include "game/play.h"

#include <algorithm>

#include "base/index.h"
#include "game/play_parts.h"

namespace salvo::game {

bool is_gone(const Plan& plan, const Resources& resources, int ship) {
  const int health = base::nth(plan.ships, ship).health;
  return health >= 0 && resources.get(resource(plan, health)) == kGone;
}

namespace {

bool has_all(const Plan& plan, const Costs& costs, const Resources& resources) {
  return std::all_of(costs.begin(), costs.end(),
                     [&](const Cost& cost) { return resources.get(resource(plan, cost.resource)) >= cost.n; });
}

/// Whether the attacker has what the weapon requires.
bool meets(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  const auto has = [&](const Cost& cost) { return resources.get(resource(plan, cost.resource)) >= cost.n; };
  return attack.required.empty() || std::any_of(attack.required.begin(), attack.required.end(), has);
}

/// Whether a condition over resources holds before the attack.
bool holds(const Plan& plan, const Expression& condition, const Resources& resources, bool if_empty) {
  if (condition.empty()) return if_empty;
  Position position;
  position.resources = resources;
  return evaluate(plan, condition, position) != 0;
}

/// The price that replaces an unmet requirement, or nullptr.
const Costs* waiver(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  const auto at = std::find_if(attack.waivers.begin(), attack.waivers.end(), [&](const Waiver& waiver) {
    return holds(plan, waiver.when, resources, true) && has_all(plan, waiver.price, resources);
  });
  return at == attack.waivers.end() ? nullptr : &at->price;
}

}  // namespace

bool attack_happens(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  if (holds(plan, attack.prevented, resources, false)) return false;
  // A ship engages even if the ship it would attack is gone.
  return !is_gone(plan, resources, attack.attacker) &&
         (attack.engagement || !is_gone(plan, resources, attack.defender)) && has_all(plan, attack.cost, resources) &&
         (meets(plan, attack, resources) || waiver(plan, attack, resources) != nullptr);
}

Position begin_attack(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  Position position;
  position.resources = resources;
  if (!meets(plan, attack, resources)) {
    for (const Cost& cost : *waiver(plan, attack, resources)) change_resource(plan, position, cost.resource, -cost.n);
  }
  for (const Cost& cost : attack.cost) change_resource(plan, position, cost.resource, -cost.n);
  return position;
}

Resources end_attack(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  Resources out = resources;
  for (const int ship : attack.removed_after) {
    const int health = base::nth(plan.ships, ship).health;
    if (health >= 0 && out.get(resource(plan, health)) == kHealthZero) out.set(resource(plan, health), kGone);
  }
  for (const CardCounts& lost : attack.flipped_after) turn_facedown(plan, lost, base::kMaxCards, out);
  for (const auto& [from, into] : attack.merged_after) {
    out.set(resource(plan, into), out.get(resource(plan, into)) + out.get(resource(plan, from)));
    out.set(resource(plan, from), 0);
  }
  return out;
}

namespace {

/// Evades cancel hits, then critical hits (000: Attack, Neutralize Results), unless an effect says otherwise. Other
/// dice have no further use.
void neutralize(const Plan& plan, const AttackPlan& attack, Position& position) {
  int evades = count_face(position.defense_pool, plan.defense_die.evade);
  Pool left;
  const auto pair_up = [&](int face, bool uncancellable) {
    if (face < 0) return;
    const int results = position.attack_pool.count(face);
    const int cancelled = uncancellable ? 0 : std::min(results, evades);
    evades -= cancelled;
    left.add(face, false, results - cancelled);
  };
  if (attack.crits_first) pair_up(plan.attack_die.crit, attack.uncancellable_crits);
  pair_up(plan.attack_die.hit, attack.uncancellable_hits);
  if (!attack.crits_first) pair_up(plan.attack_die.crit, attack.uncancellable_crits);
  position.attack_pool = left;
  position.defense_pool = Pool();
}

void deal_damage(const Plan& plan, const AttackPlan& attack, Position& position) {
  position.hits = static_cast<std::uint8_t>(count_face(position.attack_pool, plan.attack_die.hit));
  position.crits = static_cast<std::uint8_t>(count_face(position.attack_pool, plan.attack_die.crit));
  position.attack_pool = Pool();
  position.min_dice = position.max_dice = position.dice = 0;
  suffer(plan, attack, position, kDefender, position.hits, position.crits);
}

}  // namespace

NextEvent advance(const Plan& plan, const AttackPlan& attack, Position& position, int until) {
  if (position.pending > 0) return NextEvent::Reroll;
  if (position.resume > 0) {
    const auto at = position.step;
    const auto& effects = step_of(attack, position).effects;  // effects of damage cards belong to no step
    const bool in_step = base::contains(effects, position.resume - 1);
    resume_effect(plan, attack, position);
    if (position.step == at && in_step && step_of(attack, position).kind == Step::Kind::Apply) ++position.step;
  }
  for (; position.step < until; ++position.step) {
    if (const auto event = resolve_damage_cards(plan, attack, position)) return *event;
    const Step& step = step_of(attack, position);
    const auto at = position.step;
    switch (step.kind) {
      case Step::Kind::Apply:
        apply_mandatory_effects(plan, attack, position);
        if (position.pending > 0) return NextEvent::Reroll;
        if (position.step != at) --position.step;  // an effect jumped to another step
        break;
      case Step::Kind::Deal:
        break;
      case Step::Kind::StartAttackDice:
      case Step::Kind::StartDefenseDice:
        position.dice = static_cast<std::int8_t>(step.base);
        position.min_dice = static_cast<std::int8_t>(step.min);
        position.max_dice = static_cast<std::int8_t>(step.max);
        break;
      case Step::Kind::Floor:
        position.dice = std::max<std::int8_t>(position.dice, 0);
        break;
      case Step::Kind::RollAttack:
        return NextEvent::AttackRoll;
      case Step::Kind::RollDefense:
        return NextEvent::DefenseRoll;
      case Step::Kind::Neutralize:
        neutralize(plan, attack, position);
        break;
      case Step::Kind::Outcome:
        position.hit = position.hit || results_left(plan, position) > 0;
        break;
      case Step::Kind::Damage:
        deal_damage(plan, attack, position);
        break;
      case Step::Kind::End:
        return NextEvent::Finished;
      case Step::Kind::Window:
        if (has_options(plan, attack, position)) return NextEvent::Decision;
        break;
    }
  }
  return NextEvent::Finished;
}

int roll_size(const Position& position) {
  // A set maximum overrides a set minimum and later additions (001: FAQ); both include the edition's own limits.
  return std::min<int>(std::max<int>(position.dice, position.min_dice), position.max_dice);
}

Position after_roll(const AttackPlan& attack, const Position& position, Pool rolled) {
  Position out = position;
  pool_of(out, step_of(attack, position).kind == Step::Kind::RollAttack) = rolled;
  out.dice = out.min_dice = out.max_dice = 0;
  ++out.step;
  return out;
}

Position after_reroll(const Position& position, int face) {
  Position out = position;
  if (out.pending_side) {
    out.side_pool.add(face, 1);
  } else {
    pool_of(out, position.pending_attack).add(face, true, 1);
    if (out.resume > 0) out.side_pool.add(face, 1);
  }
  if (--out.pending == 0) out.pending_attack = out.pending_side = false;
  return out;
}

Position take(const Plan& plan, const AttackPlan& attack, const Position& position, const Option& option) {
  Position out = position;
  if (option.effect < 0 && position.return_step > 0) {
    keep_card(plan, attack, out);
    return out;
  }
  if (option.effect < 0) {
    ++out.step;
    return out;
  }
  apply_effect(plan, attack, option.effect, &option.dice, out);
  return out;
}

int most_dice(const AttackPlan& attack, bool attack_dice) {
  int base = 0;
  int least = 0;
  int limit = base::kMaxPool;
  int added = 0;
  for (const Step& step : attack.steps) {
    if (step.kind != (attack_dice ? Step::Kind::StartAttackDice : Step::Kind::StartDefenseDice)) continue;
    base = step.base;
    least = step.min;
    limit = step.max;
  }
  for (const Effect& effect : attack.effects) {
    for (const Operation& operation : effect.operations) {
      if (operation.attack_dice != attack_dice) continue;
      const int most = most_dice_of(operation);
      if (operation.kind == Operation::Kind::Pool) base += std::max(0, most);
      if (operation.kind == Operation::Kind::Add) added += most;
      if (operation.kind == Operation::Kind::Limit) base = std::max(base, operation.min);
    }
  }
  return std::min(base::kMaxPool, std::clamp(std::max(base, least), 0, limit) + added);
}

}  // namespace salvo::game
