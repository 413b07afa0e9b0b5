// Effects: the rules of the edition and of cards, compiled for one attack: for whom, at which window, at what price.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

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
    const OperationSpec lost{.verb = Verb::Lose, .n = cost.n, .token = "shield", .who = cost.who};
    effect.operations.push_back(*compile_operation(attack, spec, lost, owner));
    effect.when = both(effect.when, has_shields(attack, attack.ship_of(cost.who, owner), cost.n));
  }
}

/// Operations that are allowed; those that are forbidden only sometimes make a condition of the effect.
void compile_operations(AttackDraft& attack, const EffectSpec& spec, const std::vector<OperationSpec>& operations,
                        const Owner& owner, Effect& effect) {
  const bool rolls = std::any_of(operations.begin(), operations.end(),
                                 [](const OperationSpec& operation) { return operation.verb == Verb::Roll; });
  for (const OperationSpec& operation : operations) {
    const Allowed may = allowed(attack, spec, &operation, owner);
    // Dice that are taken up and rolled again: it is one modification, or none.
    if (may.never && rolls && operation.verb == Verb::Add) effect.when = constant(0);
    if (may.never) continue;
    auto compiled = compile_operation(attack, spec, operation, owner);
    if (operation.verb == Verb::Expose && spec.may)  // a price is paid only for something that happens
      effect.when = both(effect.when, facedown_cards(attack, attack.ship_of(operation.who, owner)));
    if (!compiled) continue;
    if (compiled->shield)
      effect.when = both(effect.when, has_shields(attack, attack.ship_of(operation.who, owner), operation.n));
    effect.when = both(effect.when, may.when);
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

int store(AttackDraft& attack, Effect effect, UsedName name, EffectLabel label) {
  attack.plan.effects.push_back(std::move(effect));
  attack.effect_names.push_back(std::move(name));
  attack.labels.push_back(std::move(label));
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
/// Attack). `bit`: of Position::used, shared by the ways to pay for it; -1: none yet.
void limit_uses(AttackDraft& attack, const EffectSpec& spec, const Owner& owner, Effect& effect, int& bit) {
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
    if (!operation.last) effect.when = both(effect.when, {{ExpressionOp::Code::Resource, more}});
  }
  const bool once = spec.once_per_attack || !spec.offers.empty() || spec.at == Window::Suffered ||
                    (owner.card != nullptr && spec.may && !spec.repeats);
  if (once) effect.used_bit = bit = bit >= 0 ? bit : attack.new_bit(spec.place);
}

std::string label_id(const EffectSpec& spec, const Owner& owner) {
  return owner.card != nullptr ? owner.card->id : spec.id;
}

/// What tells an effect of a card from the card's others: its id, or the friend it speaks of, or the ship that has it.
std::string label_detail(const AttackDraft& attack, const EffectSpec& spec, const Owner& owner) {
  if (owner.card == nullptr) return "";
  if (owner.ally >= 0) return attack.ship(owner.ally).name;
  return spec.id.empty() ? attack.ship(owner.ship).name : spec.id;
}

/// What an answer takes: "focus", "damage".
std::string answer_detail(const OfferSpec& offer) {
  if (!offer.cost.empty()) return offer.cost.front().token;
  for (const OperationSpec& operation : offer.operations) {
    if (!operation.token.empty()) return operation.token;
    if (operation.verb == Verb::Damage) return "damage";
  }
  return "answer";
}

/// The other player's answers to an effect with offers. The effect only notes that it was used; what it does happens
/// when the other player has declined.
void add_offers(AttackDraft& attack, const EffectSpec& spec, const Owner& owner, Effect& effect, int index) {
  const int pending = attack.new_bit(spec.place);
  const Expression open{{ExpressionOp::Code::Used, pending}};
  OfferDraft answers;
  for (const OfferSpec& offer : spec.offers) {
    Effect taken{.may = true};
    taken.when = both(open, compile_expression(attack, spec, offer.when, owner));
    if (!settle_condition(taken) || !compile_costs(attack, offer.cost, owner, taken.cost)) continue;
    pay_shields(attack, spec, offer.cost, owner, taken);
    compile_operations(attack, spec, offer.operations, owner, taken);
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
  if (spec.at == Window::Suffered) return true;
  const bool now = !attack.listed.again || (spec.once_per_round && owner.ship == attack.plan.attacker);
  return spec.at == *attack.listed.engagement && owner.attacks && now;
}

/// Whether the texts or prices of an effect speak of an "ally", or of an "enemy".
bool mentions(const EffectSpec& spec, const std::string& who) {
  const auto in_text = [&](const std::string& text) { return text.find(who + ".") != std::string::npos; };
  const auto in_costs = [&](const std::vector<CostSpec>& costs) {
    return std::any_of(costs.begin(), costs.end(), [&](const CostSpec& cost) { return cost.who == who; });
  };
  const auto in_operations = [&](const std::vector<OperationSpec>& operations) {
    return std::any_of(operations.begin(), operations.end(), [&](const OperationSpec& operation) {
      return operation.who == who || operation.on == who || in_text(operation.amount);
    });
  };
  return in_text(spec.when) || in_text(spec.times) || in_costs(spec.cost) || in_operations(spec.operations) ||
         std::any_of(spec.offers.begin(), spec.offers.end(), [&](const OfferSpec& offer) {
           return in_text(offer.when) || in_costs(offer.cost) || in_operations(offer.operations);
         });
}

/// A docked ship is in reserve: only effects that say so work from there (000: Dock).
bool works_docked(const EffectSpec& spec) { return spec.when.find(".carrier") != std::string::npos; }

using Visit = std::function<void(const EffectSpec&, const Owner&)>;

/// Visits the effects of one owner that apply in this attack, once for each ally or enemy where they speak of one.
void visit_owner(const AttackDraft& attack, const std::vector<EffectSpec>& effects, Owner owner, const Visit& visit) {
  const bool own = owner.ship == attack.ship_of_role(owner.attacks);
  for (const EffectSpec& spec : effects) {
    if (spec.side != "any" && (spec.side == "attacker") != owner.attacks) continue;
    const bool anywhere = (at_card(spec) || spec.at == Window::Suffered) && spec.side == "any";
    if (!anywhere && spec.whose == (own ? "ally" : "self")) continue;
    if (attack.ship(owner.ship).carrier >= 0 && !works_docked(spec)) continue;
    const bool ally = mentions(spec, "ally"), enemy = mentions(spec, "enemy");
    if (ally && enemy)
      throw LoadError(fmt::format("{}: an effect speaks of an ally or of an enemy; make two of it", spec.place));
    if (!ally && !enemy) {
      visit(spec, owner);
      continue;
    }
    const int left_out = ally ? owner.ship : attack.ship_of("foe", owner);
    for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
      const ShipDraft& other = attack.draft.ships[s];
      const bool friendly = other.mine == attack.ship(owner.ship).mine;
      if (static_cast<int>(s) == left_out || friendly != ally || other.carrier >= 0) continue;
      Owner with = owner;
      with.ally = static_cast<int>(s);
      visit(spec, with);
    }
  }
}

/// Visits everybody's effects: the edition's, the cards' of the two ships, the cards' of their friends.
void visit_effects(const AttackDraft& attack, const Visit& visit) {
  const Draft& draft = attack.draft;
  for (const bool attacks : {false, true}) {
    const int role = attack.ship_of_role(attacks);
    if (!attack.listed.engagement)
      visit_owner(attack, draft.edition.effects, {.attacks = attacks, .ship = role}, visit);
    for (std::size_t i = 0; i <= draft.ships.size(); ++i) {
      const int ship = i == 0 ? role : static_cast<int>(i) - 1;  // the ship of the role first
      if ((i > 0 && ship == role) || nth(draft.ships, ship).mine != attack.ship(role).mine) continue;
      const auto& cards = attack.ship(ship).cards;
      for (std::size_t c = 0; c < cards.size(); ++c) {
        const Owner owner{.attacks = attacks, .ship = ship, .card = cards[c], .card_number = static_cast<int>(c)};
        visit_owner(attack, cards[c]->effects, owner, visit);
      }
    }
  }
  for (const Owner& owner : damage_cards(attack)) visit_owner(attack, owner.card->effects, owner, visit);
}

/// Effects that a condition asks about (used.<id>, spent.<token>, gained.<token>) note that they were used.
void note_uses(AttackDraft& attack) {
  const auto& resources = attack.draft.out.plan.resources;
  for (std::size_t e = 0; e < attack.plan.effects.size(); ++e) {
    Effect& effect = attack.plan.effects[e];
    const auto set = [&](const UsedName& name) {
      const auto known = attack.bits.find(name);
      if (known != attack.bits.end()) effect.sets |= 1u << known->second;
    };
    set(attack.effect_names[e]);
    for (const Cost& cost : effect.cost) {
      const Resource& r = nth(resources, cost.resource);
      if (r.kind == Resource::Kind::Lock) set({r.ship, -1, "spent.lock"});
      if (r.kind == Resource::Kind::Token) set({r.ship, -1, "spent." + nth(attack.draft.edition.tokens, r.token).id});
    }
    const auto lent = attack.lent.find(static_cast<int>(e));
    if (lent != attack.lent.end()) {
      set({lent->second->borrower, -1, "spent." + lent->second->token});
      set(lent->second->owner.named(lent->second->spec->id));
    }
    for (const Operation& operation : effect.operations) {
      if (operation.shield) set({attack.plan.victim(operation.victim), -1, "lost.shield"});
      if (operation.kind != Operation::Kind::Gain) continue;
      const Resource& r = nth(resources, operation.resource);
      if (r.kind == Resource::Kind::Lock) set({r.ship, -1, "gained.lock"});
      if (r.kind == Resource::Kind::Token) set({r.ship, -1, "gained." + nth(attack.draft.edition.tokens, r.token).id});
    }
  }
  note_dealt(attack);
}

/// Compiles one effect, paid by its ship, or with a token that another ship lends it.
void add_paid(AttackDraft& attack, const EffectSpec& spec, const Owner& owner, const Lender* lender, int& bit) {
  const bool damage_card = owner.deck_card >= 0;
  if ((at_damage(spec) || spec.at == Window::Opportunity) && !damage_card)
    throw LoadError(fmt::format("{}: this window is for damage cards", spec.place));
  if (spec.at == Window::Always || !in_this_part(attack, spec, owner)) return;
  if (spec.at == Window::Opportunity) return lose_after(attack, owner);
  if (at_card(spec) && !attack.ship(owner.ship).dealt_cards) return;
  Effect effect{.may = spec.may};
  effect.when = both(in_play(attack, owner.ship), compile_expression(attack, spec, spec.when, owner));
  if (damage_card && spec.at != Window::Dealt) effect.when = both(has_card(attack, owner), effect.when);
  if (owner.ally >= 0) effect.when = both(in_play(attack, owner.ally), effect.when);
  if (attack.listed.engagement && spec.once_per_round)
    effect.when = both(not_gone(attack, attack.plan.defender), effect.when);
  effect.times = compile_expression(attack, spec, spec.times, owner);
  int times = 0;
  if (!settle_condition(effect) || (is_constant(effect.times, times) && times <= 0)) return;
  if (!compile_costs(attack, spec.cost, owner, effect.cost, lender)) return;
  if (lender != nullptr) effect.when = both(effect.when, both(in_play(attack, lender->ship), lender->when));
  const Allowed may = allowed(attack, spec, nullptr, owner);
  if (may.never) return;
  effect.when = both(effect.when, may.when);
  pay_shields(attack, spec, spec.cost, owner, effect);
  compile_operations(attack, spec, spec.operations, owner, effect);
  if (lender != nullptr) compile_operations(attack, *lender->spec, lender->spec->operations, lender->owner, effect);
  if (!settle_condition(effect) || (effect.operations.empty() && spec.offers.empty())) return;
  if (has_verb(spec, Verb::Bonus) &&
      std::none_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& o) {
        return o.resource >= 0 && is_permission(nth(attack.draft.out.plan.resources, o.resource));
      })) {
    return;  // no such bonus attack follows: nothing to pay for
  }
  limit_uses(attack, spec, owner, effect, bit);
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
  const int index = store(
      attack, {}, owner.named(spec.id),
      {label_id(spec, owner), lender != nullptr ? attack.ship(lender->ship).name : label_detail(attack, spec, owner),
       decider, spec.may || effect.forced});
  if (lender != nullptr) attack.lent.emplace(index, lender);
  if (!spec.offers.empty()) add_offers(attack, spec, owner, effect, index);
  if (at_card(spec)) {
    attack.of_cards[{spec.at, owner.ship}].push_back(index);
  } else {
    attack.by_window[{actual_window(spec, owner), spec.may || effect.forced}][decider].push_back(index);
  }
  if (damage_card) attack.deck_effects.insert(index);
  nth(attack.plan.effects, index) = std::move(effect);
}

