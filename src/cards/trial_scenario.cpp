#include "cards/trial.h"

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

/// The ally of the ship with the card.
ScenarioShip other_ship(const Trial& trial) {
  ScenarioShip ally;
  ally.side = trial.attacks ? "mine" : "theirs";
  ally.attack = trial.ally_dice;
  ally.agility = 2;
  if (trial.ally_size != "small") ally.size = trial.ally_size;
  const char* foe = trial.attacks ? "d" : "a1";
  if (trial.by_ally) fill(ally, trial.own, foe);
  for (const auto& [token, n] : trial.ally) ally.tokens.erase(token);
  if (trial.ally.contains("lock")) ally.locks.clear();
  fill(ally, trial.ally, foe);
  return ally;
}

/// One attack of the course; `main` is the main attack of the trial.
ScenarioAttack attack_of(const Trial& trial, TrialAttack move, const ScenarioAttack& main) {
  ScenarioAttack out = main;
  if (move == TrialAttack::Main) return out;
  if (move == TrialAttack::Back || move == TrialAttack::Beside || move == TrialAttack::BackBeside) {
    out = ScenarioAttack{};
    out.range = trial.weapon.empty() && !trial.own_weapon ? main.range : 2;
    out.by = move != TrialAttack::Beside ? "d" : trial.attacks ? "b" : "a1";
    out.on = move == TrialAttack::Back ? "a1" : move == TrialAttack::BackBeside || !trial.attacks ? "b" : "d";
    out.initiative = trial.back_initiative ? trial.back_initiative : trial.own_initiative;
    return out;
  }
  out.bonus = trial.bonus_card;
  out.weapon = trial.bonus_weapon;
  if (move == TrialAttack::BonusOther) out.on = "e";
  return out;
}

}  // namespace

Scenario scenario_of(const Trial& trial, const load::CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc) {
  Scenario out;
  out.rules = rules;
  out.cards = card_set;
  out.objective = trial.objective;
  out.damage_deck = trial.damage_deck;
  out.source = "dry run";
  ScenarioShip attacker, defender;
  if (!ship_of_arc.empty()) {
    attacker.ship = ship_of_arc;
  } else if (trial.real_ships) {
    attacker.ship = "t65xwing";
  } else {
    attacker.attack = trial.attack_dice;
    attacker.agility = 2;
  }
  if (trial.real_ships) {
    defender.ship = "tielnfighter";
  } else {
    defender.agility = trial.agility;
  }
  const auto takes_part = [&](TrialAttack move) {
    return std::find(trial.course.begin(), trial.course.end(), move) != trial.course.end();
  };
  const bool shoots_back = takes_part(TrialAttack::Back) || takes_part(TrialAttack::BackBeside);
  if (shoots_back && !trial.real_ships) defender.attack = trial.back_dice;
  ScenarioShip& own = trial.attacks ? attacker : defender;
  ScenarioShip& foe = trial.attacks ? defender : attacker;
  if (trial.own_size != "small") own.size = trial.own_size;
  if (trial.foe_size != "small") foe.size = trial.foe_size;
  if (!trial.own_ship.empty()) own.ship = trial.own_ship;
  if (!trial.foe_ship.empty()) foe.ship = trial.foe_ship;
  fill(own, trial.own, trial.attacks ? "d" : "a1");
  fill(foe, trial.foe, trial.attacks ? "a1" : "d");
  if (!trial.weapon.empty()) attacker.upgrades.push_back(trial.weapon);
  const bool beside = trial.by_ally || trial.beside || trial.docked || takes_part(TrialAttack::Beside) ||
                      takes_part(TrialAttack::BackBeside);
  if (trial.docked) attacker.docked = "b";
  ScenarioShip ally = other_ship(trial);
  ScenarioShip& carrier = trial.by_ally ? ally : own;
  if (!trial.pilot.empty()) carrier.pilot = trial.pilot;
  if (!trial.helper.empty()) carrier.upgrades.push_back(trial.helper);
  if (!trial.ally_helper.empty()) (trial.by_ally ? own : ally).upgrades.push_back(trial.ally_helper);
  if (!trial.foe_helper.empty()) foe.upgrades.push_back(trial.foe_helper);
  if (with) carrier.upgrades.push_back(card.id);
  std::vector<std::pair<const char*, ScenarioShip*>> ships{{"a1", &attacker}, {"d", &defender}};
  if (beside) ships.emplace_back("b", &ally);
  ScenarioShip second;  // the target of a bonus attack, or a bystander
  second.side = trial.enemy && !trial.attacks ? "mine" : "theirs";
  second.agility = 1;
  if (takes_part(TrialAttack::BonusOther) || trial.enemy) ships.emplace_back("e", &second);
  for (const auto& [name, ship] : ships) {
    if (trial.hull) ship->hull = trial.hull;
    if (trial.shields) ship->shields = trial.shields;
    out.ships[name] = std::move(*ship);
  }
  ScenarioAttack main;
  main.by = "a1";
  main.on = "d";
  main.range = trial.range;
  main.obstructed = trial.obstructed;
  if (!trial.arc.empty() && !trial.first_weapon) main.weapon = "primary:" + trial.arc;
  if (!trial.weapon.empty() && (with || !trial.weapon_by_card)) {
    main.weapon = trial.weapon;
  } else if (with && trial.own_weapon) {
    main.weapon = card.weapon->of_docked ? "primary:" + card.weapon->arc : card.id;
  }
  for (const auto& [fact, holds] : trial.facts) main.facts.push_back(holds ? fact : "not " + fact);
  main.initiative = trial.own_initiative;
  for (const TrialAttack move : trial.course) {
    const bool without_grant = !with && trial.bonus_card == card.id;
    if (without_grant && (move == TrialAttack::BonusSame || move == TrialAttack::BonusOther)) continue;
    out.attacks.push_back(attack_of(trial, move, main));
  }
  return out;
}

}  // namespace salvo::cards
