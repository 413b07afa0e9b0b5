// Legality: see legality.h.
#include "load/legality.h"

#include <algorithm>

namespace salvo::load {

bool may_carry(const Catalogue& catalogue, const std::string& cards, const std::string& ship, const std::string& pilot,
               const std::string& upgrade, const std::string& slot) {
  const std::optional<UpgradeCost> card = catalogue.upgrade_cost(upgrade, cards);
  if (!card) return false;
  const auto& slots = card->slots;
  if (!slot.empty() && std::find(slots.begin(), slots.end(), slot) == slots.end()) return false;
  const std::vector<std::string> flown =
      pilot.empty() || !ship.empty() ? std::vector{ship} : catalogue.ships_of_pilot(pilot, cards);
  for (const std::string& id : flown) {
    const ShipSpec* spec = catalogue.ship(id, cards);
    if (pilot.empty() || spec == nullptr) continue;
    const auto at =
        std::find_if(spec->pilots.begin(), spec->pilots.end(), [&](const PilotSpec& one) { return one.id == pilot; });
    if (at == spec->pilots.end()) continue;
    const auto has_room = [&](const std::string& name) {
      return std::count(at->slots.begin(), at->slots.end(), name) >= std::count(slots.begin(), slots.end(), name);
    };
    return !slots.empty() && std::all_of(slots.begin(), slots.end(), has_room);
  }
  return pilot.empty();
}

}  // namespace salvo::load
