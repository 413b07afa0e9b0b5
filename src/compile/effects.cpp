// Compiles the effects of the edition and of cards for one attack: where they apply, at what price and under what
// condition.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/index.h"
#include "compile/attack_draft.h"
#include "compile/facts.h"

namespace salvo::compile {
namespace {

constexpr int kMaxLimited = 12;  // dice of a reroll without a limit

load::Window actual_window(const load::EffectSpec& effect, const Owner& owner) {
  if (effect.at != load::Window::OwnMod) return effect.at;
  return owner.attacks ? load::Window::AttackMod : load::Window::DefenseMod;
}

/// Whether the player chooses dice for the operation.
bool has_choice(const game::Operation& operation) {
  return operation.kind == game::Operation::Kind::Reroll || operation.choose ||
         (operation.kind == game::Operation::Kind::Change && !operation.all);
}

/// A shield paid as a price counts as one damage to the ship that pays it.
void pay_shields(AttackDraft& attack, const load::EffectSpec& spec, const std::vector<load::CostSpec>& costs,
                 const Owner& owner, game::Effect& effect) {
  for (const load::CostSpec& cost : costs) {
    if (cost.token != "shield") continue;
    const load::OperationSpec lost{.verb = load::Verb::Lose, .n = cost.n, .token = "shield", .who = cost.who};
    effect.operations.push_back(*compile_operation(attack, spec, lost, PreparedText(), owner));
    effect.when = both(std::move(effect.when), has_shields(attack, attack.ship_of(cost.who, owner), cost.n));
  }
}

/// Allows the effect only once per attack, together with all effects of the ship that share `id`; sets its bit when
/// used. Returns the condition that none of them was used.
game::Expression not_used_before(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner,
                                 std::string_view id, game::Effect& effect) {
  const int bit =
      attack.bit({.kind = UsedName::Kind::Choice, .ship = attack.ship_of("friend", owner), .id = id}, spec.place);
  effect.sets |= 1u << bit;
  return {{Code::Used, bit}, {Code::Not, 0}};
}

/// Limits a reroll to one die if at most one die may be rerolled in the attack, and disables it after another such
/// reroll.
void limit_reroll(const AttackDraft& attack, const load::EffectSpec& spec, const Allowed& may, const Owner& owner,
                  game::Operation& reroll, game::Effect& effect) {
  const game::Expression& limited = may.one_die_while;
  if (limited.empty()) {
    reroll.n = 1;
    reroll.amount.clear();
  } else {
    game::Expression most = constant(1);  // or all dice while the rule does not apply
    for (int i = 1; i < kMaxLimited; ++i) most = combined(std::move(most), negated(limited), Code::Add);
    if (reroll.amount.empty()) reroll.amount = constant(reroll.all ? kMaxLimited : reroll.n);
    reroll.amount = combined(std::move(reroll.amount), most, Code::Minimum);
  }
  reroll.all = false;
  game::Expression first =
      not_used_before(attack, spec, owner, reroll.attack_dice ? "attack die rerolled" : "defense die rerolled", effect);
  if (!limited.empty()) first = combined(std::move(first), negated(limited), Code::Or);
  effect.when = both(std::move(effect.when), first);
}

/// Restricts a modification if at most one result of a face may be modified in the attack. The effect is compiled in
/// three variants (AttackDraft::Modified). False if this variant does not exist.
bool limit_modified(const AttackDraft& attack, const load::EffectSpec& spec, const Allowed& may, const Owner& owner,
                    game::Operation& change, game::Effect& effect) {
  using Modified = AttackDraft::Modified;
  const load::Edition& edition = attack.draft.edition;
  const int face = face_of(change.attack_dice ? edition.attack_die : edition.defense_die, may.one_of);
  const bool dice = change.kind == game::Operation::Kind::Change || change.kind == game::Operation::Kind::Reroll ||
                    change.kind == game::Operation::Kind::Cancel;
  const auto at = std::find(change.from.begin(), change.from.end(), face);
  if (!dice || at == change.from.end()) return attack.modified == Modified::One;
  if (attack.modified == Modified::Any) {
    if (may.one_of_while.empty()) return false;
    effect.when = both(std::move(effect.when), negated(may.one_of_while));
    return true;
  }
  effect.when = both(std::move(effect.when), may.one_of_while);
  if (attack.modified == Modified::None) {
    change.from.erase(at);
    return !change.from.empty();
  }
  if (change.from.size() == 1) {
    change.n = 1;
    change.all = false;
  } else {
    change.min = 1;
    change.max = face + 1;
  }
  const char* id = change.attack_dice ? "attack result modified" : "defense result modified";
  effect.when = both(std::move(effect.when), not_used_before(attack, spec, owner, id, effect));
  return true;
}

/// Drops a constant condition. False if it never holds.
bool fold_condition(game::Effect& effect) {
  int value = 0;
  if (!is_constant(effect.when, value)) return true;
  effect.when.clear();
  return value != 0;
}

/// Whether a mandatory effect leaves a choice: of dice, or of the order among the modifications of a step.
bool chooses_how(const game::Effect& effect, load::Window window) {
  const bool modifies = window == load::Window::AttackMod || window == load::Window::DefenseMod;
  return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& o) {
    return o.kind == game::Operation::Kind::Reroll || o.choose || (modifies && has_choice(o));
  });
}

