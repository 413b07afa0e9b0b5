#include "rules/play.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "rules/damage.h"
#include "rules/position_parts.h"

namespace salvo::rules {

const Operation* choosing(const Effect& effect) {
  for (const Operation& operation : effect.operations) {
    if (chooses_dice(operation)) return &operation;
  }
  return nullptr;
}

void change_resource(const Plan& plan, Position& position, int index, int delta) {
  const Resource& r = resource(plan, index);
  const int value = std::clamp(position.resources.get(r) + delta, 0, r.max);
  if (r.dynamic) position.resources.set(r, value);
}

namespace {

const Effect& effect_of(const AttackPlan& attack, int index) { return attack.effects[static_cast<std::size_t>(index)]; }
const Step& step_of(const AttackPlan& attack, const Position& position) { return attack.steps[position.step]; }

/// The step of the position; while a player decides about a damage card the one that goes on afterwards.
const Step& going_on(const AttackPlan& attack, const Position& position) {
  return attack.steps[position.back > 0 ? position.back - 1u : position.step];
}

Pool& pool_of(Position& position, bool attack_dice) {
  return attack_dice ? position.attack_pool : position.defense_pool;
}
Pool pool_of(const Position& position, bool attack_dice) {
  return attack_dice ? position.attack_pool : position.defense_pool;
}

bool used(const Effect& effect, const Position& position) {
  return effect.used_bit >= 0 && (position.used >> effect.used_bit & 1u) != 0;
}

bool payable(const Plan& plan, const Effect& effect, const Position& position) {
  return std::all_of(effect.cost.begin(), effect.cost.end(),
                     [&](const Cost& cost) { return position.resources.get(resource(plan, cost.resource)) >= cost.n; });
}

/// The dice of a pool that an operation may be applied to.
Pool eligible(const Operation& operation, Pool pool) {
  Pool out;
  for (const int face : operation.from) {
    if (face == operation.to) continue;
    out.add(face, false, pool.count(face, false));
    if (operation.kind != Operation::Kind::Reroll) out.add(face, true, pool.count(face, true));
  }
  return out;
}

/// A cost is only paid for an effect that does something (000: Abilities): a change needs a die it changes. Dice that
/// are spent must all be there.
bool does_something(const Effect& effect, const Position& position) {
  bool out = effect.operations.empty();
  for (const Operation& operation : effect.operations) {
    if (!needs_dice(operation) || operation.if_none) {
      out = true;
      continue;
    }
    const int dice = dice_in(eligible(operation, pool_of(position, operation.attack_dice)));
    if (operation.kind == Operation::Kind::Cancel && operation.exact && dice < operation.n) return false;
    out = out || dice > 0;
  }
  return out;
}

}  // namespace

bool usable(const Plan& plan, const Effect& effect, const Position& position) {
  return !used(effect, position) && payable(plan, effect, position) &&
         (effect.when.empty() || evaluate(plan, effect.when, position) != 0);
}

namespace {

/// The most dice that a limit of `amount` allows.
int limit_of(const Operation& operation, int amount) { return operation.amount.empty() ? operation.max : amount; }

/// Removes up to n results of the faces, in their order, unmarked dice first.
void cancel(Pool& pool, const std::vector<int>& faces, int n) {
  for (const int face : faces) {
    for (const bool mark : {false, true}) {
      const int k = std::min(n, pool.count(face, mark));
      pool.add(face, mark, -k);
      n -= k;
    }
  }
}

/// Changes up to `left` dice from the faces, in their order, unmarked dice first.
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

/// One operation in which nobody has a choice left. `amount`: of tokens or damage.
void operate(const Plan& plan, const AttackPlan& attack, const Operation& operation, int amount, Position& position) {
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
      change(pool, operation, operation.all ? kMaxPool : amount);
      break;
    case Operation::Kind::Add:
      pool.add(operation.to, false, std::min(amount, kMaxPool - dice_in(pool)));
      break;
    case Operation::Kind::Cancel:
      cancel(pool, operation.from, operation.all ? kMaxPool : amount);
      break;
    case Operation::Kind::Gain:
      change_resource(plan, position, operation.resource, amount);
      for (const int other : operation.displaces) change_resource(plan, position, other, -1);
      break;
    case Operation::Kind::Lose:
      change_resource(plan, position, operation.resource,
                      operation.all ? -resource(plan, operation.resource).max : -amount);
      for (const int other : operation.displaces) change_resource(plan, position, other, -1);
      break;
    case Operation::Kind::Damage:
      deal_extra(plan, attack, position, operation.victim, amount, operation.crit);
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
      deal_otherwise(plan, attack, operation.all, position);
      break;
    case Operation::Kind::Reroll:
      assert(false && "a reroll needs chosen dice");
      break;
  }
}

/// Amounts of all operations of an effect, read before it does anything.
using Amounts = std::array<int, kMostOperations>;
Amounts amounts_of(const Plan& plan, const Effect& effect, const Position& position) {
  Amounts out{};
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    const Operation& operation = effect.operations[i];
    out[i] = std::max(0, operation.amount.empty() ? operation.n : evaluate(plan, operation.amount, position));
  }
  return out;
}

