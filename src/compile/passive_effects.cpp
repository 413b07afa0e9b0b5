// Effects at "always": what they forbid, waive, lend or override in an attack, and the order of neutralizing.
#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "compile/attack_draft.h"

namespace salvo::compile {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) { return base::contains(words, word); }

/// Whether a token is in a list, where "green" stands for all green tokens (000: Tokens).
bool is_one_of(const AttackDraft& attack, const std::string& id, const std::vector<std::string>& tokens) {
  if (contains(tokens, id)) return true;
  const int token = attack.draft.token_index(id);
  return token >= 0 && contains(tokens, "green") && base::nth(attack.draft.edition.tokens, token).green;
}

bool paid_with(const AttackDraft& attack, const load::EffectSpec& effect, const std::vector<std::string>& tokens) {
  return std::any_of(effect.cost.begin(), effect.cost.end(),
                     [&](const load::CostSpec& cost) { return is_one_of(attack, cost.token, tokens); });
}

/// Whether a rule applies to effects of this ship.
bool concerns(const AttackDraft& attack, const Forbidden& rule, int ship) {
  if (rule.ship >= 0) return rule.ship == ship;
  const bool attacks = attack.ship(ship).mine == attack.ship(attack.plan.attacker).mine;
  return !rule.attackers || *rule.attackers == attacks;
}

/// Whether a ship that the rule applies to pays one of its tokens.
bool spends(const AttackDraft& attack, const Forbidden& rule, const load::EffectSpec& effect, const Owner& owner) {
  return std::any_of(effect.cost.begin(), effect.cost.end(), [&](const load::CostSpec& cost) {
    return is_one_of(attack, cost.token, rule.source) && concerns(attack, rule, attack.ship_of(cost.who, owner));
  });
}

/// Whether a ship that the rule applies to acquires a lock on the ship that it protects.
bool acquires(const AttackDraft& attack, const Forbidden& rule, const load::OperationSpec& operation,
              const Owner& owner) {
  if (operation.verb != load::Verb::Gain || operation.token != "lock") return false;
  const int ship = attack.ship_of(operation.who, owner);
  return concerns(attack, rule, ship) && locked_ship(attack, operation, ship, owner) == rule.locked;
}

/// The ship that acts: the friend that attacks or defends, unless the data says that it is the ship with the card.
int acting_ship(const AttackDraft& attack, const load::EffectSpec& effect, const Owner& owner) {
  return effect.card_acts ? owner.ship : attack.ship_of("friend", owner);
}

/// Whether the rule covers an operation.
bool covers(const AttackDraft& attack, const Forbidden& rule, const load::OperationSpec& operation, bool attack_dice,
            int acting) {
  if (rule.attack_dice && *rule.attack_dice != attack_dice) return false;
  const load::Verb verb = operation.verb;
  if (rule.what == "add-dice") return verb == load::Verb::Pool && operation.n > 0;  // by any ship
  if (!concerns(attack, rule, acting)) return false;
  const bool limits = verb == load::Verb::Limit && (operation.max || !operation.amount.empty());
  if (rule.what == "reduce-dice") return limits || (verb == load::Verb::Pool && operation.n < 0);
  if (rule.what == "cancel") return verb == load::Verb::Cancel;
  if (rule.what == "reroll") return verb == load::Verb::Reroll;
  // Spending results is a modification too (000: Dice_Modification).
  return rule.what == "modify" && operation.modifies &&
         (verb == load::Verb::Change || verb == load::Verb::Reroll || verb == load::Verb::Add ||
          verb == load::Verb::Spend);
}

/// Disjunction; an empty condition never holds.
game::Expression either(const game::Expression& a, const game::Expression& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return combined(a, b, Code::Or);
}

