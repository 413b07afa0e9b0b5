#include "load/pilot_stats.h"

#include <algorithm>

namespace salvo::load {
namespace {

bool are_same(const std::vector<WeaponSpec>& a, const std::vector<WeaponSpec>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const WeaponSpec& x, const WeaponSpec& y) { return x.arc == y.arc && x.attack == y.attack; });
}

}  // namespace

const PilotSpec* find_pilot(const ShipSpec& ship, std::string_view id) {
  const auto at =
      std::find_if(ship.pilots.begin(), ship.pilots.end(), [&](const auto& pilot) { return pilot.id == id; });
  return at == ship.pilots.end() ? nullptr : &*at;
}

const std::vector<WeaponSpec>& primary_weapons_of(const ShipSpec& ship, const PilotSpec* pilot) {
  if (pilot != nullptr) return pilot->own_weapons ? pilot->weapons : ship.weapons;
  const auto is_usual = [](const PilotSpec& one) { return one.id.find('-') == std::string::npos; };
  const auto all = std::count_if(ship.pilots.begin(), ship.pilots.end(), is_usual);
  for (const PilotSpec& one : ship.pilots) {
    const auto alike = std::count_if(ship.pilots.begin(), ship.pilots.end(), [&](const PilotSpec& other) {
      return is_usual(other) && other.own_weapons && are_same(one.weapons, other.weapons);
    });
    if (one.own_weapons && 2 * alike > all) return one.weapons;
  }
  return ship.weapons;
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