/// Pays for the chosen dice of an operation, or changes them.
void use_chosen(const Operation& operation, Pool dice, Position& position) {
  Pool& pool = pool_of(position, operation.attack_dice);
  pool = pool.minus(dice);
  if (operation.kind == Operation::Kind::Reroll) {
    position.pending = static_cast<std::uint8_t>(dice_in(dice));
    position.pending_attack = position.pending > 0 && operation.attack_dice;
  } else if (operation.kind == Operation::Kind::Change) {
    for (const bool mark : {false, true}) {
      constexpr int kShift = kCountBits * kMaxFaces;
      const Pool half(mark ? dice.bits() >> kShift : dice.bits() & ((std::uint64_t{1} << kShift) - 1));
      pool.add(operation.to, mark, dice_in(half));
    }
  }
}

/// The operations of an effect from `first` on, up to a roll that the rest has to wait for. `chosen`: the dice of the
/// operation in which the player chooses; nullptr: there is none.
void operate_from(const Plan& plan, const AttackPlan& attack, int index, std::size_t first, const Amounts& amounts,
                  const Pool* chosen, Position& position) {
  const Effect& effect = effect_of(attack, index);
  const Operation* choice = chosen == nullptr ? nullptr : choosing(effect);
  for (std::size_t o = first; o < effect.operations.size(); ++o) {
    const Operation& operation = effect.operations[o];
    if (&operation == choice) {
      use_chosen(operation, *chosen, position);
      continue;
    }
    operate(plan, attack, operation, amounts[o], position);
    if (operation.kind == Operation::Kind::Roll && position.pending > 0) {
      position.resume = static_cast<std::uint8_t>(index + 1);
      return;
    }
  }
  if (effect.jump >= 0) position.step = static_cast<std::uint8_t>(effect.jump);
}

}  // namespace

void perform(const Plan& plan, const AttackPlan& attack, int index, const Pool* chosen, Position& position) {
  const Effect& effect = effect_of(attack, index);
  const Amounts amounts = amounts_of(plan, effect, position);
  if (effect.used_bit >= 0) position.used |= 1u << effect.used_bit;
  position.used = (position.used | effect.sets) & ~effect.clears;
  for (const Cost& cost : effect.cost) change_resource(plan, position, cost.resource, -cost.n);
  operate_from(plan, attack, index, 0, amounts, chosen, position);
}

