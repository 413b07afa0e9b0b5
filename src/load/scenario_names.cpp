#include "load/scenario_names.h"

#include <fmt/format.h>

#include "base/index.h"
#include "data/message.h"
#include "load/catalogue.h"
#include "load/name_index.h"
#include "load/namesakes.h"
#include "load/squads/squad_ids.h"

namespace salvo::load {

std::string reading_note(const std::string& whose, const Named& named, std::string_view words) {
  return fmt::format("{}: the {} {} is read as {} ({})", whose, named.kind, base::in_quotes(words), named.id,
                     named.name);
}

namespace {

/// Reads the names of one scenario.
class NameReader {
 public:
  NameReader(const Catalogue& catalogue, Scenario& scenario)
      : catalogue_(catalogue), scenario_(scenario), cards_(catalogue.card_set(scenario.cards, scenario.rules)) {}

  void read() {
    for (auto& [name, ship] : scenario_.ships) read_ship(name, ship);
    for (std::size_t i = 0; i < scenario_.attacks.size(); ++i) read_weapon(i, scenario_.attacks[i]);
  }

 private:
  void read_ship(const std::string& name, ScenarioShip& ship) {
    const std::string path = "ships." + name;
    const bool of_faction = ship.pilot && choose_by_faction(name, path + ".pilot", *ship.pilot);
    if (ship.ship) read_ship_name(name, path + ".ship", ship, of_faction);
    if (ship.pilot && catalogue_.ships_of_pilot(*ship.pilot, cards_).empty()) {
      resolve("pilot", name, path + ".pilot", *ship.pilot, ship.ship.value_or(""));
    }
    if (ship.ship && ship.pilot) fit_pilot(name, path + ".pilot", *ship.ship, *ship.pilot, of_faction);
    for (std::size_t i = 0; i < ship.upgrades.size(); ++i) {
      const bool known = catalogue_.card("upgrade", ship.upgrades[i], cards_) != nullptr ||
                         catalogue_.upgrade_exists(ship.upgrades[i], cards_);
      if (!known) resolve("upgrade", name, fmt::format("{}.upgrades[{}]", path, i), ship.upgrades[i]);
    }
  }

  /// Reads "Han Solo (Scum)". Returns whether a faction follows the name.
  bool choose_by_faction(const std::string& name, const std::string& path, std::string& pilot) {
    const std::size_t open = pilot.find(" (");
    if (open == std::string::npos || !pilot.ends_with(')')) return false;
    const std::string faction = faction_of(std::string_view(pilot).substr(open));
    if (faction.empty()) return false;
    pilot.resize(open);
    resolve("pilot", name, path, pilot);
    const std::string id = namesake_of_faction(catalogue_, cards_, pilot, faction);
    if (id.empty()) throw ScenarioError(path, no_namesake(catalogue_, cards_, pilot, faction));
    pilot = id;
    return true;
  }

  /// Several ships may share a name such as "X-wing": the one that the pilot flies is meant.
  void read_ship_name(const std::string& name, const std::string& path, ScenarioShip& ship, bool only_this) {
    std::string& text = *ship.ship;
    const bool id = catalogue_.ship(text, cards_) != nullptr;
    if (id && !ship.pilot) return;
    std::string pilot = ship.pilot.value_or("");
    if (!pilot.empty() && catalogue_.ships_of_pilot(pilot, cards_).empty())
      pilot = find_name(catalogue_, "pilot", pilot, cards_).found.id;
    if (id && base::contains(catalogue_.ships_of_pilot(pilot, cards_), text)) return;
    const NameIndex& index = catalogue_.names(cards_);
    apply_match("ship", name, path, text,
                ship_beside(index, find_name(catalogue_, "ship", text, cards_), text, pilot, only_this));
  }

