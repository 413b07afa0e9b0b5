// Effects: the rules of the edition and of cards, compiled for one attack: for whom, at which window, at what price.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/index.h"
#include "rules/attack_draft.h"

namespace salvo::rules {
namespace {

Window actual_window(const EffectSpec& effect, const Owner& owner) {
  if (effect.at != Window::OwnMod) return effect.at;
  return owner.attacks ? Window::AttackMod : Window::DefenseMod;
}

/// Whether the player chooses dice when the operation is done.
bool has_choice(const Operation& operation) {
  return operation.kind == Operation::Kind::Reroll || operation.choose ||
         (operation.kind == Operation::Kind::Change && !operation.all);
}

/// A shield as a price counts as one damage to the ship that pays it.
void pay_shields(AttackDraft& attack, const EffectSpec& spec, const std::vector<CostSpec>& costs, const Owner& owner,
                 Effect& effect) {
  for (const CostSpec& cost : costs) {
    if (cost.token != "shield") continue;
    const OperationSpec damage{.verb = Verb::Damage, .n = cost.n, .who = cost.who};
    effect.operations.push_back(*compile_operation(attack, spec, damage, PreparedText(), owner));
    effect.when = both(std::move(effect.when), has_shields(attack, attack.ship_of(cost.who, owner), cost.n));
  }
}

/// Operations that are allowed; those that are forbidden only sometimes make a condition of the effect.
void compile_operations(AttackDraft& attack, const EffectSpec& spec, const std::vector<OperationSpec>& operations,
                        const std::vector<PreparedText>& amounts, const Owner& owner, Effect& effect) {
  effect.operations.reserve(effect.operations.size() + operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const OperationSpec& operation = operations[i];
    const Allowed may = allowed(attack, spec, &operation, owner);
    if (may.never) continue;
    auto compiled = compile_operation(attack, spec, operation, amounts[i], owner);
    if (operation.verb == Verb::Expose && spec.may)  // a price is paid only for something that happens
      effect.when = both(std::move(effect.when), facedown_cards(attack, attack.ship_of(operation.who, owner)));
    if (!compiled) continue;
    effect.when = both(std::move(effect.when), may.when);
    effect.operations.push_back(std::move(*compiled));
  }
  if (effect.operations.size() > kMostOperations)
    throw LoadError(fmt::format("{}: more than {} operations in one effect", spec.place, kMostOperations));
  if (std::count_if(effect.operations.begin(), effect.operations.end(), has_choice) > 1)
    throw LoadError(
        fmt::format("{}: dice are chosen twice in one effect; make it two, the second with "
                    "when = \"used.<id of the first>\"",
                    spec.place));
}

/// False when the condition can never hold.
bool settle_condition(Effect& effect) {
  int value = 0;
  if (!is_constant(effect.when, value)) return true;
  effect.when.clear();
  return value != 0;
}

int store(AttackDraft& attack, Effect effect, const UsedName& name, const EffectLabel& label) {
  attack.plan.effects.push_back(std::move(effect));
  attack.effect_names.push_back(name);
  attack.labels.push_back(label);
  return static_cast<int>(attack.plan.effects.size()) - 1;
}

/// Whether a mandatory effect leaves a choice: which dice, or, among the modifications of a step, when.
bool chooses_how(const Effect& effect, Window window) {
  const bool modifies = window == Window::AttackMod || window == Window::DefenseMod;
  return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& o) {
    return o.kind == Operation::Kind::Reroll || o.choose || (modifies && has_choice(o));
  });
}

