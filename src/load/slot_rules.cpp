// Legality: see legality.h.
#include "load/slot_rules.h"

#include <algorithm>
#include <string_view>

namespace salvo::load {
namespace {

/// Calls `each` for the parts between separators, until it returns false. True when all returned true.
template <typename Each>
bool all_parts(std::string_view text, char separator, const Each& each) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (!each(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

bool holds(std::string_view part, const ShipSpec& ship, const PilotSpec* pilot) {
  const std::size_t equals = std::min(part.find('='), part.size());
  const std::string_view kind = part.substr(0, equals), id = part.substr(std::min(equals + 1, part.size()));
  if (kind == "faction") return pilot == nullptr || pilot->faction == id;
  if (kind == "ship") return ship.id == id;
  if (kind == "size") return (pilot != nullptr && pilot->size ? *pilot->size : ship.size) == id;
  return true;
}

const PilotSpec* pilot_of(const ShipSpec& ship, const std::string& id) {
  const auto at =
      std::find_if(ship.pilots.begin(), ship.pilots.end(), [&](const PilotSpec& one) { return one.id == id; });
  return at == ship.pilots.end() ? nullptr : &*at;
}

}  // namespace

Legality::Legality(const Catalogue& catalogue, std::string cards)
    : catalogue_(catalogue),
      cards_(std::move(cards)),
      restrictions_(read_index(catalogue.profiles(), catalogue.root() / "cards" / "restrictions.tsv")) {}

bool Legality::allowed(const std::string& upgrade, const ShipSpec& ship, const PilotSpec* pilot) const {
  const auto rows = restrictions_.of(upgrade);
  return std::all_of(rows.begin(), rows.end(), [&](std::string_view row) {
    const std::size_t tab = std::min(row.find('\t'), row.size());
    const bool here = !all_parts(row.substr(0, tab), ',', [&](std::string_view set) { return set != cards_; });
    if (!here) return true;
    return all_parts(row.substr(std::min(tab + 1, row.size())), ';', [&](std::string_view asked) {
      return !all_parts(asked, '|', [&](std::string_view part) { return !holds(part, ship, pilot); });
    });
  });
}

bool Legality::may_carry(const std::string& ship, const std::string& pilot, const std::string& upgrade,
                         const std::string& slot) const {
  const std::optional<UpgradeCost> card = catalogue_.upgrade_cost(upgrade, cards_);
  if (!card || (!card->fixed && card->table.empty())) return false;
  const auto& slots = card->slots;
  if (!slot.empty() && std::find(slots.begin(), slots.end(), slot) == slots.end()) return false;
  if (pilot.empty()) {
    const ShipSpec* spec = catalogue_.ship(ship, cards_);
    return spec == nullptr || allowed(upgrade, *spec, nullptr);
  }
  const std::vector<std::string> flown =
      ship.empty() ? catalogue_.ships_of_pilot(pilot, cards_) : std::vector<std::string>{ship};
  return std::any_of(flown.begin(), flown.end(), [&](const std::string& id) {
    const ShipSpec* spec = catalogue_.ship(id, cards_);
    const PilotSpec* who = spec == nullptr ? nullptr : pilot_of(*spec, pilot);
    if (who == nullptr) return false;
    const auto has_room = [&](const std::string& name) {
      return std::count(who->slots.begin(), who->slots.end(), name) >= std::count(slots.begin(), slots.end(), name);
    };
    return std::all_of(slots.begin(), slots.end(), has_room) && allowed(upgrade, *spec, who);
  });
}

}  // namespace salvo::load
