// Selects the weapon of an attack and checks whether it is usable.
#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "base/text.h"
#include "compile/attack_draft.h"
#include "load/scenario_names.h"

namespace salvo::compile {
namespace {

/// A primary weapon with the value that the scenario states for the strongest one.
load::WeaponSpec with_stated_value(const load::WeaponSpec& weapon, const ShipDraft& ship) {
  load::WeaponSpec out = weapon;
  if (&weapon == strongest(ship.weapons) && !weapon.of_docked) out.attack = ship.attack.value_or(weapon.attack);
  return out;
}

load::WeaponSpec primary_weapon(const AttackDraft& attack, const ShipDraft& ship) {
  const std::string& name = attack.given.weapon;
  if (ship.weapons.empty()) {
    throw ScenarioError(attack.path + ".by",
                        fmt::format("'{}' has no weapon; give it attack = n or another ship", ship.name));
  }
  if (name == "primary") return with_stated_value(*strongest(ship.weapons), ship);
  const std::string arc = name.substr(std::string_view("primary:").size());
  std::vector<std::string> arcs;
  for (const load::WeaponSpec& weapon : ship.weapons) {
    arcs.push_back(weapon.arc);
    if (weapon.arc == arc) return with_stated_value(weapon, ship);
  }
  throw ScenarioError(attack.path + ".weapon",
                      unknown("arc", arc, arcs) + fmt::format(" (primary weapons of '{}')", ship.name));
}

/// Whether a card of the ship can remove such a token, or allow it to attack with one. Then play determines whether it
/// attacks.
bool lifts(const load::CardSpec& card, const load::TokenSpec& token) {
  const std::string fact = "attacker-may-have-" + token.id;  // (docs/cards.md: Verbs, treat)
  const auto helps = [&](const load::OperationSpec& operation) {
    return operation.verb == load::Verb::Treat ? operation.fact == fact
                                               : operation.verb == load::Verb::Lose && operation.token == token.id;
  };
  return has_operation(card, helps);
}

/// A disarmed or cloaked ship cannot attack (000: Disarmed, Cloak), unless a card may help.
void check_may_attack(const AttackDraft& attack) {
  const ShipDraft& ship = base::nth(attack.draft.ships, attack.plan.attacker);
  const auto& tokens = attack.draft.edition.tokens;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const load::TokenSpec& token = tokens[t];
    if (!token.prevents_attack) continue;
    if (tokens_in_round(attack.draft, ship, static_cast<int>(t), attack.given.round) <= 0) continue;
    if (std::none_of(ship.cards.begin(), ship.cards.end(),
                     [&](const load::CardSpec* card) { return lifts(*card, token); })) {
      throw ScenarioError(
          attack.path + ".by",
          fmt::format("'{}' has a {} token and cannot attack; remove the token or the attack", ship.name, token.id));
    }
  }
}

void check_range(const AttackDraft& attack) {
  const load::Edition& edition = attack.draft.edition;
  if (attack.given.range >= edition.min_range && attack.given.range <= edition.max_range) return;
  throw ScenarioError(attack.path + ".range", fmt::format("{} is out of range; {} allows {} to {}", attack.given.range,
                                                          edition.id, edition.min_range, edition.max_range));
}

}  // namespace

std::string arc_on_ship(const Draft& draft, const ShipDraft& ship, const std::string& upgrade, std::string arc) {
  if (arc != "front") return arc;
  each_stat(ship.cards, [&](const auto&, const load::OperationSpec& operation) {
    if (!operation.weapon.empty() && in_slot(draft, upgrade, operation.weapon)) arc = operation.to;
  });
  return arc;
}

const load::WeaponSpec* strongest(const std::vector<load::WeaponSpec>& weapons) {
  const auto at = std::max_element(weapons.begin(), weapons.end(),
                                   [](const auto& a, const auto& b) { return a.attack < b.attack; });
  return at == weapons.end() ? nullptr : &*at;
}

bool in_slot(const Draft& draft, const std::string& upgrade, std::string_view slot) {
  const auto cost = draft.catalogue.upgrade_cost(upgrade, draft.cards);
  return cost && base::contains(cost->slots, slot);
}

