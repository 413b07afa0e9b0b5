// Plans for several tests of the exact engine.
#pragma once

#include <string>
#include <vector>

#include "compile/compile.h"
#include "load/load.h"

/// One attack: `dice` attack dice and a focus token against two defense dice.
inline salvo::Scenario one_attack(int dice) {
  salvo::Scenario out;
  out.source = "test";
  out.ships["d"].agility = 2;
  out.ships["a"].attack = dice;
  out.ships["a"].tokens = {{"focus", 1}};
  salvo::ScenarioAttack attack;
  attack.by = "a";
  attack.on = "d";
  out.attacks.push_back(attack);
  return out;
}

/// The plan of one_attack with a focus token for the defender, too.
inline salvo::game::Plan plan_with(const std::vector<std::string>& upgrades, int dice, bool lock) {
  salvo::Scenario scenario = one_attack(dice);
  scenario.ships["d"].tokens = {{"focus", 1}};
  scenario.ships["a"].upgrades = upgrades;
  if (lock) scenario.ships["a"].locks = {"d"};
  return salvo::compile::compile_scenario(salvo::Catalogue(SALVO_SOURCE_DIR "/profiles"), scenario).plan;
}
