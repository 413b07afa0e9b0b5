// Which effects apply in an attack, and to which ships: of the edition, of cards and of damage cards.
#include <algorithm>

#include "base/index.h"
#include "compile/effects.h"

namespace salvo::compile {
namespace {

/// Everything that effects on a ship of this attack can need and have. All if a card changes facts, or if another ship
/// may lend tokens.
std::uint64_t present(const AttackDraft& attack, int ship) {
  if (!attack.lenders.empty() || !attack.overrides.empty() || !attack.conditional_overrides.empty())
    return ~std::uint64_t{0};
  std::uint64_t out = attack.ship(ship).tokens_present;
  const auto range = static_cast<std::size_t>(attack.given.range);
  out |= range < need::kRanges && !attack.entry.idle ? need::range(range) : need::kAnyRange;
  if (attack.given.obstructed) out |= need::kObstructed;
  if (!attack.given.facts.empty()) out |= need::kStated;
  return out;
}

/// Whether a set has nothing in common with what is present.
bool lacks(std::uint64_t present, const std::vector<std::uint64_t>& sets) {
  return std::any_of(sets.begin(), sets.end(), [present](std::uint64_t set) { return (set & present) == 0; });
}

/// Whether it is a rule for a ship beside the attack, or before attacks, where rules only follow gained tokens.
bool is_rule_beside(const AttackDraft& attack, const Owner& owner) {
  return owner.card == nullptr && (attack.entry.engagement || owner.ship != attack.ship_of_role(owner.attacks));
}

/// Visits the effects of one owner that apply in this attack, once per ally or enemy if they refer to one.
void visit_owner(const AttackDraft& attack, const std::vector<const PreparedEffect*>& effects, Owner owner,
                 const EffectVisit& visit) {
  if (effects.empty()) return;
  const ShipDraft& ship = attack.ship(owner.ship);
  const bool own = owner.ship == attack.ship_of_role(owner.attacks);
  const bool beside = is_rule_beside(attack, owner);
  const std::uint64_t here = present(attack, owner.ship);
  for (const PreparedEffect* effect : effects) {
    const bool reacts = reacts_here(attack, *effect);
    if (!(owner.attacks ? effect->on_attack : effect->on_defense) && !reacts) continue;
    const bool concerned = effect->anywhere || ((own || reacts) && effect->for_self) || (!own && effect->for_friends);
    if (!beside && !concerned) continue;
    if (ship.carrier >= 0 && !effect->works_docked) continue;
    if (lacks(here, effect->needs) && (beside || !may_gain(attack.draft, owner.ship, effect->gained))) continue;
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

}  // namespace

bool decides_about_card(const load::EffectSpec& spec) {
  return spec.at == load::Window::CardDue || spec.at == load::Window::CardSeen;
}

bool is_between_attacks(load::Window window) {
  return window == load::Window::EngagementStart || window == load::Window::Engage || window == load::Window::RoundEnd;
}

bool reacts_here(const AttackDraft& attack, const PreparedEffect& effect) {
  return effect.reacts && attack.entry.engagement == effect.spec->at;
}

bool applies_here(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  const load::EffectSpec& spec = *prepared.spec;
  if (is_rule_beside(attack, owner)) return true;
  if (resolves_with_damage(spec) || decides_about_card(spec) || spec.at == load::Window::DamageDue) return true;
  if (attack.entry.twice == SequenceEntry::Twice::First && spec.at == load::Window::Aftermath) return false;
  if (attack.entry.twice == SequenceEntry::Twice::Second && spec.at == load::Window::Declare) return false;
  if (!attack.entry.engagement) return !is_between_attacks(spec.at);
  if (spec.at == load::Window::Suffered) return true;
  if (reacts_here(attack, prepared)) return true;
  const bool now = !attack.entry.again || (spec.once_per_round && owner.ship == attack.plan.attacker);
  return spec.at == *attack.entry.engagement && owner.attacks && now;
}

bool may_gain(const Draft& draft, int ship, const std::vector<int>& tokens) {
  return draft.gains && std::any_of(tokens.begin(), tokens.end(), [&](int token) {
           const int index = draft.resource_at(ship, token);
           if (token == PreparedEffect::kLock) return true;
           return index >= 0 &&
                  base::nth(draft.out.plan.resources, index).max > base::nth(draft.out.plan.resources, index).initial;
         });
}

void visit_effects(const AttackDraft& attack, EffectList list, const EffectVisit& visit) {
  const Draft& draft = attack.draft;
  for (const bool attacks : {false, true}) {
    const int role = attack.ship_of_role(attacks);
    const PreparedEffects& rules = prepared(draft.edition).effects;
    for (std::size_t i = 0; i <= draft.ships.size(); ++i) {
      const int ship = i == 0 ? role : static_cast<int>(i) - 1;  // begin with the ship of the role
      if ((i > 0 && ship == role) || base::nth(draft.ships, ship).mine != attack.ship(role).mine) continue;
      const Owner of_rule{.attacks = attacks, .ship = ship};
      if (!is_rule_beside(attack, of_rule))
        visit_owner(attack, rules.*list, of_rule, visit);
      else if (draft.gains && list == &PreparedEffects::windowed)  // friends gain tokens as well
        visit_owner(attack, rules.after_events, of_rule, visit);
      else if (draft.gains && list == &PreparedEffects::passive)  // and lose what they gain at once
        visit_owner(attack, rules.passive, of_rule, [&](const PreparedEffect& effect, const Owner& owner) {
          if (effect.reacts) visit(effect, owner);
        });
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

std::vector<Owner> each_repaired(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner) {
  const auto repair = std::find_if(spec.operations.begin(), spec.operations.end(),
                                   [](const load::OperationSpec& o) { return o.verb == load::Verb::Repair; });
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

}  // namespace salvo::compile