/// Adds the limits on uses of the effect: per attack, per round, one bonus attack per round (000: Bonus Attack). `bit`:
/// of Position::used, shared by all ways to pay for the effect; -1: none yet.
void limit_uses(AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner, game::Effect& effect, int& bit) {
  const Draft& draft = attack.draft;
  if (spec.once_per_round)
    effect.cost.push_back({draft.find_resource(game::Resource::Kind::Use, owner.ship,
                                               use_number(*owner.card, spec.use, owner.card_number)),
                           1});
  for (const load::OperationSpec& operation : spec.operations) {
    if (operation.verb != load::Verb::Bonus) continue;
    const int ship = attack.ship_of(operation.who, owner);
    const int left = draft.find_resource(game::Resource::Kind::BonusUse, ship);
    if (left >= 0) effect.cost.push_back({left, 1});
    const int more = draft.find_resource(game::Resource::Kind::MoreBonus, ship);
    if (more < 0) continue;
    if (operation.last) effect.cost.push_back({more, 1});
    if (!operation.last) effect.when = both(std::move(effect.when), {{Code::Resource, more}});
  }
  const bool once = spec.once_per_attack || !spec.offers.empty() || spec.at == load::Window::Suffered ||
                    (owner.card != nullptr && spec.may && !spec.repeats);
  if (!spec.choice.empty())
    bit = attack.bit({.kind = UsedName::Kind::Choice,
                      .ship = owner.ship,
                      .card = owner.card_number,
                      .id = spec.choice,
                      .ally = owner.ally},
                     spec.place);
  if (once) effect.used_bit = bit = bit >= 0 ? bit : attack.new_bit(spec.place);
}

std::string_view label_id(const load::EffectSpec& spec, const Owner& owner) {
  return owner.card != nullptr ? owner.card->id : spec.id;
}

/// Distinguishes effects of a card: the id, or the ship that the effect is about, or the ship that has the card.
std::string_view label_detail(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner) {
  if (owner.card == nullptr) return "";
  if (owner.repaired >= 0) return base::nth(attack.draft.deck->cards, owner.repaired).card.id;
  if (owner.ally >= 0) return attack.ship(owner.ally).name;
  return spec.id.empty() ? attack.ship(owner.ship).name : spec.id;
}

/// What an answer costs or does: "focus", "damage".
std::string_view answer_detail(const load::OfferSpec& offer) {
  if (!offer.cost.empty()) return offer.cost.front().token;
  for (const load::OperationSpec& operation : offer.operations) {
    if (!operation.token.empty()) return operation.token;
    if (operation.verb == load::Verb::Damage) return "damage";
  }
  return "answer";
}

