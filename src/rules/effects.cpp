// Effects: the rules of the edition and of cards, compiled for one attack.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rules/attack_draft.h"

namespace salvo::rules {
namespace {

bool on_attack_dice(const OperationSpec& spec, const Owner& owner) {
  return spec.dice == "attack" || (spec.dice == "own" && owner.attacks);
}

void compile_faces(const AttackDraft& attack, const EffectSpec& effect, const OperationSpec& spec, Operation& out) {
  const Edition& edition = attack.draft.edition;
  const DieSpec& die = out.attack_dice ? edition.attack_die : edition.defense_die;
  const auto index = [&](const std::string& name) {
    const int face = face_of(die, name == "success" ? (out.attack_dice ? "hit" : "evade") : name);
    if (face < 0)
      throw LoadError(
          fmt::format("{}: the {} die has no face '{}'", effect.place, out.attack_dice ? "attack" : "defense", name));
    return face;
  };
  const bool any = spec.from.empty() || (spec.from.size() == 1 && spec.from[0] == "any");
  for (int f = 0; any && f < static_cast<int>(die.faces.size()); ++f) out.from.push_back(f);
  for (std::size_t i = 0; !any && i < spec.from.size(); ++i) out.from.push_back(index(spec.from[i]));
  if (!spec.to.empty()) out.to = index(spec.to);
}

/// The operation, or nothing when it is forbidden or touches a resource that the ship cannot have.
std::optional<Operation> compile_operation(const AttackDraft& attack, const EffectSpec& effect,
                                           const OperationSpec& spec, const Owner& owner) {
  Operation out{.attack_dice = on_attack_dice(spec, owner),
                .n = spec.n,
                .all = spec.all,
                .exact = spec.exact,
                .if_none = spec.if_none};
  const Forbidden& forbidden = attack.forbidden;
  switch (spec.verb) {
    case Verb::Pool:
      if (out.attack_dice && spec.n > 0 && forbidden.add_attack_dice) return std::nullopt;
      if (!out.attack_dice && spec.n < 0 && forbidden.reduce_defense_dice[owner.attacks]) return std::nullopt;
      out.kind = Operation::Kind::Pool;
      return out;
    case Verb::Limit:
      out.kind = Operation::Kind::Limit;
      out.min = spec.min.value_or(attack.draft.edition.min_dice);
      out.max = spec.max.value_or(attack.draft.edition.max_dice);
      return out;
    case Verb::Gain:
    case Verb::Lose:
      out.kind = spec.verb == Verb::Gain ? Operation::Kind::Gain : Operation::Kind::Lose;
      out.resource = resource_of(attack, spec.token, (spec.who == "foe") != owner.attacks, &owner);
      if (out.resource < 0) return std::nullopt;
      out.amount = compile_expression(attack, effect, spec.amount, owner);
      return out;
    case Verb::Cancel:
      if (forbidden.cancel[owner.attacks][out.attack_dice]) return std::nullopt;
      out.kind = Operation::Kind::Cancel;
      break;
    case Verb::Change:
      out.kind = Operation::Kind::Change;
      break;
    case Verb::Reroll:
      out.kind = Operation::Kind::Reroll;
      break;
    case Verb::Add:
      out.kind = Operation::Kind::Add;
      break;
    case Verb::Damage:
      out.kind = Operation::Kind::Damage;
      out.to_attacker = (spec.who == "foe") != owner.attacks;
      out.amount = compile_expression(attack, effect, spec.amount, owner);
      return out;
    case Verb::Forbid:
    case Verb::Stat:
    case Verb::Neutralize:
      return std::nullopt;
  }
  if (spec.verb != Verb::Cancel && forbidden.modify[owner.attacks][out.attack_dice]) return std::nullopt;
  compile_faces(attack, effect, spec, out);
  return out;
}

void forbid(AttackDraft& attack, const EffectSpec& effect, const OperationSpec& spec, const Owner& owner) {
  Forbidden& f = attack.forbidden;
  const bool dice = on_attack_dice(spec, owner);
  const bool who = (spec.who == "foe") != owner.attacks;
  if (spec.what == "add-dice" && dice) {
    f.add_attack_dice = true;
  } else if (spec.what == "reduce-dice" && !dice) {
    f.reduce_defense_dice[who] = true;
  } else if (spec.what == "modify") {
    f.modify[who][dice] = true;
  } else if (spec.what == "cancel") {
    f.cancel[who][dice] = true;
  } else {
    throw LoadError(fmt::format(
        "{}: forbid \"{}\" of {} dice is not known; known are add-dice (attack), reduce-dice (defense), modify, cancel",
        effect.place, spec.what, spec.dice));
  }
}

bool owner_matches(const EffectSpec& effect, const Owner& owner) {
  return effect.side == "any" || (effect.side == "attacker") == owner.attacks;
}

/// Order of neutralizing and results that evades cannot cancel (verb neutralize).
void set_neutralize(AttackDraft& attack, const EffectSpec& effect, const Owner& owner) {
  const auto& operations = effect.operations;
  if (std::none_of(operations.begin(), operations.end(),
                   [](const OperationSpec& spec) { return spec.verb == Verb::Neutralize; }))
    return;
  int value = 1;
  const Expression when = compile_expression(attack, effect, effect.when, owner);
  if (!when.empty() && !is_constant(when, value)) {
    throw LoadError(
        fmt::format("{}: a condition of the verb neutralize may not depend on dice or tokens", effect.place));
  }
  if (value == 0) return;
  for (const OperationSpec& spec : effect.operations) {
    if (spec.verb != Verb::Neutralize) continue;
    attack.plan.crits_first = attack.plan.crits_first || spec.order == "crit-first";
    for (const std::string& face : spec.from)
      (face == "hit" ? attack.plan.uncancellable_hits : attack.plan.uncancellable_crits) = true;
  }
}

/// Collects what the always-window forbids; its conditions must not depend on dice or tokens.
void collect_forbidden(AttackDraft& attack, const std::vector<EffectSpec>& effects, const Owner& owner) {
  for (const EffectSpec& effect : effects) {
    if (effect.at != Window::Always || !owner_matches(effect, owner)) continue;
    int value = 1;
    const Expression when = compile_expression(attack, effect, effect.when, owner);
    if (!when.empty() && !is_constant(when, value)) {
      throw LoadError(
          fmt::format("{}: a condition of an effect at \"always\" may not depend on dice or tokens", effect.place));
    }
    if (value == 0) continue;
    for (const OperationSpec& spec : effect.operations) {
      if (spec.verb == Verb::Forbid) forbid(attack, effect, spec, owner);
    }
  }
}

Window actual_window(const EffectSpec& effect, const Owner& owner) {
  if (effect.at != Window::OwnMod) return effect.at;
  return owner.attacks ? Window::AttackMod : Window::DefenseMod;
}

}  // namespace

bool compile_costs(const AttackDraft& attack, const std::vector<CostSpec>& specs, const Owner& owner,
                   std::vector<Cost>& out) {
  for (const CostSpec& spec : specs) {
    const int index = resource_of(attack, spec.token, (spec.who == "foe") != owner.attacks, &owner);
    if (index < 0) return false;
    out.push_back({index, spec.n});
  }
  return true;
}

namespace {

void add_effect(AttackDraft& attack, const EffectSpec& spec, const Owner& owner) {
  if (spec.at == Window::Always || !owner_matches(spec, owner)) return;
  set_neutralize(attack, spec, owner);
  Effect effect{.may = spec.may};
  effect.when = compile_expression(attack, spec, spec.when, owner);
  effect.times = compile_expression(attack, spec, spec.times, owner);
  int value = 0;
  if (is_constant(effect.when, value)) {
    if (value == 0) return;
    effect.when.clear();
  }
  if (is_constant(effect.times, value) && value <= 0) return;
  if (!compile_costs(attack, spec.cost, owner, effect.cost)) return;
  for (const OperationSpec& operation : spec.operations) {
    if (auto compiled = compile_operation(attack, spec, operation, owner)) effect.operations.push_back(*compiled);
  }
  if (effect.operations.empty()) return;
  if (effect.operations.size() > kMostOperations)
    throw LoadError(fmt::format("{}: more than {} operations in one effect", spec.place, kMostOperations));
  if (spec.once_per_round) {
    const int ship = owner.attacks ? attack.plan.attacker : attack.plan.defender;
    effect.cost.push_back({attack.draft.find_resource(Resource::Kind::Flag, ship, owner.card_number), 1});
  }
  if (spec.once_per_attack || (owner.card != nullptr && spec.may && !spec.repeats)) {
    int bit = 0;
    for (const Effect& other : attack.plan.effects) bit = std::max(bit, other.used_bit + 1);
    if (bit > 31) throw LoadError(fmt::format("{}: more than 32 effects are limited to once per attack", spec.place));
    effect.used_bit = bit;
  }
  attack.by_window[{actual_window(spec, owner), spec.may}][owner.attacks].push_back(
      static_cast<int>(attack.plan.effects.size()));
  attack.plan.effects.push_back(std::move(effect));
}

}  // namespace

void add_effects(AttackDraft& attack) {
  const Draft& draft = attack.draft;
  for (const bool collect : {true, false}) {
    const auto each = [&](const std::vector<EffectSpec>& effects, const Owner& owner) {
      if (collect) return collect_forbidden(attack, effects, owner);
      for (const EffectSpec& effect : effects) add_effect(attack, effect, owner);
    };
    for (const bool attacks : {false, true}) {
      each(draft.edition.effects, {attacks});
      const ShipDraft& ship =
          draft.ships[static_cast<std::size_t>(attacks ? attack.plan.attacker : attack.plan.defender)];
      for (std::size_t c = 0; c < ship.cards.size(); ++c)
        each(ship.cards[c]->effects, {attacks, ship.cards[c], static_cast<int>(c)});
    }
  }
}

}  // namespace salvo::rules
