// Plans that several tests of the exact engine play.
#pragma once

#include <string>
#include <vector>

#include "load/load.h"
#include "rules/compile.h"

/// One attack of a ship with a focus token on one with two defense dice and another.
inline salvo::Plan plan_with(const std::vector<std::string>& upgrades, int dice, bool lock) {
  const salvo::Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  salvo::Scenario scenario;
  scenario.source = "test";
  scenario.ships["d"].agility = 2;
  scenario.ships["d"].tokens = {{"focus", 1}};
  salvo::ScenarioShip& ship = scenario.ships["a"];
  ship.attack = dice;
  ship.tokens = {{"focus", 1}};
  if (lock) ship.locks = {"d"};
  ship.upgrades = upgrades;
  salvo::ScenarioAttack attack;
  attack.by = "a";
  attack.on = "d";
  scenario.attacks.push_back(attack);
  return salvo::compile(catalogue, scenario).plan;
}
