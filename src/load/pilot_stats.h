// Flown: the stat line and the pilot behind a ship of a scenario.
// In: a ship whose names are ids. Out: what its card set has of it.
#pragma once

#include <string>

#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// Null where the ship does not say, or the card set does not know.
struct Flown {
  const ShipSpec* ship = nullptr;
  const PilotSpec* pilot = nullptr;
};

Flown flown_by(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards);

}  // namespace salvo::load
