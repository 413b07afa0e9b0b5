#include "load/slot_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/pilot_stats.h"
#include "salvo/names.h"

namespace salvo::load {
namespace {

/// Whether the ship meets a condition "faction=...", "ship=..." or "size=...". Unknown kinds always hold.
bool holds(std::string_view condition, const ShipSpec& ship, const PilotSpec* pilot) {
  const auto [kind, id] = base::cut(condition, '=');
  if (kind == "faction") return pilot == nullptr || pilot->faction == id;
  if (kind == "ship") return ship.id == id;
  if (kind == "size") return (pilot != nullptr && pilot->size ? *pilot->size : ship.size) == id;
  return true;
}

}  // namespace

SlotRules::SlotRules(const Catalogue& catalogue, std::string cards)
    : catalogue_(catalogue),
      cards_(std::move(cards)),
      restrictions_(catalogue.optional_index("cards/restrictions.tsv")) {}

std::string SlotRules::restriction(const std::string& upgrade) const {
  for (const std::string_view row : restrictions_.of(upgrade)) {
    const auto [sets, restriction] = base::cut(row, '\t');
    if (base::contains(base::split(sets, ','), cards_)) return std::string(restriction);
  }
  return {};
}

std::string SlotRules::unmet(const std::string& upgrade, const ShipSpec& ship, const PilotSpec* pilot) const {
  const std::string all = restriction(upgrade);
  for (const std::string_view alternatives : base::split(all, ';')) {
    const auto any = base::split(alternatives, '|');
    if (!std::any_of(any.begin(), any.end(), [&](std::string_view one) { return holds(one, ship, pilot); }))
      return std::string(alternatives);
  }
  return {};
}

std::string SlotRules::of_other_ship(const std::string& upgrade, const ShipSpec& ship) const {
  constexpr std::string_view kShip = "ship=";
  const std::string all = restriction(upgrade);
  for (const std::string_view alternatives : base::split(all, ';')) {
    const auto any = base::split(alternatives, '|');
    const bool others = std::all_of(any.begin(), any.end(), [&](std::string_view one) {
      return one.starts_with(kShip) && !holds(one, ship, nullptr);
    });
    if (!others) continue;
    std::vector<std::string> ships;
    for (const std::string_view one : any) {
      const ShipSpec* const other = catalogue_.ship(one.substr(kShip.size()), cards_);
      ships.push_back(other == nullptr ? std::string(one.substr(kShip.size())) : other->name);
    }
    return fmt::format("belongs to the ship {}, and this is {}", base::joined(ships, " or "), ship.name);
  }
  return {};
}

std::vector<std::string> SlotRules::notes_on_others(const std::vector<std::string>& upgrades,
                                                    const ShipSpec& ship) const {
  std::vector<std::string> out;
  for (const std::string& id : upgrades) {
    if (const std::string why = of_other_ship(id, ship); !why.empty())
      base::add_once(out, fmt::format("{} {}; it is counted all the same; leave it out if the ship does not have it",
                                      name_of(catalogue_, "upgrade", id, cards_), why));
  }
  return out;
}

const NameEntry* SlotRules::card_of_ship(std::string_view words, const ShipSpec& ship) const {
  const std::string key = base::name_key(words);
  if (key.empty()) return nullptr;
  for (const NameEntry& one : catalogue_.names(cards_).of("upgrade")) {
    if (!one.key.ends_with(key)) continue;
    const std::string id(one.id);
    if (restriction(id).find("ship=") != std::string::npos && of_other_ship(id, ship).empty()) return &one;
  }
  return nullptr;
}

bool SlotRules::can_equip(const std::string& ship, const std::string& pilot, const std::string& upgrade,
                          const std::string& slot) const {
  const std::optional<UpgradeCost> card = catalogue_.upgrade_cost(upgrade, cards_);
  if (!card || (!card->fixed && card->table.empty())) return false;
  const auto& slots = card->slots;
  if (!slot.empty() && !base::contains(slots, slot)) return false;
  if (pilot.empty()) {
    const ShipSpec* spec = catalogue_.ship(ship, cards_);
    return spec == nullptr || unmet(upgrade, *spec, nullptr).empty();
  }
  const std::vector<std::string> flown =
      ship.empty() ? catalogue_.ships_of_pilot(pilot, cards_) : std::vector<std::string>{ship};
  return std::any_of(flown.begin(), flown.end(), [&](const std::string& id) {
    const ShipSpec* spec = catalogue_.ship(id, cards_);
    const PilotSpec* who = spec == nullptr ? nullptr : find_pilot(*spec, pilot);
    if (who == nullptr) return false;
    const auto has_room = [&](const std::string& name) {
      return std::count(who->slots.begin(), who->slots.end(), name) >= std::count(slots.begin(), slots.end(), name);
    };
    return std::all_of(slots.begin(), slots.end(), has_room) && unmet(upgrade, *spec, who).empty();
  });
}

}  // namespace salvo::load