/// Limits of how often the effect may be used: in this attack, this round, one bonus attack a round (000: Bonus
/// Attack).
void limit_uses(AttackDraft& attack, const EffectSpec& spec, const Owner& owner, Effect& effect) {
  const Draft& draft = attack.draft;
  if (spec.once_per_round)
    effect.cost.push_back({draft.find_resource(Resource::Kind::Use, owner.ship, owner.card_number), 1});
  for (const OperationSpec& operation : spec.operations) {
    if (operation.verb != Verb::Bonus) continue;
    const int ship = attack.ship_of(operation.who, owner);
    const int left = draft.find_resource(Resource::Kind::BonusUse, ship);
    if (left >= 0) effect.cost.push_back({left, 1});
    const int more = draft.find_resource(Resource::Kind::MoreBonus, ship);
    if (more < 0) continue;
    if (operation.last) effect.cost.push_back({more, 1});
    if (!operation.last) effect.when = both(std::move(effect.when), {{ExpressionOp::Code::Resource, more}});
  }
  if (spec.once_per_attack || !spec.offers.empty() || (owner.card != nullptr && spec.may && !spec.repeats))
    effect.used_bit = attack.new_bit(spec.place);
}

std::string_view label_id(const EffectSpec& spec, const Owner& owner) {
  return owner.card != nullptr ? owner.card->id : spec.id;
}

/// What tells an effect of a card from the card's others: its id, or the friend it speaks of, or the ship that has it.
std::string_view label_detail(const AttackDraft& attack, const EffectSpec& spec, const Owner& owner) {
  if (owner.card == nullptr) return "";
  if (owner.ally >= 0) return attack.ship(owner.ally).name;
  return spec.id.empty() ? attack.ship(owner.ship).name : spec.id;
}

/// What an answer takes: "focus", "damage".
std::string_view answer_detail(const OfferSpec& offer) {
  if (!offer.cost.empty()) return offer.cost.front().token;
  for (const OperationSpec& operation : offer.operations) {
    if (!operation.token.empty()) return operation.token;
    if (operation.verb == Verb::Damage) return "damage";
  }
  return "answer";
}

/// The other player's answers to an effect with offers. The effect only notes that it was used; what it does happens
/// when the other player has declined.
void add_offers(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner, Effect& effect, int index) {
  const EffectSpec& spec = *prepared.spec;
  const int pending = attack.new_bit(spec.place);
  const Expression open{{ExpressionOp::Code::Used, pending}};
  OfferDraft answers;
  for (std::size_t i = 0; i < spec.offers.size(); ++i) {
    const OfferSpec& offer = spec.offers[i];
    Effect taken{.may = true};
    taken.when = both(open, compile_expression(attack, spec, prepared.offers[i].when, owner));
    if (!settle_condition(taken) || !compile_costs(attack, offer.cost, owner, taken.cost)) continue;
    pay_shields(attack, spec, offer.cost, owner, taken);
    compile_operations(attack, spec, offer.operations, prepared.offers[i].amounts, owner, taken);
    taken.clears = 1u << pending;
    const bool answering = spec.foe_decides ? owner.attacks : !owner.attacks;
    answers.taken.push_back(
        store(attack, std::move(taken), {}, {label_id(spec, owner), answer_detail(offer), answering, true, true}));
  }
  Effect declined{.when = open, .clears = 1u << pending};
  const auto rest = std::stable_partition(effect.operations.begin(), effect.operations.end(), [](const Operation& o) {
    return o.kind == Operation::Kind::Cancel && o.exact;
  });  // spent dice are a price
  declined.operations.assign(std::make_move_iterator(rest), std::make_move_iterator(effect.operations.end()));
  effect.operations.erase(rest, effect.operations.end());
  answers.declined = store(attack, std::move(declined), {}, {.id = label_id(spec, owner), .detail = ""});
  effect.sets |= 1u << pending;
  attack.offers.emplace(index, std::move(answers));
}

/// Damage cards that the attacker has until it had the chance to make an attack other than a bonus attack.
void lose_after(AttackDraft& attack, const Owner& owner) {
  const CardCounts cards = card_counts(attack.draft, owner.ship, owner.deck_card);
  const bool own = owner.attacks && owner.ship == attack.plan.attacker;
  if (cards.kind >= 0 && own && !attack.listed.engagement && attack.given.bonus.empty())
    attack.plan.lost_after.push_back(cards);
}

/// An option about a damage card that the ship would be dealt faceup, whoever attacks whom.
bool at_card(const EffectSpec& spec) { return spec.at == Window::CardDue || spec.at == Window::CardSeen; }

