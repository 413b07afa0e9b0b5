// The attacks in the order of play: those of the scenario, bonus attacks that cards grant against the same ship without
// being listed, and the effects before an engagement.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/index.h"
#include "rules/compile_parts.h"

namespace salvo::rules {
namespace {

/// Whether a card of the ship, or one of a friend for its friends, has an effect at the window before an engagement.
bool has_effects_at(const Draft& draft, const ShipDraft& ship, Window window) {
  return std::any_of(draft.ships.begin(), draft.ships.end(), [&](const ShipDraft& owner) {
    if (owner.mine != ship.mine) return false;
    const char* other = &owner == &ship ? "ally" : "self";
    return std::any_of(owner.cards.begin(), owner.cards.end(), [&](const CardSpec* card) {
      return std::any_of(card->effects.begin(), card->effects.end(),
                         [&](const EffectSpec& effect) { return effect.at == window && effect.whose != other; });
    });
  });
}

/// Whether the ship, attacked before attack `index`, can have a damage card with an effect before it engages.
bool has_damage_cards_at(const Draft& draft, const ShipDraft& ship, Window window, std::size_t index) {
  if (!ship.dealt_cards) return false;
  const auto& attacks = draft.scenario.attacks;
  const auto& cards = draft.deck->cards;
  return std::any_of(attacks.begin(), attacks.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const ScenarioAttack& attack) { return attack.on == ship.name; }) &&
         std::any_of(cards.begin(), cards.end(), [&](const DamageCardSpec& card) {
           return std::any_of(card.card.effects.begin(), card.card.effects.end(),
                              [&](const EffectSpec& effect) { return effect.at == window; });
         });
}

void push(Draft& draft, ListedAttack attack) {
  attack.by = draft.find_ship(attack.given.by);
  attack.on = draft.find_ship(attack.given.on);
  draft.attacks.push_back(std::move(attack));
}

/// The effects of a ship before an engagement, as part of one of its attacks. An attack on it is seen from the ship.
void add_engagement(Draft& draft, std::size_t index, const std::string& ship, Window window, bool again) {
  ListedAttack out{.given = draft.scenario.attacks[index],
                   .path = fmt::format("attacks[{}]", index),
                   .inserted = true,
                   .engagement = window,
                   .again = again,
                   .mirrored = draft.scenario.attacks[index].by != ship};
  out.given.bonus.clear();
  if (out.mirrored) {
    std::swap(out.given.by, out.given.on);
    for (std::string& fact : out.given.facts) fact = mirrored(fact);
  }
  push(draft, std::move(out));
}

/// The effects before the first attack of a ship that takes part in none: as if it were to attack the other ship of the
/// first attack. What the scenario says of that attack is not said of this ship.
void add_idle_start(Draft& draft, const ShipDraft& ship) {
  const ScenarioAttack& first = draft.scenario.attacks.front();
  const bool with_attacker = nth(draft.ships, draft.ship_index(first.by, "")).mine == ship.mine;
  ListedAttack out{.given = {.by = ship.name, .on = with_attacker ? first.on : first.by},
                   .path = fmt::format("ships.{}", ship.name),
                   .inserted = true,
                   .engagement = Window::EngagementStart};
  push(draft, std::move(out));
}

/// The effects of a ship before an engagement: with the attack `index`, and those used once a round also with each
/// other ship that it meets in the scenario, so that its player chooses one of them.
void add_engagements(Draft& draft, std::size_t index, const ShipDraft& ship, Window window) {
  add_engagement(draft, index, ship.name, window, false);
  const bool chooses = std::any_of(ship.cards.begin(), ship.cards.end(), [&](const CardSpec* card) {
    return std::any_of(card->effects.begin(), card->effects.end(),
                       [&](const EffectSpec& effect) { return effect.at == window && effect.once_per_round; });
  });
  if (!chooses) return;
  std::set<std::string> met{draft.attacks.back().given.on};
  for (std::size_t k = 0; k < draft.scenario.attacks.size(); ++k) {
    const ScenarioAttack& attack = draft.scenario.attacks[k];
    if (attack.by != ship.name && attack.on != ship.name) continue;
    if (met.insert(attack.by == ship.name ? attack.on : attack.by).second)
      add_engagement(draft, k, ship.name, window, true);
  }
}

/// The effects of a ship before the first attack of the scenario.
void add_start(Draft& draft, const ShipDraft& ship) {
  const auto& attacks = draft.scenario.attacks;
  const auto first = [&](auto has) { return std::find_if(attacks.begin(), attacks.end(), has); };
  auto at = first([&](const ScenarioAttack& attack) { return attack.by == ship.name; });
  if (at == attacks.end()) at = first([&](const ScenarioAttack& attack) { return attack.on == ship.name; });
  if (at == attacks.end()) return add_idle_start(draft, ship);
  add_engagements(draft, static_cast<std::size_t>(at - attacks.begin()), ship, Window::EngagementStart);
}

/// The weapon of the ship that the words of a card mean, or nothing when it has none.
std::optional<std::string> bonus_weapon(const ShipDraft& ship, const std::string& name, const std::string& same) {
  if (name.empty()) return same;
  if (name == "primary") return ship.weapons.empty() ? std::nullopt : std::optional(name);
  const bool turret = name == "turret";
  const std::string arc = turret ? "turret" : name.substr(std::min(name.size(), name.find(':') + 1));
  for (const WeaponSpec& weapon : ship.weapons) {
    if (turret && (same == "primary" || same == "primary:" + weapon.arc) && ship.weapons.size() == 1) continue;
    if (turret ? weapon.arc.find(arc) != std::string::npos : weapon.arc == arc) return "primary:" + weapon.arc;
  }
  for (const CardSpec* card : ship.cards) {
    if (turret && card->weapon && card->weapon->arc.find(arc) != std::string::npos && card->id != same) return card->id;
  }
  const auto& upgrades = ship.given->upgrades;
  if (std::find(upgrades.begin(), upgrades.end(), name) != upgrades.end()) return name;
  return std::nullopt;
}

/// Lists an attack, twice where its weapon says so.
void add_attack(Draft& draft, ListedAttack attack) {
  const CardSpec* card = draft.catalogue.card("upgrade", attack.given.weapon, draft.cards);
  if (card != nullptr && card->weapon && card->weapon->twice) {
    attack.twice = ListedAttack::Twice::First;
    push(draft, attack);
    attack.twice = ListedAttack::Twice::Second;
  }
  push(draft, std::move(attack));
}

/// Bonus attacks after attack `index` of the scenario that are not listed there.
void add_bonus_attacks(Draft& draft, std::size_t index) {
  const auto& attacks = draft.scenario.attacks;
  const ScenarioAttack& base = attacks[index];
  const auto listed = [&](const std::string& by, const std::string& card) {
    for (std::size_t k = index + 1; k < attacks.size() && !attacks[k].bonus.empty(); ++k) {
      if (attacks[k].by == by && attacks[k].bonus == card) return true;
    }
    return false;
  };
  const std::size_t roles[2] = {static_cast<std::size_t>(draft.find_ship(base.on)),
                                static_cast<std::size_t>(draft.find_ship(base.by))};
  for (const ShipDraft& owner : draft.ships) {
    const bool attacks_now = owner.mine == draft.ships[roles[1]].mine;
    const bool own = &owner == &draft.ships[roles[attacks_now]];
    for (const CardSpec* card : owner.cards) {
      for (const EffectSpec& effect : card->effects) {
        if (!has_verb(effect, Verb::Bonus)) continue;
        if (effect.side != "any" && (effect.side == "attacker") != attacks_now) continue;
        if (effect.whose == (own ? "ally" : "self")) continue;
        for (const OperationSpec& operation : effect.operations) {
          if (operation.verb != Verb::Bonus || operation.target != "foe") continue;
          const ShipDraft& by = operation.who == "friend" ? draft.ships[roles[attacks_now]] : owner;
          const auto weapon = bonus_weapon(by, operation.weapon, base.weapon);
          if (listed(by.name, card->id) || !weapon) continue;
          ListedAttack bonus{
              .given = base, .path = fmt::format("attacks[{}]", index), .inserted = true, .engagement = std::nullopt};
          if (!attacks_now) bonus.given = {.by = "", .on = "", .range = base.range, .obstructed = base.obstructed};
          bonus.given.by = by.name;
          bonus.given.on = draft.ships[roles[!attacks_now]].name;
          bonus.given.weapon = *weapon;
          bonus.given.initiative = base.initiative;
          bonus.given.bonus = card->id;
          add_attack(draft, std::move(bonus));
        }
      }
    }
  }
}

}  // namespace