/// Whether a price of an effect is one that the lender can pay in place of the borrower.
bool pays(const AttackDraft& attack, const Lender& lender, const CostSpec& cost, const Owner& owner) {
  return cost.token == lender.token && attack.ship_of(cost.who, owner) == lender.borrower;
}

}  // namespace

void add_effect(AttackDraft& attack, const EffectSpec& spec, const Owner& owner) {
  int bit = -1;
  add_paid(attack, spec, owner, nullptr, bit);
  for (const Lender& lender : attack.lenders) {
    const bool lends = spec.may && std::any_of(spec.cost.begin(), spec.cost.end(),
                                               [&](const CostSpec& cost) { return pays(attack, lender, cost, owner); });
    if (lends) add_paid(attack, spec, owner, &lender, bit);
  }
}

bool compile_costs(const AttackDraft& attack, const std::vector<CostSpec>& specs, const Owner& owner,
                   std::vector<Cost>& out, const Lender* lender) {
  for (const CostSpec& spec : specs) {
    if (spec.token == "shield") continue;  // paid as damage
    const bool lent = lender != nullptr && pays(attack, *lender, spec, owner);
    const int ship = lent ? lender->ship : attack.ship_of(spec.who, owner);
    const int index = resource_of(attack, spec.token, ship, owner, spec.of);
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
  for (const EffectLabel& label : labels) {
    const auto rivals = std::count_if(labels.begin(), labels.end(), [&](const auto& l) { return rival(l, label); });
    const bool told_apart = !label.detail.empty() && (label.answer || rivals > 1);
    std::string name = told_apart ? label.id + ":" + label.detail : label.id;
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
    attack.by_window[{Window::AttackEnd, false}][1].push_back(index);
  };
  note({});
  note({{ExpressionOp::Code::Hit, 0}});
}

}  // namespace

void add_effects(AttackDraft& attack) {
  visit_effects(attack, [&](const EffectSpec& effect, const Owner& owner) { collect_treated(attack, effect, owner); });
  visit_effects(attack, [&](const EffectSpec& effect, const Owner& owner) { collect_always(attack, effect, owner); });
  // What follows damage comes last: the others tell who can suffer any.
  for (const bool last : {false, true}) {
    visit_effects(attack, [&](const EffectSpec& effect, const Owner& owner) {
      if (last != (effect.at == Window::Suffered)) return;
      if (owner.deck_card < 0 || !at_damage(effect)) add_effect(attack, effect, owner);
    });
  }
  add_deals(attack);
  note_first_of_two(attack);
  note_uses(attack);
}

}  // namespace salvo::rules
