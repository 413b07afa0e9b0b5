#include "load/pilot_stats.h"

#include <algorithm>

namespace salvo::load {

const PilotSpec* find_pilot(const ShipSpec& ship, std::string_view id) {
  const auto at =
      std::find_if(ship.pilots.begin(), ship.pilots.end(), [&](const auto& pilot) { return pilot.id == id; });
  return at == ship.pilots.end() ? nullptr : &*at;
}

PilotStats find_pilot_stats(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards) {
  PilotStats out;
  std::string id = ship.ship.value_or("");
  if (id.empty() && ship.pilot) {
    const auto ships = catalogue.ships_of_pilot(*ship.pilot, cards);
    if (!ships.empty()) id = ships.front();
  }
  if (!id.empty()) out.ship = catalogue.ship(id, cards);
  if (out.ship != nullptr && ship.pilot) out.pilot = find_pilot(*out.ship, *ship.pilot);
  return out;
}

}  // namespace salvo::load