std::string mirrored(std::string_view fact) {
  if (fact.starts_with("not ")) return "not " + mirrored(fact.substr(4));
  if (fact == "bullseye") return "in-defender-bullseye";
  if (fact == "in-defender-bullseye") return "bullseye";
  constexpr std::pair<std::string_view, std::string_view> kExchanged[] = {
      {"in-defender-", "in-"}, {"in-", "in-defender-"}, {"attacker-", "defender-"}, {"defender-", "attacker-"}};
  for (const auto& [from, to] : kExchanged) {
    if (fact.starts_with(from)) return std::string(to).append(fact.substr(from.size()));
  }
  return std::string(fact);
}

void list_attacks(Draft& draft) {
  const auto& attacks = draft.scenario.attacks;
  for (const ShipDraft& ship : draft.ships) {
    if (has_effects_at(draft, ship, Window::EngagementStart)) add_start(draft, ship);
  }
  draft.attacks.reserve(draft.attacks.size() + attacks.size());
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    std::string path = fmt::format("attacks[{}]", i);
    if (!attacks[i].bonus.empty() && i == 0)
      throw ScenarioError(path + ".bonus",
                          "a bonus attack follows the attack that it is granted after; none is before it");
    const ShipDraft& by = nth(draft.ships, draft.find_ship(attacks[i].by));
    const bool first = std::none_of(attacks.begin(), attacks.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const ScenarioAttack& a) { return a.by == by.name && a.bonus.empty(); });
    if (first && attacks[i].bonus.empty() &&
        (has_effects_at(draft, by, Window::Engage) || has_damage_cards_at(draft, by, Window::Engage, i)))
      add_engagements(draft, i, by, Window::Engage);
    add_attack(draft, {.given = attacks[i], .path = std::move(path), .inserted = false, .engagement = std::nullopt});
    if (attacks[i].bonus.empty()) add_bonus_attacks(draft, i);
  }
}

}  // namespace salvo::rules