/// Effects before an engagement apply there and nowhere else; damage cards are resolved wherever damage is suffered. Of
/// an attack that is performed twice, the target is declared once, and what follows an attack follows the second.
bool in_this_part(const AttackDraft& attack, const EffectSpec& spec, const Owner& owner) {
  if (at_damage(spec) || at_card(spec)) return true;
  const bool before = spec.at == Window::EngagementStart || spec.at == Window::Engage;
  if (attack.listed.twice == ListedAttack::Twice::First && spec.at == Window::Aftermath) return false;
  if (attack.listed.twice == ListedAttack::Twice::Second && spec.at == Window::Declare) return false;
  if (!attack.listed.engagement) return !before;
  const bool now = !attack.listed.again || (spec.once_per_round && owner.ship == attack.plan.attacker);
  return spec.at == *attack.listed.engagement && owner.attacks && now;
}

/// Whether a ship has none of one of the tokens, and never will.
bool lacks(const Draft& draft, int ship, const std::vector<int>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [&](int token) { return draft.token_resource(ship, token) < 0; });
}

/// Whether effects of the scenario can give a ship one of the tokens.
bool may_gain(const Draft& draft, int ship, const std::vector<int>& tokens) {
  return draft.gains && std::any_of(tokens.begin(), tokens.end(), [&](int token) {
           const int index = draft.token_resource(ship, token);
           if (token == PreparedEffect::kLock) return true;
           return index >= 0 && nth(draft.out.plan.resources, index).max > nth(draft.out.plan.resources, index).initial;
         });
}

/// Visits the effects of one owner that apply in this attack, once for each ally where they speak of one.
template <typename Visit>
void visit_owner(const AttackDraft& attack, const std::vector<const PreparedEffect*>& effects, Owner owner,
                 const Visit& visit) {
  if (effects.empty()) return;
  const ShipDraft& ship = attack.ship(owner.ship);
  const bool own = owner.ship == attack.ship_of_role(owner.attacks);
  for (const PreparedEffect* effect : effects) {
    if (!(owner.attacks ? effect->on_attack : effect->on_defense)) continue;
    const bool anywhere = effect->on_attack && effect->on_defense && at_card(*effect->spec);
    if (!anywhere && !(own ? effect->for_self : effect->for_friends)) continue;
    if (ship.carrier >= 0 && !effect->works_docked) continue;
    if (lacks(attack.draft, owner.ship, effect->needs) && !may_gain(attack.draft, owner.ship, effect->gained)) continue;
    if (!effect->ally) {
      visit(*effect, owner);
      continue;
    }
    for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
      const ShipDraft& other = attack.draft.ships[s];
      if (static_cast<int>(s) == owner.ship || other.mine != ship.mine || other.carrier >= 0) continue;
      Owner with = owner;
      with.ally = static_cast<int>(s);
      visit(*effect, with);
    }
  }
}

using EffectList = std::vector<const PreparedEffect*> PreparedEffects::*;

/// Visits everybody's effects of a list: the edition's, the cards' of the two ships, the cards' of their friends.
template <typename Visit>
void visit_effects(const AttackDraft& attack, EffectList list, const Visit& visit) {
  const Draft& draft = attack.draft;
  for (const bool attacks : {false, true}) {
    const int role = attack.ship_of_role(attacks);
    if (!attack.listed.engagement)
      visit_owner(attack, prepared(draft.edition).effects.*list, {.attacks = attacks, .ship = role}, visit);
    for (std::size_t i = 0; i <= draft.ships.size(); ++i) {
      const int ship = i == 0 ? role : static_cast<int>(i) - 1;  // the ship of the role first
      if ((i > 0 && ship == role) || nth(draft.ships, ship).mine != attack.ship(role).mine) continue;
      const auto& cards = attack.ship(ship).cards;
      for (std::size_t c = 0; c < cards.size(); ++c) {
        const Owner owner{.attacks = attacks, .ship = ship, .card = cards[c], .card_number = static_cast<int>(c)};
        visit_owner(attack, prepared(*cards[c]).effects.*list, owner, visit);
      }
    }
  }
  if (draft.deck == nullptr) return;
  for (const Owner& owner : damage_cards(attack))
    visit_owner(attack, prepared(*owner.card).effects.*list, owner, visit);
}