/// Compiles the other player's answers to an effect with offers. The effect itself only sets a bit; its operations
/// follow when the other player declines.
void add_offers(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner, game::Effect& effect,
                int index) {
  const load::EffectSpec& spec = *prepared.spec;
  const int pending = attack.new_bit(spec.place);
  const game::Expression open{{Code::Used, pending}};
  OfferEffects answers;
  for (std::size_t i = 0; i < spec.offers.size(); ++i) {
    const load::OfferSpec& offer = spec.offers[i];
    for (const Owner& by : with_charges_of(attack, offer.cost, offer.operations, owner)) {
      game::Effect taken{.may = true};
      taken.when = both(open, compile_expression(attack, spec, prepared.offers[i].when, by));
      if (!fold_condition(taken) || !compile_costs(attack, offer.cost, by, taken.cost)) continue;
      pay_shields(attack, spec, offer.cost, by, taken);
      compile_operations(attack, spec, offer.operations, prepared.offers[i].amounts, by, taken);
      taken.clears = 1u << pending;
      const bool answering = spec.foe_decides ? owner.attacks : !owner.attacks;
      answers.taken.push_back(store_effect(attack, std::move(taken), {},
                                           {label_id(spec, owner), answer_detail(offer), answering, true, true}));
    }
  }
  game::Effect declined{.when = open, .clears = 1u << pending};
  const auto rest =
      std::stable_partition(effect.operations.begin(), effect.operations.end(), [](const game::Operation& o) {
        return o.kind == game::Operation::Kind::Cancel && o.exact;
      });  // spent dice are a price, paid at once
  declined.operations.assign(std::make_move_iterator(rest), std::make_move_iterator(effect.operations.end()));
  effect.operations.erase(rest, effect.operations.end());
  answers.declined = store_effect(attack, std::move(declined), {}, {.id = label_id(spec, owner), .detail = ""});
  effect.sets |= 1u << pending;
  attack.offers.emplace(index, std::move(answers));
}

/// Damage cards that the attacker loses once it had the chance to make an attack other than a bonus attack.
void lose_after(AttackDraft& attack, const Owner& owner) {
  const game::CardCounts cards = card_counts(attack.draft, owner.ship, owner.deck_card);
  const bool own = owner.attacks && owner.ship == attack.plan.attacker;
  if (cards.kind >= 0 && own && !attack.entry.engagement && attack.given.bonus.empty())
    attack.plan.lost_after.push_back(cards);
}

/// Whether it is an option about a damage card that the ship would be dealt faceup, in any attack.
bool decides_about_card(const load::EffectSpec& spec) {
  return spec.at == load::Window::CardDue || spec.at == load::Window::CardSeen;
}

/// Whether the effect reacts to tokens that ships gain in the same window before or after attacks. Cards of both sides
/// then react, since what a ship gained is known within one entry only.
bool reacts_here(const AttackDraft& attack, const PreparedEffect& effect) {
  return effect.reacts && attack.entry.engagement == effect.spec->at;
}

/// Whether an effect belongs to this entry. Effects before an engagement apply only there; damage cards apply wherever
/// damage is suffered. A weapon that attacks twice declares its target once, and effects after an attack follow the
/// second one.
bool applies_here(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  const load::EffectSpec& spec = *prepared.spec;
  if (resolves_with_damage(spec) || decides_about_card(spec)) return true;
  const bool before =
      spec.at == load::Window::EngagementStart || spec.at == load::Window::Engage || spec.at == load::Window::RoundEnd;
  if (attack.entry.twice == SequenceEntry::Twice::First && spec.at == load::Window::Aftermath) return false;
  if (attack.entry.twice == SequenceEntry::Twice::Second && spec.at == load::Window::Declare) return false;
  if (!attack.entry.engagement) return !before;
  if (spec.at == load::Window::Suffered) return true;
  if (reacts_here(attack, prepared)) return true;
  const bool now = !attack.entry.again || (spec.once_per_round && owner.ship == attack.plan.attacker);
  return spec.at == *attack.entry.engagement && owner.attacks && now;
}

/// Whether a ship can never have one of the tokens.
bool lacks(const Draft& draft, int ship, const std::vector<int>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [&](int token) { return draft.resource_at(ship, token) < 0; });
}

/// Whether effects of the scenario can give a ship one of the tokens.
bool may_gain(const Draft& draft, int ship, const std::vector<int>& tokens) {
  return draft.gains && std::any_of(tokens.begin(), tokens.end(), [&](int token) {
           const int index = draft.resource_at(ship, token);
           if (token == PreparedEffect::kLock) return true;
           return index >= 0 &&
                  base::nth(draft.out.plan.resources, index).max > base::nth(draft.out.plan.resources, index).initial;
         });
}