void forbid(AttackDraft& attack, const load::EffectSpec& effect, const load::OperationSpec& spec, const Owner& owner,
            const game::Expression& when) {
  if (spec.what == "spend" && spec.source.empty())
    throw LoadError(fmt::format("{}: forbid \"spend\" needs source = [tokens]", effect.place));
  if (spec.what == "attack") {
    const int ship = spec.who == "foe" ? attack.ship_of("foe", owner) : owner.ship;
    if (ship != attack.plan.attacker || attack.entry.engagement) return;
    if (attack.entry.twice == SequenceEntry::Twice::Second) return;  // declared with the first
    game::Expression& prevented = attack.plan.prevented;
    prevented = either(prevented, when.empty() ? constant(1) : when);
    return;
  }
  if (spec.what != "spend" && spec.what != "lock" && spec.dice.empty())
    throw LoadError(fmt::format("{}: forbid \"{}\" needs dice = \"attack\" or \"defense\"", effect.place, spec.what));
  const bool of_side = spec.who == "foes" || spec.who == "friends";
  Forbidden rule{.what = spec.what,
                 .ship = of_side || spec.who == "all" ? -1 : attack.ship_of(spec.who, owner),
                 .attackers = of_side ? std::optional((spec.who == "friends") == owner.attacks) : std::nullopt,
                 .attack_dice = std::nullopt,
                 .source = spec.source,
                 .except = spec.except,
                 .card = owner.card,
                 .when = when,
                 .beyond_one = spec.max.has_value(),
                 .face = spec.from.empty() ? std::string() : spec.from.front(),
                 .locked = spec.what == "lock" ? locked_ship(attack, spec, owner.ship, owner) : -1};
  if (!spec.dice.empty()) rule.attack_dice = spec.dice == "attack" || (spec.dice == "own" && owner.attacks);
  attack.forbidden.push_back(std::move(rule));
}

[[noreturn]] void refuse_condition(const load::EffectSpec& effect, const char* verb, const char* what) {
  throw LoadError(fmt::format("{}: a condition of the verb {} may not depend on {}", effect.place, verb, what));
}

/// Whether an expression reads only resources, which are known before the attack.
bool reads_only_tokens(const game::Expression& expression) {
  return std::all_of(expression.begin(), expression.end(), [](const game::ExpressionOp& op) {
    return op.code == Code::Constant || op.code == Code::Resource || op.code >= Code::Add;
  });
}

/// Adds the waiver of the weapon's requirement, if the effect is about a token that the weapon requires.
void waive(AttackDraft& attack, const load::EffectSpec& effect, const load::OperationSpec& spec, const Owner& owner,
           const game::Expression& when) {
  const auto& needed = attack.weapon.requires_tokens;
  if (!owner.attacks || needed.empty() || !(spec.token.empty() || contains(needed, spec.token))) return;
  if (!reads_only_tokens(when)) refuse_condition(effect, "waive", "dice");
  game::Waiver waiver{.price = {}, .when = when};
  if (compile_costs(attack, effect.cost, owner, waiver.price)) attack.plan.waivers.push_back(std::move(waiver));
}

/// Sets the order of neutralizing and the results that evades cannot cancel (verb neutralize).
void set_neutralize(AttackDraft& attack, const load::OperationSpec& spec) {
  attack.plan.crits_first = attack.plan.crits_first || spec.order == "crit-first";
  for (const std::string& face : spec.from)
    (face == "hit" ? attack.plan.uncancellable_hits : attack.plan.uncancellable_crits) = true;
}

}  // namespace

void collect_overrides(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  const load::EffectSpec& effect = *prepared.spec;
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    const load::OperationSpec& spec = effect.operations[i];
    if (spec.verb != load::Verb::Treat) continue;
    if (!contains({"range", "initiative", "obstructed"}, spec.fact) && !attack.draft.is_board_fact(spec.fact))
      throw LoadError(
          fmt::format("{}: nothing can be treated as '{}'; name range, initiative, obstructed or a board fact",
                      effect.place, spec.fact));
    int holds = 1;
    int value = 0;
    const game::Expression when = compile_expression(attack, effect, prepared.when, owner);
    const bool fixed = when.empty() || is_constant(when, holds);
    const game::Expression asked = fixed ? game::Expression() : when;  // valid until the next expression is compiled
    if (!fixed && (spec.fact == "range" || spec.fact == "initiative"))
      refuse_condition(effect, "treat", "dice or tokens");
    if (!fixed && !reads_only_tokens(when)) refuse_condition(effect, "treat", "dice");
    if (holds == 0) continue;
    const bool board_fact = attack.draft.is_board_fact(spec.fact);
    const game::Expression ally = board_fact && owner.ally >= 0 ? in_play(attack, owner.ally) : game::Expression();
    game::Expression lasts = fixed && ally.empty() ? ally : both(both(in_play(attack, owner.ship), ally), asked);
    if (!is_constant(compile_expression(attack, effect, prepared.amounts[i], owner), value))
      throw LoadError(fmt::format("{}: the amount of the verb treat may not depend on dice or tokens", effect.place));
    if (fixed && ally.empty()) {
      attack.overrides[spec.fact] = value;
    } else {
      attack.conditional_overrides[spec.fact].emplace_back(std::move(lasts), value != 0);
    }
  }
}

