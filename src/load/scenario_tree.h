// Converts a generic tree to a Scenario, whether it came from TOML, JSON or the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/node.h"
#include "data/value.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// Checks keys, types and ranges, and records source and lines. Whether ships, tokens and cards exist is checked by
/// compile. Throws LoadError.
Scenario read_scenario(const data::Value& root, const std::string& source);

/// A ship with the keys of a scenario's ship and those of `more`, which the caller reads. Throws LoadError.
ScenarioShip read_scenario_ship(const data::Node& node, const std::vector<std::string>& more = {});

/// A ship of a battle: also has `initiative` (0 to 99) and `points` (0 to 999).
struct FightingShip {
  ScenarioShip ship;
  std::optional<int> initiative = {}, points = {};
};
FightingShip read_fighting_ship(const data::Node& node);

/// read_scenario() for `salvo durability`, which also accepts the short form of parse_durability().
Scenario read_durability(data::Value root, const std::string& source);

}  // namespace salvo::load
