// The catalogue's ship and pilot for a ship of a scenario.
#pragma once

#include <string>
#include <vector>

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

/// Whether a squad has the pilot once at most.
inline bool is_unique(const PilotSpec& pilot) { return pilot.limited == 1; }

/// The primary weapons of the ship with this pilot. Without one (nullptr) they are those of most of its usual pilots,
/// whose ids have no suffix of an expansion: most cards of a YT-2400 have another attack than its stat line.
const std::vector<WeaponSpec>& primary_weapons_of(const ShipSpec& ship, const PilotSpec* pilot);

/// Names in `ship` must be ids already.
PilotStats find_pilot_stats(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards);

}  // namespace salvo::load