/// Visits the effects of one owner that apply in this attack, once per ally or enemy if they refer to one.
template <typename Visit>
void visit_owner(const AttackDraft& attack, const std::vector<const PreparedEffect*>& effects, Owner owner,
                 const Visit& visit) {
  if (effects.empty()) return;
  const ShipDraft& ship = attack.ship(owner.ship);
  const bool own = owner.ship == attack.ship_of_role(owner.attacks);
  for (const PreparedEffect* effect : effects) {
    if (!(owner.attacks ? effect->on_attack : effect->on_defense) && !reacts_here(attack, *effect)) continue;
    const bool anywhere = effect->on_attack && effect->on_defense &&
                          (decides_about_card(*effect->spec) || effect->spec->at == load::Window::Suffered ||
                           has_verb(*effect->spec, load::Verb::Pick));
    if (!anywhere && !(own ? effect->for_self : effect->for_friends)) continue;
    if (ship.carrier >= 0 && !effect->works_docked) continue;
    const bool lent = !attack.lenders.empty();  // another ship may lend the token
    if (!lent && lacks(attack.draft, owner.ship, effect->needs) && !may_gain(attack.draft, owner.ship, effect->gained))
      continue;
    if (!effect->ally && !effect->enemy) {
      visit(*effect, owner);
      continue;
    }
    const auto each_other = [&](bool friendly, const auto& found) {
      const int left_out = friendly ? owner.ship : attack.ship_of("foe", owner);
      for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
        const ShipDraft& other = attack.draft.ships[s];
        if (static_cast<int>(s) == left_out || (other.mine == ship.mine) != friendly || other.carrier >= 0) continue;
        found(static_cast<int>(s));
      }
    };
    each_other(effect->ally, [&](int first) {
      Owner with = owner;
      with.ally = first;
      if (effect->enemy) with.enemy = first;
      if (!effect->ally || !effect->enemy) return visit(*effect, with);
      each_other(false, [&](int second) {
        with.enemy = second;
        visit(*effect, with);
      });
    });
  }
}

using EffectList = std::vector<const PreparedEffect*> PreparedEffects::*;

