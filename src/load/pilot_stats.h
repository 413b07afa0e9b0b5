// The catalogue's ship and pilot for a ship of a scenario.
#pragma once

#include <string>

#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// Null if the scenario does not name it, or the card set lacks it.
struct PilotStats {
  const ShipSpec* ship = nullptr;
  const PilotSpec* pilot = nullptr;
};

/// The pilot with that id among those of the ship, or nullptr.
const PilotSpec* find_pilot(const ShipSpec& ship, std::string_view id);

/// Names in `ship` must be ids already.
PilotStats find_pilot_stats(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards);

}  // namespace salvo::load
