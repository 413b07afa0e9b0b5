// Standing rules of an attack: what effects at "always" forbid or waive, and the order of neutralizing.
#include <fmt/format.h>

#include <algorithm>

#include "rules/attack_draft.h"

namespace salvo::rules {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether an effect is paid with one of the tokens of a list; "green" stands for all green tokens (000: Tokens).
bool paid_with(const AttackDraft& attack, const EffectSpec& effect, const std::vector<std::string>& tokens) {
  return std::any_of(effect.cost.begin(), effect.cost.end(), [&](const CostSpec& cost) {
    if (contains(tokens, cost.token)) return true;
    const int token = attack.draft.token_index(cost.token);
    return token >= 0 && contains(tokens, "green") &&
           attack.draft.edition.tokens[static_cast<std::size_t>(token)].green;
  });
}

/// Whether `what` of a forbid covers an operation; nullptr: the effect as a whole.
bool covers(const Forbidden& rule, const OperationSpec* operation, bool attack_dice, bool attackers) {
  if (operation == nullptr) return rule.what == "spend" && rule.attackers == attackers;
  if (rule.attack_dice && *rule.attack_dice != attack_dice) return false;
  const Verb verb = operation->verb;
  if (rule.what == "add-dice") return verb == Verb::Pool && operation->n > 0;  // whoever adds them
  if (rule.attackers != attackers) return false;
  if (rule.what == "reduce-dice") return verb == Verb::Pool && operation->n < 0;
  if (rule.what == "cancel") return verb == Verb::Cancel;
  if (rule.what == "reroll") return verb == Verb::Reroll;
  // Spending results is a modification too (000: Dice_Modification).
  return rule.what == "modify" &&
         (verb == Verb::Change || verb == Verb::Reroll || verb == Verb::Add || verb == Verb::Spend);
}

/// One of two conditions; an empty one never holds.
Expression either(const Expression& a, const Expression& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  Expression out = a;
  out.insert(out.end(), b.begin(), b.end());
  out.push_back({ExpressionOp::Code::Or, 0});
  return out;
}

void forbid(AttackDraft& attack, const EffectSpec& effect, const OperationSpec& spec, const Owner& owner,
            const Expression& when) {
  if (spec.what == "spend" && spec.source.empty())
    throw LoadError(fmt::format("{}: forbid \"spend\" needs source = [tokens]", effect.place));
  if (spec.what == "attack") {
    if (!owner.attacks || owner.ship != attack.plan.attacker || attack.listed.engagement) return;
    Expression& prevented = attack.plan.prevented;
    prevented = either(prevented, when.empty() ? constant(1) : when);
    return;
  }
  if (spec.what != "spend" && spec.dice.empty())
    throw LoadError(fmt::format("{}: forbid \"{}\" needs dice = \"attack\" or \"defense\"", effect.place, spec.what));
  Forbidden rule{.what = spec.what,
                 .attackers = (spec.who == "foe") != owner.attacks,
                 .attack_dice = std::nullopt,
                 .source = spec.source,
                 .except = spec.except,
                 .card = owner.card,
                 .when = when};
  if (!spec.dice.empty()) rule.attack_dice = spec.dice == "attack" || (spec.dice == "own" && owner.attacks);
  attack.forbidden.push_back(std::move(rule));
}

/// A weapon's requirement that the effect waives at a price, if it is the one that the weapon has.
void waive(AttackDraft& attack, const EffectSpec& effect, const OperationSpec& spec, const Owner& owner) {
  const auto& needed = attack.weapon.requires_tokens;
  if (!owner.attacks || needed.empty() || !(spec.token.empty() || contains(needed, spec.token))) return;
  std::vector<Cost> price;
  if (compile_costs(attack, effect.cost, owner, price)) attack.plan.waivers.push_back(std::move(price));
}

/// Order of neutralizing and results that evades cannot cancel (verb neutralize).
void set_neutralize(AttackDraft& attack, const OperationSpec& spec) {
  attack.plan.crits_first = attack.plan.crits_first || spec.order == "crit-first";
  for (const std::string& face : spec.from)
    (face == "hit" ? attack.plan.uncancellable_hits : attack.plan.uncancellable_crits) = true;
}

}  // namespace

void collect_standing(AttackDraft& attack, const EffectSpec& effect, const Owner& owner) {
  const bool neutralizes = std::any_of(effect.operations.begin(), effect.operations.end(),
                                       [](const OperationSpec& spec) { return spec.verb == Verb::Neutralize; });
  if (effect.at != Window::Always && !neutralizes) return;
  const Expression when = both(both(in_play(attack, owner.ship), has_card(attack, owner)),
                               compile_expression(attack, effect, effect.when, owner));
  int value = 1;
  const bool fixed = when.empty() || is_constant(when, value);
  if (fixed && value == 0) return;
  for (const OperationSpec& spec : effect.operations) {
    if (spec.verb == Verb::Forbid) {
      forbid(attack, effect, spec, owner, fixed ? Expression() : when);
    } else if (spec.verb == Verb::Convert) {
      Expression& converts = attack.hits_are_crits[owner.ship];
      converts = either(converts, fixed ? constant(1) : when);
    } else if (spec.verb == Verb::Neutralize || spec.verb == Verb::Waive) {
      if (!fixed)
        throw LoadError(fmt::format("{}: a condition of the verb {} may not depend on dice or tokens", effect.place,
                                    spec.verb == Verb::Waive ? "waive" : "neutralize"));
      if (spec.verb == Verb::Waive) {
        waive(attack, effect, spec, owner);
      } else {
        set_neutralize(attack, spec);
      }
    }
  }
}

Allowed allowed(const AttackDraft& attack, const EffectSpec& effect, const OperationSpec* operation,
                const Owner& owner) {
  Allowed out;
  const bool attack_dice =
      operation != nullptr && (operation->dice == "attack" || (operation->dice == "own" && owner.attacks));
  for (const Forbidden& rule : attack.forbidden) {
    if (!covers(rule, operation, attack_dice, owner.attacks)) continue;
    if (!rule.source.empty() && !paid_with(attack, effect, rule.source)) continue;
    if (owner.card == nullptr ? contains(rule.except, effect.id)
                              : owner.card == rule.card && contains(rule.except, "card"))
      continue;
    if (rule.when.empty()) return {.never = true, .when = {}};
    out.when = both(out.when, negated(rule.when));
  }
  return out;
}

}  // namespace salvo::rules
