// The one way from a generic tree to a Scenario, whatever the tree was read from.
#pragma once

#include <optional>
#include <string>

#include "data/node.h"
#include "data/value.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// Checks the form of a scenario (keys, types, ranges) and returns it with its source and lines. Whether its ships,
/// tokens and cards exist is for compile to say. Throws LoadError.
Scenario read_scenario(const data::Value& root, const std::string& source);

/// A ship with the keys of a scenario's, and others that the caller reads (`more`). Throws LoadError.
ScenarioShip read_scenario_ship(const data::Node& node, const std::vector<std::string>& more = {});

/// A ship of a side of a battle: the same, with `initiative` (0 to 99) and `points` (0 to 999). Throws LoadError.
struct FightingShip {
  ScenarioShip ship;
  std::optional<int> initiative = {}, points = {};
};
FightingShip read_fighting_ship(const data::Node& node);

/// read_scenario() for a question of `salvo durability`, which may be written in short form.
Scenario read_durability(data::Value root, const std::string& source);

}  // namespace salvo::load