bool reach(AttackDraft& attack) {
  const int range = attack.given.range;
  const auto& cards = attack.ship(attack.plan.attacker).cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const Owner owner{
        .attacks = true, .ship = attack.plan.attacker, .card = cards[c], .card_number = static_cast<int>(c)};
    for (const PreparedEffect& effect : prepared(*cards[c]).effects.all) {
      for (const load::OperationSpec& operation : effect.spec->operations) {
        if (operation.verb != load::Verb::Reach || !effect.on_attack || !effect.for_self) continue;
        const int more = operation.n;
        const bool inside = range >= std::max(operation.min.value_or(0), attack.weapon.min_range - more) &&
                            range <= std::min(operation.max.value_or(0), attack.weapon.max_range + more);
        int holds = 1;
        const game::Expression& when = compile_expression(attack, *effect.spec, effect.when, owner);
        if (!when.empty() && !is_constant(when, holds))
          throw LoadError(
              fmt::format("{}: a condition of the verb reach may not depend on dice or tokens", effect.spec->place));
        if (inside && holds != 0 && compile_costs(attack, effect.spec->cost, owner, attack.plan.cost)) return true;
      }
    }
  }
  return false;
}

void choose_weapon(AttackDraft& attack) {
  const ShipDraft& ship = base::nth(attack.draft.ships, attack.plan.attacker);
  const std::string& name = attack.given.weapon;
  if (name == "primary" || name.starts_with("primary:")) {
    attack.weapon = primary_weapon(attack, ship);
    return;
  }
  const auto& upgrades = ship.given->upgrades;
  if (!base::contains(upgrades, name)) {
    std::vector<std::string> known{"primary"};
    for (const load::WeaponSpec& weapon : ship.weapons) known.push_back("primary:" + weapon.arc);
    known.insert(known.end(), upgrades.begin(), upgrades.end());
    throw load::UnknownIdError(attack.path + ".weapon", unknown("weapon", name, known));
  }
  const load::CardSpec* card = attack.draft.catalogue.card("upgrade", name, attack.draft.cards);
  if (card == nullptr || !card->weapon) {
    throw ScenarioError(
        attack.path + ".weapon",
        fmt::format("the weapon of '{}' is not modelled yet; use weapon = \"primary\" or attack = n", name));
  }
  attack.weapon = *card->weapon;
  attack.weapon.arc = arc_on_ship(attack.draft, attack.ship(attack.plan.attacker), name, attack.weapon.arc);
  attack.primary = false;
  attack.weapon_card = static_cast<int>(std::find(ship.cards.begin(), ship.cards.end(), card) - ship.cards.begin());
  const bool reaches = attack.given.range >= card->weapon->min_range && attack.given.range <= card->weapon->max_range;
  if (!reaches && !reach(attack)) {
    throw ScenarioError(attack.path + ".range",
                        fmt::format("'{}' shoots at range {} to {}, not {}", name, card->weapon->min_range,
                                    card->weapon->max_range, attack.given.range));
  }
}

void check_attack(const AttackDraft& attack) {
  check_may_attack(attack);
  check_range(attack);
}

void require_tokens(AttackDraft& attack) {
  const auto& tokens = attack.weapon.requires_tokens;
  if (tokens.empty()) return;
  const Owner owner{.attacks = true, .ship = attack.plan.attacker};
  for (const std::string& token : tokens) {
    const int index = resource_of(attack, token, attack.plan.attacker, owner);
    if (index >= 0) attack.plan.required.push_back({index, 1});
  }
  if (!attack.plan.required.empty()) return;
  if (const auto& waivers = attack.plan.waivers;
      !waivers.empty()) {  // without the token in the scenario, the waiver always applies
    const game::Costs& price = waivers.front().price;
    if (waivers.front().when.empty()) {
      attack.plan.cost.insert(attack.plan.cost.end(), price.begin(), price.end());
    } else {
      attack.plan.required.push_back(
          {0, attack.draft.out.plan.resources.front().max + 1});  // unreachable number: the requirement is never met
    }
    return;
  }
  throw ScenarioError(
      attack.path + ".weapon",
      fmt::format("'{}' needs {} {}; add it to the tokens of '{}'", attack.given.weapon,
                  tokens[0] == "lock" ? "a lock on" : "the token",
                  tokens[0] == "lock" ? attack.given.on : base::joined(tokens, " or "), attack.given.by));
}

}  // namespace salvo::compile