  /// Several pilots may share a name: the one that flies the ship named beside it is meant.
  void fit_pilot(const std::string& name, const std::string& path, const std::string& ship, std::string& pilot,
                 bool only_this) {
    const std::vector<std::string> ships = catalogue_.ships_of_pilot(pilot, cards_);
    if (base::contains(ships, ship)) return;
    const CardMatch match = find_pilot_card(catalogue_, pilot, cards_, {.ship = ship});
    if (only_this || match.ship != ship) {
      throw UnknownIdError(
          path, fmt::format("pilot '{}' does not fly the {}, but {}", pilot, ship, base::joined(ships, ", ")));
    }
    scenario_.notes.push_back(
        reading_note(name, {"pilot", match.id, name_of(catalogue_, "pilot", match.id, cards_)}, pilot));
    pilot = match.id;
  }

  void resolve(const std::string& kind, const std::string& ship, const std::string& path, std::string& text,
               const std::string& flown = {}) {
    NameMatch match = find_name(catalogue_, kind, text, cards_, flown);
    if (match.found.id.empty()) {
      const CardMatch card = kind == "pilot" ? find_pilot_card(catalogue_, text, cards_, {.ship = flown})
                                             : find_upgrade_card(catalogue_, text, cards_);
      if (card.sure)  // an id followed by the ship or the slot
        match = {.kind = NameMatchKind::Likely,
                 .whole = true,
                 .found = {kind, card.id, name_of(catalogue_, kind, card.id, cards_)},
                 .candidates = {}};
    }
    apply_match(kind, ship, path, text, match);
  }

  void apply_match(const std::string& kind, const std::string& ship, const std::string& path, std::string& text,
                   const NameMatch& match) {
    if (match.found.id.empty()) throw ScenarioError(path, describe(match, kind, text, cards_));
    if (match.kind == NameMatchKind::Likely) scenario_.notes.push_back(reading_note(ship, match.found, text));
    text = match.found.id;
  }

  /// The weapon of an attack is one of the upgrades of its ship, so part of a name is enough.
  void read_weapon(std::size_t number, ScenarioAttack& attack) {
    const auto by = scenario_.ships.find(attack.by);
    const std::string& name = attack.weapon;
    if (by == scenario_.ships.end() || name == "primary" || name == kBestWeapon || name.starts_with("primary:")) {
      return;
    }
    const std::vector<std::string>& upgrades = by->second.upgrades;
    const auto has = [&](const std::string& id) { return base::contains(upgrades, id); };
    if (has(name)) return;
    std::vector<Named> meant;
    for (const Named& named : search_names(catalogue_, "upgrade", name, cards_)) {
      if (has(named.id)) meant.push_back(named);
    }
    if (meant.size() != 1) fail_weapon(attack_path(scenario_, number) + ".weapon", attack, upgrades);
    if (base::name_key(name) != base::name_key(meant[0].name)) {
      std::string note = reading_note(attack.by, meant[0], name);
      auto& notes = scenario_.notes;  // a repeated attack gives the same note
      if (!base::contains(notes, note)) notes.push_back(std::move(note));
    }
    attack.weapon = meant[0].id;
  }

  [[noreturn]] void fail_weapon(const std::string& path, const ScenarioAttack& attack,
                                const std::vector<std::string>& upgrades) const {
    std::vector<std::string> known{"primary"};
    for (const std::string& id : upgrades) {
      const CardSpec* card = catalogue_.card("upgrade", id, cards_);
      if (card != nullptr && card->weapon) known.push_back(id);
    }
    const NameMatch match = find_name(catalogue_, "upgrade", attack.weapon, cards_);
    if (!match.found.id.empty()) {
      throw ScenarioError(path, fmt::format("'{}' does not have {} ({}); add it to the upgrades, or use one of {}",
                                            attack.by, match.found.id, match.found.name, base::listed(known)));
    }
    throw ScenarioError(path, base::unknown("weapon", attack.weapon, known) +
                                  fmt::format("{} weapons are upgrades of '{}', or primary",
                                              base::nearest(attack.weapon, known).empty() ? ";" : "", attack.by));
  }

  const Catalogue& catalogue_;
  Scenario& scenario_;
  std::string cards_;
};

}  // namespace

void names_to_ids(const Catalogue& catalogue, Scenario& scenario) { NameReader(catalogue, scenario).read(); }

}  // namespace salvo::load