/// Visits all effects of a list: of the edition, of the cards of both ships and of their friends, and of damage cards.
template <typename Visit>
void visit_effects(const AttackDraft& attack, EffectList list, const Visit& visit) {
  const Draft& draft = attack.draft;
  for (const bool attacks : {false, true}) {
    const int role = attack.ship_of_role(attacks);
    if (!attack.entry.engagement)
      visit_owner(attack, prepared(draft.edition).effects.*list, {.attacks = attacks, .ship = role}, visit);
    for (std::size_t i = 0; i <= draft.ships.size(); ++i) {
      const int ship = i == 0 ? role : static_cast<int>(i) - 1;  // begin with the ship of the role
      if ((i > 0 && ship == role) || base::nth(draft.ships, ship).mine != attack.ship(role).mine) continue;
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

/// Notes that the dice of a ship were rerolled, until something changes them.
void note_reroll(const AttackDraft& attack, const game::Operation& operation, game::Effect& effect) {
  using Kind = game::Operation::Kind;
  const bool rerolls = operation.kind == Kind::Reroll;
  if (!rerolls && operation.kind != Kind::Change && operation.kind != Kind::Add && operation.kind != Kind::Cancel)
    return;
  const int ship = attack.ship_of_role(operation.attack_dice);
  (rerolls ? effect.sets : effect.clears) |=
      attack.bits_of({.kind = UsedName::Kind::Rerolled, .ship = ship, .id = std::string_view()});
}

/// Makes effects set the bits that conditions read (used.<id>, spent.<token>, gained.<token>).
void set_use_bits(AttackDraft& attack) {
  if (attack.bits.empty()) return;
  const auto& resources = attack.draft.out.plan.resources;
  const auto did = [&](UsedName::Kind kind, int resource) -> std::uint32_t {
    const game::Resource& r = base::nth(resources, resource);
    if (r.kind == game::Resource::Kind::Lock) return attack.bits_of({.kind = kind, .ship = r.ship, .id = "lock"});
    if (r.kind != game::Resource::Kind::Token) return 0;
    return attack.bits_of({.kind = kind, .ship = r.ship, .id = base::nth(attack.draft.edition.tokens, r.token).id});
  };
  for (std::size_t e = 0; e < attack.plan.effects.size(); ++e) {
    game::Effect& effect = attack.plan.effects[e];
    effect.sets |= attack.bits_of(attack.effect_names[e]);
    for (const game::Cost& cost : effect.cost) effect.sets |= did(UsedName::Kind::Spent, cost.resource);
    for (const game::Operation& operation : effect.operations) {
      note_reroll(attack, operation, effect);
      if (operation.kind == game::Operation::Kind::Gain) effect.sets |= did(UsedName::Kind::Gained, operation.resource);
      if (operation.shield)
        effect.sets |= attack.bits_of(
            {.kind = UsedName::Kind::Lost, .ship = attack.plan.victim(operation.victim), .id = "shield"});
    }
    const auto lent = attack.lent.find(static_cast<int>(e));
    if (lent == attack.lent.end()) continue;
    const Lender& lender = *lent->second;
    effect.sets |= attack.bits_of({.kind = UsedName::Kind::Spent, .ship = lender.borrower, .id = lender.token});
    effect.sets |= attack.bits_of(lender.owner.named(lender.effect->spec->id));
  }
  for (const auto& [effect, ship] : attack.modifiers)
    base::nth(attack.plan.effects, effect).sets |=
        attack.bits_of({.kind = UsedName::Kind::Modified, .ship = ship, .id = std::string_view()});
  set_dealt_bits(attack);
}

/// Whether the effect is a dice modification (000: Dice_Modification).
bool modifies_dice(const load::EffectSpec& spec) {
  return std::any_of(spec.operations.begin(), spec.operations.end(), [](const load::OperationSpec& operation) {
    const load::Verb verb = operation.verb;
    return operation.modifies && (verb == load::Verb::Change || verb == load::Verb::Reroll || verb == load::Verb::Add ||
                                  verb == load::Verb::Spend);
  });
}

/// Limits the ships that a card reaches in an attack to the number that a fact states: of three friends, only two under
/// "defender-friend-within-1 = 2". Its ship's player chooses them, except for mandatory effects, which take the first.
void limit_reached(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner,
                   game::Effect& effect) {
  if (owner.card == nullptr || owner.ally < 0 || owner.ship != attack.ship_of_role(owner.attacks)) return;
  for (const Fact& fact : prepared.when.facts) {
    if (fact.kind != Fact::Kind::Board || fact.whole.find("friend") == std::string::npos) continue;
    const int most = stated_number(attack, fact.whole).value_or(0);
    const int role = attack.ship_of_role(!fact.whole.starts_with("defender-"));
    for (const int reached : {owner.ally, owner.enemy}) {
      if (most <= 0 || reached < 0 || attack.ship(reached).mine != attack.ship(role).mine) continue;
      const auto bit_of = [&](int ship) {
        return attack.bit({.kind = UsedName::Kind::Choice,
                           .ship = owner.ship,
                           .card = owner.card_number,
                           .id = fact.whole,
                           .ally = ship},
                          prepared.spec->place);
      };
      std::vector<int> others;
      for (int s = 0; s < static_cast<int>(attack.draft.ships.size()); ++s) {
        const ShipDraft& ship = attack.ship(s);
        if (s != reached && s != role && ship.mine == attack.ship(role).mine && ship.carrier < 0) others.push_back(s);
      }
      if (static_cast<int>(others.size()) < most) continue;
      game::Expression used = constant(0);
      for (const int ship : others) used = combined(std::move(used), {{Code::Used, bit_of(ship)}}, Code::Add);
      effect.when = both(std::move(effect.when), combined(std::move(used), constant(most), Code::Less));
      effect.sets |= 1u << bit_of(reached);
    }
  }
}

/// Compiles one effect, paid by its ship or by a lender.
void add_paid(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner, const Lender* lender, int& bit) {
  const load::EffectSpec& spec = *prepared.spec;
  const bool damage_card = owner.deck_card >= 0;
  if ((resolves_with_damage(spec) || spec.at == load::Window::Opportunity) && !damage_card)
    throw LoadError(fmt::format("{}: this window is for damage cards", spec.place));
  if (spec.at == load::Window::Always || !applies_here(attack, prepared, owner)) return;
  if (spec.at == load::Window::Opportunity) return lose_after(attack, owner);
  if (decides_about_card(spec) && !attack.ship(owner.ship).dealt_cards) return;
  game::Effect effect{.may = spec.may};
  if (!prepared.when.empty()) {
    const game::Expression& when = compile_expression(attack, spec, prepared.when, owner);
    int holds = 1;
    const bool settled = is_constant(when, holds);
    if (settled && holds == 0 && prepared.times.empty()) return;
    if (!settled || owner.card != nullptr || holds == 0) effect.when = when;
  }
  if (owner.card != nullptr) effect.when = both(in_play(attack, owner.ship), effect.when);
  if (damage_card && spec.at != load::Window::Dealt) effect.when = both(has_card(attack, owner), effect.when);
  if (owner.ally >= 0) effect.when = both(in_play(attack, owner.ally), effect.when);
  if (owner.enemy >= 0 && owner.enemy != owner.ally) effect.when = both(in_play(attack, owner.enemy), effect.when);
  if (attack.entry.engagement && spec.once_per_round)
    effect.when = both(not_gone(attack.draft, attack.plan.defender), effect.when);
  if (!prepared.times.empty()) effect.times = compile_expression(attack, spec, prepared.times, owner);
  int times = 0;
  if (!fold_condition(effect) || (is_constant(effect.times, times) && times <= 0)) return;
  if (!compile_costs(attack, spec.cost, owner, effect.cost, lender)) return;
  if (lender != nullptr) effect.when = both(std::move(effect.when), both(in_play(attack, lender->ship), lender->when));
  const Allowed may = allowed(attack, spec, nullptr, owner);
  if (may.never) return;
  effect.when = both(std::move(effect.when), may.when);
  pay_shields(attack, spec, spec.cost, owner, effect);
  compile_operations(attack, spec, spec.operations, prepared.amounts, owner, effect);
  if (lender != nullptr) {
    const PreparedEffect& lends = *lender->effect;
    compile_operations(attack, *lends.spec, lends.spec->operations, lends.amounts, lender->owner, effect);
  }
  if (!fold_condition(effect) || (effect.operations.empty() && spec.offers.empty())) return;
  if (has_verb(spec, load::Verb::Bonus) &&
      std::none_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& o) {
        return o.resource >= 0 && is_permission(base::nth(attack.draft.out.plan.resources, o.resource));
      })) {
    return;  // no such bonus attack in the sequence, so nothing to pay for
  }
  limit_uses(attack, spec, owner, effect, bit);
  limit_reached(attack, prepared, owner, effect);
  effect.forced = spec.must || (decides_about_card(spec) && !spec.may);
  if (!spec.may && chooses_how(effect, actual_window(spec, owner))) {
    effect.forced = true;
    if (effect.used_bit < 0) effect.used_bit = attack.new_bit(spec.place);
  }
  if (resolves_with_damage(spec)) {
    const int index = store_effect(attack, std::move(effect), {}, {.id = label_id(spec, owner), .detail = ""});
    attack.of_damage[{spec.at, owner.ship, owner.deck_card}].push_back(index);
    attack.deck_effects.insert(index);
    return;
  }
  const bool decider = spec.foe_decides ? !owner.attacks : owner.attacks;
  const std::string_view detail =
      lender != nullptr ? std::string_view(attack.ship(lender->ship).name) : label_detail(attack, spec, owner);
  const int index = store_effect(attack, {}, owner.named(spec.id),
                                 {label_id(spec, owner), detail, decider, spec.may || effect.forced});
  if (lender != nullptr) attack.lent.emplace(index, lender);
  if (modifies_dice(spec))
    attack.modifiers.emplace_back(index, spec.card_acts ? owner.ship : attack.ship_of("friend", owner));
  if (!spec.offers.empty()) add_offers(attack, prepared, owner, effect, index);
  if (decides_about_card(spec)) {
    attack.of_cards[{spec.at, owner.ship}].push_back(index);
  } else {
    attack.in_windows.push_back({actual_window(spec, owner), spec.may || effect.forced, decider, index});
  }
  if (damage_card) attack.deck_effects.insert(index);
  base::nth(attack.plan.effects, index) = std::move(effect);
}

}  // namespace

