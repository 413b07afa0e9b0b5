#include "load/spec_loadout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "load/name_index.h"
#include "load/pilot_stats.h"

namespace salvo::load {
namespace {

using Names = SpecVocabulary::Names;

/// The standard loadout of the named pilot, as far as the card set has its upgrades.
Names standard_loadout(const SpecVocabulary& words, const data::Value& ship, const std::string& flown) {
  const data::Value* const pilot = ship.find("pilot");
  if (pilot == nullptr) return {};
  const data::Value* const name = ship.find("ship");
  const auto names = [&]() -> const NameIndex& { return words.catalogue.names(words.cards); };  // ids do without it
  const bool pilot_id = !words.catalogue.ships_of_pilot(pilot->text, words.cards).empty();
  ScenarioShip named{.pilot = pilot_id ? pilot->text : match_name(names(), "pilot", pilot->text, flown).found.id};
  if (name != nullptr) {
    const bool ship_id = words.catalogue.ship(name->text, words.cards) != nullptr;
    named.ship = ship_id ? name->text : match_name(names(), "ship", name->text).found.id;
  }
  const PilotSpec* const found = find_pilot_stats(words.catalogue, named, words.cards).pilot;
  Names out;
  for (const std::string& id : found == nullptr ? Names() : found->standard_loadout) {
    if (words.is_upgrade(id)) out.push_back(id);
  }
  return out;
}

std::string slot_of(const SpecVocabulary& words, const std::string& upgrade) {
  const auto cost = words.catalogue.upgrade_cost(upgrade, words.cards);
  return cost && !cost->slots.empty() ? cost->slots.front() : std::string();
}

}  // namespace

std::string add_standard_loadout(const SpecVocabulary& words, const data::Value& ship, const std::string& flown,
                                 data::Value& upgrades) {
  const Names standard = standard_loadout(words, ship, flown);
  if (standard.empty()) return {};
  std::string changes;
  Names out = standard;
  for (const data::Value& given : upgrades.items) {
    if (base::contains(standard, given.text)) continue;
    const std::string slot = slot_of(words, given.text);
    const auto same = [&](const std::string& id) { return !slot.empty() && slot_of(words, id) == slot; };
    const auto at = std::find_if(standard.begin(), standard.end(), same);
    const bool replaces = at != standard.end() && std::count_if(standard.begin(), standard.end(), same) == 1;
    if (replaces) out.erase(std::remove(out.begin(), out.end(), *at), out.end());
    out.push_back(given.text);
    changes += replaces ? fmt::format("; {} replaces {}", given.text, *at) : fmt::format("; {} is added", given.text);
  }
  upgrades.items.clear();
  for (std::string& id : out) upgrades.items.push_back(data::Value::of(std::move(id)));
  return fmt::format("{} has the standard loadout {}{}; loadout=none leaves it out", ship.find("pilot")->text,
                     base::joined(standard, ", "), changes);
}

}  // namespace salvo::load