void collect_passive(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  const load::EffectSpec& effect = *prepared.spec;
  const game::Expression& condition = compile_expression(attack, effect, prepared.when, owner);
  int holds = 1;
  if (is_constant(condition, holds) && holds == 0) return;
  game::Expression when = condition;
  if (owner.card != nullptr) when = both(both(in_play(attack, owner.ship), has_card(attack, owner)), when);
  if (owner.ally >= 0) when = both(in_play(attack, owner.ally), when);
  if (owner.enemy >= 0 && owner.enemy != owner.ally) when = both(in_play(attack, owner.enemy), when);
  int value = 1;
  const bool fixed = when.empty() || is_constant(when, value);
  if (fixed && value == 0) return;
  for (const load::OperationSpec& spec : effect.operations) {
    if (spec.verb == load::Verb::Forbid) {
      forbid(attack, effect, spec, owner, fixed ? game::Expression() : when);
    } else if (spec.verb == load::Verb::Convert) {
      game::Expression& converts = attack.hits_are_crits[owner.ship];
      converts = either(converts, fixed ? constant(1) : when);
    } else if (spec.verb == load::Verb::Lend) {
      Lender lender{.ship = owner.ship,
                    .borrower = attack.ship_of("friend", owner),
                    .token = spec.token,
                    .pays = {},
                    .when = fixed ? game::Expression() : when,
                    .owner = owner,
                    .effect = &prepared};
      if (spec.source.empty()) attack.lenders.push_back(lender);
      for (const std::string& token : spec.source) {
        lender.pays = token;
        attack.lenders.push_back(lender);
      }
    } else if (spec.verb == load::Verb::Waive) {
      waive(attack, effect, spec, owner, fixed ? game::Expression() : when);
    } else if (spec.verb == load::Verb::Pick) {
      const bool facedown = spec.of == "facedown";
      if (!fixed && !facedown) refuse_condition(effect, "pick", "dice or tokens");
      attack.card_picks.push_back({.ship = attack.ship_of(spec.who, owner),
                                   .attackers = owner.attacks,
                                   .facedown = facedown,
                                   .n = spec.n,
                                   .when = fixed ? game::Expression() : when,
                                   .card = owner.card->id});
    } else if (spec.verb == load::Verb::Neutralize) {
      if (!fixed) refuse_condition(effect, "neutralize", "dice or tokens");
      set_neutralize(attack, spec);
    }
  }
}

Allowed allowed(const AttackDraft& attack, const load::EffectSpec& effect, const load::OperationSpec* operation,
                const Owner& owner) {
  Allowed out;
  if (attack.forbidden.empty()) return out;
  const bool attack_dice =
      operation != nullptr && (operation->dice == "attack" || (operation->dice == "own" && owner.attacks));
  const int acting = acting_ship(attack, effect, owner);
  for (const Forbidden& rule : attack.forbidden) {
    const bool covered = operation == nullptr  ? rule.what == "spend" && spends(attack, rule, effect, owner)
                         : rule.what == "lock" ? acquires(attack, rule, *operation, owner)
                                               : covers(attack, rule, *operation, attack_dice, acting) &&
                                                     (rule.source.empty() || paid_with(attack, effect, rule.source));
    if (!covered) continue;
    if (owner.card == nullptr ? contains(rule.except, effect.id)
                              : owner.card == rule.card && contains(rule.except, "card"))
      continue;
    if (rule.beyond_one && !rule.face.empty()) {
      out.one_of_while = !out.one_of.empty() && (out.one_of_while.empty() || rule.when.empty())
                             ? game::Expression()
                             : either(out.one_of_while, rule.when);
      out.one_of = rule.face;
      continue;
    }
    if (rule.beyond_one) {
      out.one_die_while = out.one_die && (out.one_die_while.empty() || rule.when.empty())
                              ? game::Expression()
                              : either(out.one_die_while, rule.when);
      out.one_die = true;
      continue;
    }
    if (rule.when.empty()) return {.never = true, .when = {}};
    out.when = both(out.when, negated(rule.when));
  }
  return out;
}

}  // namespace salvo::compile