int store_effect(AttackDraft& attack, game::Effect effect, const UsedName& name, const EffectLabel& label) {
  attack.plan.effects.push_back(std::move(effect));
  attack.effect_names.push_back(name);
  attack.labels.push_back(label);
  return static_cast<int>(attack.plan.effects.size()) - 1;
}

void compile_operations(AttackDraft& attack, const load::EffectSpec& spec,
                        const std::vector<load::OperationSpec>& operations, const std::vector<PreparedText>& amounts,
                        const Owner& owner, game::Effect& effect) {
  effect.operations.reserve(effect.operations.size() + operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const load::OperationSpec& operation = operations[i];
    const Allowed may = allowed(attack, spec, &operation, owner);
    // Picking up dice and rolling them again is one modification: if adding dice is forbidden, so is the whole effect.
    if (may.never && operation.verb == load::Verb::Add && has_verb(spec, load::Verb::Roll)) effect.when = constant(0);
    if (may.never) continue;
    auto compiled = compile_operation(attack, spec, operation, amounts[i], owner);
    if (operation.verb == load::Verb::Expose && operation.amount.empty() &&
        spec.may)  // the price may only be paid if there is a card to expose
      effect.when = both(std::move(effect.when), facedown_cards(attack, attack.ship_of(operation.who, owner)));
    if (!compiled) continue;
    if (operation.verb == load::Verb::Repair)
      effect.when = both(std::move(effect.when), {{Code::Resource, compiled->cards.kind}});
    if (operation.verb == load::Verb::Expose && operation.pick) {
      const int bit = attack.new_bit(spec.place);
      effect.sets |= 1u << bit;
      attack.card_picks.push_back({.ship = attack.ship_of(operation.who, owner),
                                   .attackers = owner.attacks,
                                   .facedown = true,
                                   .when = {{Code::Used, bit}},
                                   .clears = 1u << bit,
                                   .card = owner.card->id});
    }
    if (compiled->shield)
      effect.when =
          both(std::move(effect.when), has_shields(attack, attack.ship_of(operation.who, owner), operation.n));
    effect.when = both(std::move(effect.when), may.when);
    if (!may.one_of.empty() && !limit_modified(attack, spec, may, owner, *compiled, effect)) effect.when = constant(0);
    if (may.one_die) limit_reroll(attack, spec, may, owner, *compiled, effect);
    effect.operations.push_back(std::move(*compiled));
  }
  if (effect.operations.size() > game::kMaxOperations)
    throw LoadError(fmt::format("{}: more than {} operations in one effect", spec.place, game::kMaxOperations));
  if (std::count_if(effect.operations.begin(), effect.operations.end(), has_choice) > 1)
    throw LoadError(
        fmt::format("{}: dice are chosen twice in one effect; make it two, the second with "
                    "when = \"used.<id of the first>\"",
                    spec.place));
}