/// Effects that a condition asks about (used.<id>, spent.<token>, gained.<token>) note that they were used.
void note_uses(AttackDraft& attack) {
  if (attack.bits.empty()) return;
  const auto& resources = attack.draft.out.plan.resources;
  const auto did = [&](UsedName::Kind kind, int resource) -> std::uint32_t {
    const Resource& r = nth(resources, resource);
    if (r.kind == Resource::Kind::Lock) return attack.bits_of({.kind = kind, .ship = r.ship, .id = "lock"});
    if (r.kind != Resource::Kind::Token) return 0;
    return attack.bits_of({.kind = kind, .ship = r.ship, .id = nth(attack.draft.edition.tokens, r.token).id});
  };
  for (std::size_t e = 0; e < attack.plan.effects.size(); ++e) {
    Effect& effect = attack.plan.effects[e];
    effect.sets |= attack.bits_of(attack.effect_names[e]);
    for (const Cost& cost : effect.cost) effect.sets |= did(UsedName::Kind::Spent, cost.resource);
    for (const Operation& operation : effect.operations) {
      if (operation.kind == Operation::Kind::Gain) effect.sets |= did(UsedName::Kind::Gained, operation.resource);
    }
  }
  note_dealt(attack);
}

}  // namespace

void add_effect(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  const EffectSpec& spec = *prepared.spec;
  const bool damage_card = owner.deck_card >= 0;
  if ((at_damage(spec) || spec.at == Window::Opportunity) && !damage_card)
    throw LoadError(fmt::format("{}: this window is for damage cards", spec.place));
  if (spec.at == Window::Always || !in_this_part(attack, spec, owner)) return;
  if (spec.at == Window::Opportunity) return lose_after(attack, owner);
  if (at_card(spec) && !attack.ship(owner.ship).dealt_cards) return;
  Effect effect{.may = spec.may};
  if (!prepared.when.empty()) {
    const Expression& when = compile_expression(attack, spec, prepared.when, owner);
    int holds = 1;
    const bool settled = is_constant(when, holds);
    if (settled && holds == 0 && prepared.times.empty()) return;
    if (!settled || owner.card != nullptr || holds == 0) effect.when = when;
  }
  if (owner.card != nullptr) effect.when = both(in_play(attack, owner.ship), effect.when);
  if (damage_card && spec.at != Window::Dealt) effect.when = both(has_card(attack, owner), effect.when);
  if (owner.ally >= 0) effect.when = both(in_play(attack, owner.ally), effect.when);
  if (attack.listed.engagement && spec.once_per_round)
    effect.when = both(not_gone(attack, attack.plan.defender), effect.when);
  if (!prepared.times.empty()) effect.times = compile_expression(attack, spec, prepared.times, owner);
  int times = 0;
  if (!settle_condition(effect) || (is_constant(effect.times, times) && times <= 0)) return;
  if (!compile_costs(attack, spec.cost, owner, effect.cost)) return;
  const Allowed may = allowed(attack, spec, nullptr, owner);
  if (may.never) return;
  effect.when = both(std::move(effect.when), may.when);
  pay_shields(attack, spec, spec.cost, owner, effect);
  compile_operations(attack, spec, spec.operations, prepared.amounts, owner, effect);
  if (!settle_condition(effect) || (effect.operations.empty() && spec.offers.empty())) return;
  if (has_verb(spec, Verb::Bonus) &&
      std::none_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& o) {
        return o.resource >= 0 && is_permission(nth(attack.draft.out.plan.resources, o.resource));
      })) {
    return;  // no such bonus attack follows: nothing to pay for
  }
  limit_uses(attack, spec, owner, effect);
  effect.forced = spec.must || (at_card(spec) && !spec.may);
  if (!spec.may && chooses_how(effect, actual_window(spec, owner))) {
    effect.forced = true;
    if (effect.used_bit < 0) effect.used_bit = attack.new_bit(spec.place);
  }
  if (at_damage(spec)) {
    const int index = store(attack, std::move(effect), {}, {.id = label_id(spec, owner), .detail = ""});
    attack.of_damage[{spec.at, owner.ship, owner.deck_card}].push_back(index);
    attack.deck_effects.insert(index);
    return;
  }
  const bool decider = spec.foe_decides ? !owner.attacks : owner.attacks;
  const int index =
      store(attack, {}, owner.named(spec.id),
            {label_id(spec, owner), label_detail(attack, spec, owner), decider, spec.may || effect.forced});
  if (!spec.offers.empty()) add_offers(attack, prepared, owner, effect, index);
  if (at_card(spec)) {
    attack.of_cards[{spec.at, owner.ship}].push_back(index);
  } else {
    attack.in_windows.push_back({actual_window(spec, owner), spec.may || effect.forced, decider, index});
  }
  if (damage_card) attack.deck_effects.insert(index);
  nth(attack.plan.effects, index) = std::move(effect);
}