namespace {

/// What remains of an effect whose dice have been rolled.
void go_on(const Plan& plan, const AttackPlan& attack, Position& position) {
  const int index = position.resume - 1;
  const Effect& effect = effect_of(attack, index);
  const auto roll = std::find_if(effect.operations.begin(), effect.operations.end(),
                                 [](const Operation& o) { return o.kind == Operation::Kind::Roll; });
  const Amounts amounts = amounts_of(plan, effect, position);
  position.resume = 0;
  position.side_pool = SidePool();
  operate_from(plan, attack, index, static_cast<std::size_t>(roll - effect.operations.begin()) + 1, amounts, nullptr,
               position);
}

/// Mandatory effects in order, from `first` on; stops where dice have to be rolled or play goes on elsewhere.
void apply_mandatory(const Plan& plan, const AttackPlan& attack, Position& position) {
  const auto step = position.step;
  for (const int index : step_of(attack, position).effects) {
    const Effect& effect = effect_of(attack, index);
    const int times = evaluate(plan, effect.times, position);
    for (int i = 0; i < times && usable(plan, effect, position); ++i) {
      perform(plan, attack, index, nullptr, position);
      if (position.step != step || position.pending > 0) return;
    }
  }
}

/// Evades cancel hits, then critical hits (000: Attack, Neutralize Results), unless an effect says otherwise. Other
/// dice play no part afterwards.
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

/// All sub-multisets of `from` with `least` to `most` dice, field by field from `field` on.
void subsets(Pool from, int field, Pool chosen, int least, int most, std::int16_t effect, std::vector<Option>& out) {
  const std::uint64_t rest = field == 2 * kMaxFaces ? 0 : from.bits() >> kCountBits * field;
  if (rest == 0 || most == 0) {
    if (least <= 0) out.push_back({effect, chosen});
    return;
  }
  field += std::countr_zero(rest) / kCountBits;  // the next one with dice
  const int face = field % kMaxFaces;
  const bool mark = field >= kMaxFaces;
  for (int k = 0; k <= std::min(most, from.count(face, mark)); ++k) {
    Pool with = chosen;
    with.add(face, mark, k);
    subsets(from, field + 1, with, least - k, most - k, effect, out);
  }
}

void add_options(const Plan& plan, const Effect& effect, int index, const Position& position,
                 std::vector<Option>& out) {
  if (!usable(plan, effect, position) || !does_something(effect, position)) return;
  const auto id = static_cast<std::int16_t>(index);
  const Operation* operation = choosing(effect);
  if (operation == nullptr) {
    out.push_back({id, Pool()});
    return;
  }
  const Pool from = eligible(*operation, pool_of(position, operation->attack_dice));
  const int n = operation->amount.empty() ? operation->n : evaluate(plan, operation->amount, position);
  const int most = std::min(dice_in(from), operation->all ? kMaxPool : n);
  if (most <= 0 && !operation->if_none) return;
  const bool whole = operation->exact || operation->kind != Operation::Kind::Reroll;
  subsets(from, 0, Pool(), whole ? most : (operation->if_none ? 0 : 1), most, id, out);
}

}  // namespace

bool is_gone(const Plan& plan, const Resources& resources, int ship) {
  const int health = plan.ships[static_cast<std::size_t>(ship)].health;
  return health >= 0 && resources.get(resource(plan, health)) == kGone;
}

namespace {

bool has_all(const Plan& plan, const std::vector<Cost>& costs, const Resources& resources) {
  return std::all_of(costs.begin(), costs.end(),
                     [&](const Cost& cost) { return resources.get(resource(plan, cost.resource)) >= cost.n; });
}

/// The requirement of the weapon is met, or there is none.
bool meets(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  const auto has = [&](const Cost& cost) { return resources.get(resource(plan, cost.resource)) >= cost.n; };
  return attack.required.empty() || std::any_of(attack.required.begin(), attack.required.end(), has);
}

/// Whether a condition over tokens holds before the attack.
bool holds(const Plan& plan, const Expression& condition, const Resources& resources, bool if_empty) {
  if (condition.empty()) return if_empty;
  Position position;
  position.resources = resources;
  return evaluate(plan, condition, position) != 0;
}

/// What is paid in place of a requirement that is not met; nullptr when nothing can be.
const std::vector<Cost>* waiver(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  const auto at = std::find_if(attack.waivers.begin(), attack.waivers.end(), [&](const Waiver& waiver) {
    return holds(plan, waiver.when, resources, true) && has_all(plan, waiver.price, resources);
  });
  return at == attack.waivers.end() ? nullptr : &at->price;
}

}  // namespace

bool attack_happens(const Plan& plan, const AttackPlan& attack, const Resources& resources) {
  if (holds(plan, attack.prevented, resources, false)) return false;
  // A ship engages even when the ship that it would attack is gone.
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
    const int health = plan.ships[static_cast<std::size_t>(ship)].health;
    if (health >= 0 && out.get(resource(plan, health)) == kHealthZero) out.set(resource(plan, health), kGone);
  }
  for (const CardCounts& lost : attack.lost_after) turn_facedown(plan, lost, kMostCards, out);
  for (const auto& [from, into] : attack.merged_after) {
    out.set(resource(plan, into), out.get(resource(plan, into)) + out.get(resource(plan, from)));
    out.set(resource(plan, from), 0);
  }
  return out;
}

Need advance(const Plan& plan, const AttackPlan& attack, Position& position, int until) {
  if (position.pending > 0) return Need::Reroll;
  if (position.resume > 0) {
    const auto at = position.step;
    const auto& effects = step_of(attack, position).effects;  // a card that was dealt is in no step
    const bool in_step = std::find(effects.begin(), effects.end(), position.resume - 1) != effects.end();
    go_on(plan, attack, position);
    if (position.step == at && in_step && step_of(attack, position).kind == Step::Kind::Apply) ++position.step;
  }
  for (; position.step < until; ++position.step) {
    if (const auto need = settle_cards(plan, attack, position)) return *need;
    const Step& step = step_of(attack, position);
    const auto at = position.step;
    switch (step.kind) {
      case Step::Kind::Apply:
        apply_mandatory(plan, attack, position);
        if (position.pending > 0) return Need::Reroll;
        if (position.step != at) --position.step;  // play goes on at another step
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
        return Need::AttackRoll;
      case Step::Kind::RollDefense:
        return Need::DefenseRoll;
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
        return Need::Finished;
      case Step::Kind::Window:
        if (has_options(plan, attack, position)) return Need::Decision;
        break;
    }
  }
  return Need::Finished;
}

