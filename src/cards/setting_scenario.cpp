// The scenario of a dry run: see setting_scenario.h.
#include "cards/setting_scenario.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace salvo::cards {

namespace {

void fill(ScenarioShip& ship, const std::map<std::string, int>& tokens, const char* other) {
  for (const auto& [token, n] : tokens) {
    if (token == "lock" && n > 0) ship.locks.emplace_back(other);
    if (token != "lock" && token != "shield" && (n > 0 || token == "force")) ship.tokens[token] = n;
  }
}

/// The other ship of the side of the ship with the card.
ScenarioShip other_ship(const Setting& setting) {
  ScenarioShip ally;
  ally.side = setting.attacks ? "mine" : "theirs";
  ally.attack = setting.ally_dice;
  ally.agility = 2;
  if (setting.ally_size != "small") ally.size = setting.ally_size;
  const char* foe = setting.attacks ? "d" : "a1";
  if (setting.by_ally) fill(ally, setting.own, foe);
  for (const auto& [token, n] : setting.ally) ally.tokens.erase(token);
  if (setting.ally.contains("lock")) ally.locks.clear();
  fill(ally, setting.ally, foe);
  return ally;
}

/// One attack of the course; `main` is the attack of the setting.
ScenarioAttack attack_of(const Setting& setting, Move move, const ScenarioAttack& main) {
  ScenarioAttack out = main;
  if (move == Move::Main) return out;
  if (move == Move::Back || move == Move::Beside || move == Move::BackBeside) {
    out = ScenarioAttack{};
    out.range = setting.weapon.empty() && !setting.own_weapon ? main.range : 2;
    out.by = move != Move::Beside ? "d" : setting.attacks ? "b" : "a1";
    out.on = move == Move::Back ? "a1" : move == Move::BackBeside || !setting.attacks ? "b" : "d";
    out.initiative = setting.back_initiative ? setting.back_initiative : setting.own_initiative;
    return out;
  }
  out.bonus = setting.bonus_card;
  out.weapon = setting.bonus_weapon;
  if (move == Move::BonusOther) out.on = "e";
  return out;
}

}  // namespace

Scenario scenario_of(const Setting& setting, const load::CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc) {
  Scenario out;
  out.rules = rules;
  out.cards = card_set;
  out.objective = setting.objective;
  out.damage_deck = setting.damage_deck;
  out.source = "dry run";
  ScenarioShip attacker, defender;
  if (!ship_of_arc.empty()) {
    attacker.ship = ship_of_arc;
  } else if (setting.real_ships) {
    attacker.ship = "t65xwing";
  } else {
    attacker.attack = setting.attack_dice;
    attacker.agility = 2;
  }
  if (setting.real_ships) {
    defender.ship = "tielnfighter";
  } else {
    defender.agility = setting.agility;
  }
  const auto takes_part = [&](Move move) {
    return std::find(setting.course.begin(), setting.course.end(), move) != setting.course.end();
  };
  const bool shoots_back = takes_part(Move::Back) || takes_part(Move::BackBeside);
  if (shoots_back && !setting.real_ships) defender.attack = setting.back_dice;
  ScenarioShip& own = setting.attacks ? attacker : defender;
  ScenarioShip& foe = setting.attacks ? defender : attacker;
  if (setting.own_size != "small") own.size = setting.own_size;
  if (setting.foe_size != "small") foe.size = setting.foe_size;
  if (!setting.own_ship.empty()) own.ship = setting.own_ship;
  if (!setting.foe_ship.empty()) foe.ship = setting.foe_ship;
  fill(own, setting.own, setting.attacks ? "d" : "a1");
  fill(foe, setting.foe, setting.attacks ? "a1" : "d");
  if (!setting.weapon.empty()) attacker.upgrades.push_back(setting.weapon);
  const bool beside =
      setting.by_ally || setting.beside || setting.docked || takes_part(Move::Beside) || takes_part(Move::BackBeside);
  if (setting.docked) attacker.docked = "b";
  ScenarioShip ally = other_ship(setting);
  ScenarioShip& carrier = setting.by_ally ? ally : own;
  if (!setting.pilot.empty()) carrier.pilot = setting.pilot;
  if (!setting.helper.empty()) carrier.upgrades.push_back(setting.helper);
  if (!setting.ally_helper.empty()) (setting.by_ally ? own : ally).upgrades.push_back(setting.ally_helper);
  if (!setting.foe_helper.empty()) foe.upgrades.push_back(setting.foe_helper);
  if (with) carrier.upgrades.push_back(card.id);
  std::vector<std::pair<const char*, ScenarioShip*>> ships{{"a1", &attacker}, {"d", &defender}};
  if (beside) ships.emplace_back("b", &ally);
  ScenarioShip second;  // for a bonus attack, or for what happens to others
  second.side = setting.enemy && !setting.attacks ? "mine" : "theirs";
  second.agility = 1;
  if (takes_part(Move::BonusOther) || setting.enemy) ships.emplace_back("e", &second);
  for (const auto& [name, ship] : ships) {
    if (setting.hull) ship->hull = setting.hull;
    if (setting.shields) ship->shields = setting.shields;
    out.ships[name] = std::move(*ship);
  }
  ScenarioAttack main;
  main.by = "a1";
  main.on = "d";
  main.range = setting.range;
  main.obstructed = setting.obstructed;
  if (!setting.arc.empty() && !setting.first_weapon) main.weapon = "primary:" + setting.arc;
  if (!setting.weapon.empty() && (with || !setting.weapon_by_card)) {
    main.weapon = setting.weapon;
  } else if (with && setting.own_weapon) {
    main.weapon = card.weapon->of_docked ? "primary:" + card.weapon->arc : card.id;
  }
  for (const auto& [fact, holds] : setting.facts) main.facts.push_back(holds ? fact : "not " + fact);
  main.initiative = setting.own_initiative;
  for (const Move move : setting.course) {
    const bool without_grant = !with && setting.bonus_card == card.id;
    if (without_grant && (move == Move::BonusSame || move == Move::BonusOther)) continue;
    out.attacks.push_back(attack_of(setting, move, main));
  }
  return out;
}

}  // namespace salvo::cards
