#include "load/pilot_stats.h"

namespace salvo::load {

Flown flown_by(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards) {
  Flown out;
  std::string id = ship.ship.value_or("");
  if (id.empty() && ship.pilot) {
    const auto ships = catalogue.ships_of_pilot(*ship.pilot, cards);
    if (!ships.empty()) id = ships.front();
  }
  if (!id.empty()) out.ship = catalogue.ship(id, cards);
  if (out.ship == nullptr || !ship.pilot) return out;
  for (const PilotSpec& pilot : out.ship->pilots) {
    if (pilot.id == *ship.pilot) out.pilot = &pilot;
  }
  return out;
}

}  // namespace salvo::load