namespace {

/// One copy of the owner for each kind of damage card that the effect can repair; just the owner if it repairs none.
std::vector<Owner> with_repaired(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner) {
  const auto repair = std::find_if(spec.operations.begin(), spec.operations.end(),
                                   [](const load::OperationSpec& o) { return o.verb == load::Verb::Repair; });
  if (repair == spec.operations.end()) return {owner};
  std::vector<Owner> out;
  const int ship = attack.ship_of(repair->who, owner);
  if (attack.draft.lifetime == Lifetime::Battle) return out;  // battles leave it out and say so
  if (attack.draft.deck == nullptr || ship < 0 || !can_have_faceup_cards(attack.draft, ship, attack.number)) return out;
  const auto& cards = attack.draft.deck->cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    Owner with = owner;
    with.repaired = static_cast<int>(c);
    const bool any = repair->of == "card" || repair->of == cards[c].trait;
    if (any && card_counts(attack.draft, ship, with.repaired).kind >= 0) out.push_back(with);
  }
  return out;
}

}  // namespace

void add_effect(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  const load::EffectSpec& spec = *prepared.spec;
  int bit = -1;
  const std::vector<Owner> repairs = with_repaired(attack, spec, owner);
  if (repairs.empty() || repairs.front().repaired != owner.repaired) {
    for (const Owner& by : repairs) add_paid(attack, prepared, by, nullptr, bit);
    return;
  }
  const bool one_of = std::any_of(attack.forbidden.begin(), attack.forbidden.end(),
                                  [](const Forbidden& rule) { return !rule.face.empty(); });
  for (const Owner& by : with_charges_of(attack, spec.cost, spec.operations, owner)) {
    add_paid(attack, prepared, by, nullptr, bit);
    for (const auto how : {AttackDraft::Modified::None, AttackDraft::Modified::Any}) {
      if (!one_of || !modifies_dice(spec)) break;
      attack.modified = how;
      add_paid(attack, prepared, by, nullptr, bit);
    }
    attack.modified = AttackDraft::Modified::One;
    for (const Lender& lender : attack.lenders) {
      const bool lends = spec.may && lender.pays.empty() &&
                         std::any_of(spec.cost.begin(), spec.cost.end(),
                                     [&](const load::CostSpec& cost) { return pays(attack, lender, cost, by); });
      if (lends) add_paid(attack, prepared, by, &lender, bit);
    }
  }
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
    const bool distinguished = !label.detail.empty() && (label.answer || has_rival());
    std::string name(label.id);
    if (distinguished) name.append(":").append(label.detail);
    int same = 1;  // a number to append if the detail does not distinguish them either
    for (std::size_t i = 0; i < out.size() && distinguished; ++i)
      same += rival(labels[i], label) && out[i].starts_with(name);
    out.push_back(same > 1 ? fmt::format("{}:{}", name, same) : std::move(name));
  }
  return out;
}