bool compile_costs(const AttackDraft& attack, const std::vector<CostSpec>& specs, const Owner& owner,
                   std::vector<Cost>& out) {
  for (const CostSpec& spec : specs) {
    if (spec.token == "shield") continue;  // paid as damage
    const int index = resource_of(attack, spec.token, attack.ship_of(spec.who, owner), owner, spec.of);
    if (index < 0) return false;
    out.push_back({index, spec.n});
  }
  return true;
}

std::vector<std::string> effect_labels(const AttackDraft& attack) {
  const auto& labels = attack.labels;
  const auto rival = [](const EffectLabel& a, const EffectLabel& b) {
    return a.chosen && b.chosen && a.attackers == b.attackers && a.id == b.id;
  };
  std::vector<std::string> out;
  out.reserve(labels.size());
  for (const EffectLabel& label : labels) {
    const auto has_rival = [&] {
      return std::any_of(labels.begin(), labels.end(), [&](const auto& l) { return &l != &label && rival(l, label); });
    };
    const bool told_apart = !label.detail.empty() && (label.answer || has_rival());
    std::string name(label.id);
    if (told_apart) name.append(":").append(label.detail);
    int same = 1;  // with its number where even that is not enough
    for (std::size_t i = 0; i < out.size() && told_apart; ++i)
      same += rival(labels[i], label) && out[i].starts_with(name);
    out.push_back(same > 1 ? fmt::format("{}:{}", name, same) : std::move(name));
  }
  return out;
}

namespace {

/// The first of two attacks notes that it happened, and whether it hit.
void note_first_of_two(AttackDraft& attack) {
  if (attack.listed.twice != ListedAttack::Twice::First) return;
  const int flag =
      attack.draft.find_resource(Resource::Kind::FirstOfTwo, attack.plan.attacker, static_cast<int>(attack.number) + 1);
  const auto note = [&](Expression when) {
    Effect effect{.when = std::move(when)};
    effect.operations.push_back({.kind = Operation::Kind::Gain, .n = 1, .resource = flag});
    const int index = store(attack, std::move(effect), {}, {.id = "second-attack", .detail = ""});
    attack.in_windows.push_back({Window::AttackEnd, false, true, index});
  };
  note({});
  note({{ExpressionOp::Code::Hit, 0}});
}

}  // namespace

void add_effects(AttackDraft& attack) {
  visit_effects(attack, &PreparedEffects::treating,
                [&](const PreparedEffect& effect, const Owner& owner) { collect_treated(attack, effect, owner); });
  visit_effects(attack, &PreparedEffects::always,
                [&](const PreparedEffect& effect, const Owner& owner) { collect_always(attack, effect, owner); });
  visit_effects(attack, &PreparedEffects::playing, [&](const PreparedEffect& effect, const Owner& owner) {
    if (owner.deck_card < 0 || !at_damage(*effect.spec)) add_effect(attack, effect, owner);
  });
  add_deals(attack);
  note_first_of_two(attack);
  note_uses(attack);
}

}  // namespace salvo::rules