int roll_size(const Position& position) {
  // A set maximum beats a set minimum and later additions (001: FAQ); the edition's own limits are part of both.
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
  }
  if (--out.pending == 0) out.pending_attack = out.pending_side = false;
  return out;
}

bool has_options(const Plan& plan, const AttackPlan& attack, const Position& position) {
  for (const int index : step_of(attack, position).effects) {
    const Effect& effect = effect_of(attack, index);
    if (usable(plan, effect, position) && does_something(effect, position)) return true;
  }
  return false;
}

void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<Option>& options) {
  options.assign(1, Option{});
  for (const int index : step_of(attack, position).effects) {
    add_options(plan, effect_of(attack, index), index, position, options);
  }
  const auto& effects = step_of(attack, position).effects;
  if (std::none_of(effects.begin(), effects.end(), [&](int index) { return effect_of(attack, index).forced; })) return;
  const auto forced = [&](const Option& option) {
    return option.effect >= 0 && effect_of(attack, option.effect).forced;
  };
  if (std::none_of(options.begin(), options.end(), forced)) return;
  options.erase(options.begin());
  std::stable_partition(options.begin(), options.end(),
                        forced);  // a player who does no more than he must takes the first
}

Position take(const Plan& plan, const AttackPlan& attack, const Position& position, const Option& option) {
  Position out = position;
  if (option.effect < 0 && position.back > 0) {
    let_deal(plan, attack, out);
    return out;
  }
  if (option.effect < 0) {
    ++out.step;
    return out;
  }
  perform(plan, attack, option.effect, &option.dice, out);
  return out;
}

namespace {

/// The price of the effect is there, or an effect of the attack can still gain it.
bool may_be_payable(const Plan& plan, const AttackPlan& attack, const Effect& effect, const Position& position) {
  return std::all_of(effect.cost.begin(), effect.cost.end(), [&](const Cost& cost) {
    if (position.resources.get(resource(plan, cost.resource)) >= cost.n) return true;
    return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const Effect& other) {
      return std::any_of(other.operations.begin(), other.operations.end(), [&](const Operation& operation) {
        return operation.kind == Operation::Kind::Gain && operation.resource == cost.resource;
      });
    });
  });
}

}  // namespace

int most_dice(const AttackPlan& attack, bool attack_dice) {
  int base = 0;
  int limit = kMaxPool;
  int added = 0;
  for (const Step& step : attack.steps) {
    if (step.kind != (attack_dice ? Step::Kind::StartAttackDice : Step::Kind::StartDefenseDice)) continue;
    base = step.base;
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
  return std::min(kMaxPool, std::clamp(base, 0, limit) + added);
}

bool marks_matter(const Plan& plan, const AttackPlan& attack, const Position& position, bool attack_dice) {
  const Step& step = going_on(attack, position);
  for (auto s = static_cast<std::size_t>(step.earliest); s < attack.steps.size(); ++s) {
    if (attack.steps[s].kind != Step::Kind::Window) continue;
    for (const int index : attack.steps[s].effects) {
      const Effect& effect = effect_of(attack, index);
      const bool rerolls =
          std::any_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& operation) {
            return operation.kind == Operation::Kind::Reroll && operation.attack_dice == attack_dice;
          });
      if (rerolls && !used(effect, position) && may_be_payable(plan, attack, effect, position)) return true;
    }
  }
  return false;
}

void merge_unread(const Plan& plan, const AttackPlan& attack, Position& position) {
  constexpr std::uint64_t kMarked = ~((std::uint64_t{1} << kCountBits * kMaxFaces) - 1);
  if ((position.attack_pool.bits() & kMarked) != 0 && !marks_matter(plan, attack, position, true)) {
    position.attack_pool = position.attack_pool.unmarked();
  }
  if ((position.defense_pool.bits() & kMarked) != 0 && !marks_matter(plan, attack, position, false)) {
    position.defense_pool = position.defense_pool.unmarked();
  }
  position.used &= going_on(attack, position).read_later;
}

}  // namespace salvo::rules