namespace {

/// The first of two attacks records that it happened, and whether it hit.
void note_first_of_two(AttackDraft& attack) {
  if (attack.entry.twice != SequenceEntry::Twice::First) return;
  const int flag = attack.draft.find_resource(game::Resource::Kind::FirstOfTwo, attack.plan.attacker,
                                              static_cast<int>(attack.number) + 1);
  const auto note = [&](game::Expression when) {
    game::Effect effect{.when = std::move(when)};
    effect.operations.push_back({.kind = game::Operation::Kind::Gain, .n = 1, .resource = flag});
    const int index = store_effect(attack, std::move(effect), {}, {.id = "second-attack", .detail = ""});
    attack.in_windows.push_back({load::Window::AttackEnd, false, true, index});
  };
  note({});
  note({{Code::Hit, 0}});
}

/// Whether the effect exists if the facts assumed from `first` on have other values.
bool exists_otherwise(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner,
                      std::size_t first) {
  const auto& assumed = attack.draft.assumed;
  const std::size_t facts = assumed.size() - first;
  for (unsigned values = 0; values < 1u << facts; ++values) {
    AttackDraft trial(attack);
    for (std::size_t i = 0; i < facts; ++i)
      trial.tried[std::string(assumed[first + i].second)] = static_cast<int>(values >> i & 1u);
    try {
      add_effect(trial, prepared, owner);
    } catch (const ScenarioError&) {  // it exists, and would be too much
      return true;
    }
    if (trial.plan.effects.size() > attack.plan.effects.size()) return true;
  }
  return false;
}

/// Adds an effect. Facts that were taken at their usual case are listed only if the effect exists in this scenario, or
/// would in another case: a ship may lack the token that it costs.
void add_noted(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  constexpr std::size_t kMost = 6;  // more facts of one effect are all listed
  Draft& draft = attack.draft;
  const std::size_t stored = attack.plan.effects.size(), assumed = draft.assumed.size();
  const std::size_t listed = draft.out.labels.assumed_facts.size();
  add_effect(attack, prepared, owner);
  const bool stores = attack.plan.effects.size() > stored;
  if (draft.assumed.size() == assumed || stores || draft.assumed.size() > assumed + kMost) return;
  const std::vector<std::string> notes = draft.out.labels.notes;
  const bool reading = std::exchange(draft.reading, false);
  const bool exists = exists_otherwise(attack, prepared, owner, assumed);
  draft.reading = reading;
  draft.out.labels.notes = notes;
  if (exists) return;
  draft.assumed.resize(assumed);
  draft.out.labels.assumed_facts.resize(listed);
}

}  // namespace

void add_effects(AttackDraft& attack) {
  visit_effects(attack, &PreparedEffects::overrides,
                [&](const PreparedEffect& effect, const Owner& owner) { collect_overrides(attack, effect, owner); });
  visit_effects(attack, &PreparedEffects::passive,
                [&](const PreparedEffect& effect, const Owner& owner) { collect_passive(attack, effect, owner); });
  // Effects after damage come last, when it is known which ships can suffer damage.
  bool follows = false;
  const auto add = [&](bool last) {
    visit_effects(attack, &PreparedEffects::windowed, [&](const PreparedEffect& effect, const Owner& owner) {
      const bool suffered = effect.spec->at == load::Window::Suffered;
      follows = follows || suffered;
      if (last != suffered || (owner.deck_card >= 0 && resolves_with_damage(*effect.spec))) return;
      Draft& draft = attack.draft;
      draft.reading = owner.card != nullptr || effect.gained.empty() || may_gain(draft, owner.ship, effect.gained);
      add_noted(attack, effect, owner);
      draft.reading = true;
    });
  };
  add(false);
  if (follows) add(true);
  add_deals(attack);
  note_first_of_two(attack);
  set_use_bits(attack);
}

}  // namespace salvo::compile
