// Reads a ship: stat line, weapons, pilots.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "data/message.h"
#include "load/card_file.h"
#include "load/profile.h"

namespace salvo::load {

namespace {

constexpr int kMaxStat = 99;
constexpr int kMaxCost = 999;

/// The weapons of a ship or pilot, if any.
std::vector<WeaponSpec> read_weapons(const data::Node& node) {
  std::vector<WeaponSpec> weapons;
  const auto list = node.get("weapon");
  if (!list) return weapons;
  list->need_array("[[weapon]] tables, with two brackets");
  for (const data::Node& weapon : list->children()) weapons.push_back(read_weapon(weapon, nullptr));
  return weapons;
}

/// All keys of a pilot. Those that affect no dice are accepted but ignored.
const std::vector<std::string>& pilot_keys() {
  // clang-format off
  static const std::vector<std::string> keys{
      "id", "card", "name", "faction", "initiative", "limited", "cost", "loadout", "charges", "charges_recover", "force",
      "force_recover", "force_side", "engagement", "ship_ability", "conditions", "keywords", "slots",
      "standard_loadout", "size", "agility", "hull", "shields", "shields_recover", "energy", "energy_recover", "weapon"};
  // clang-format on
  return keys;
}

std::string read_pilot_id(const data::Node& node) {
  node.need_table("a [[pilot]] table");
  node.allow_only(pilot_keys());
  return node.need("id", "give the pilot's xws id").text();
}

/// Reads the given keys and leaves the others unchanged.
void read_pilot(const data::Node& node, PilotSpec& pilot) {
  node.read("card", pilot.card);
  node.read("name", pilot.name);
  node.read("faction", pilot.faction);
  node.read("ship_ability", pilot.ship_ability);
  node.read("limited", 0, 99, pilot.limited);
  node.read("initiative", 0, kMaxStat, pilot.initiative);
  node.read("cost", 0, kMaxCost, pilot.cost);
  node.read("loadout", 0, kMaxCost, pilot.loadout);
  node.read("charges", 0, kMaxStat, pilot.charges);
  node.read("charges_recover", -kMaxStat, kMaxStat, pilot.charges_recover);
  node.read("force", 0, kMaxStat, pilot.force);
  node.read("force_recover", -kMaxStat, kMaxStat, pilot.force_recover);
  node.read("agility", 0, kMaxStat, pilot.agility);
  node.read("hull", 1, kMaxStat, pilot.hull);
  node.read("shields", 0, kMaxStat, pilot.shields);
  node.read("size", pilot.size);
  node.read("standard_loadout", pilot.standard_loadout);
  node.read("slots", pilot.slots);
  if (!node.get("weapon")) return;
  pilot.own_weapons = true;
  pilot.weapons = read_weapons(node);
}

PilotSpec new_pilot(const data::Node& node) {
  PilotSpec pilot;
  pilot.id = read_pilot_id(node);
  pilot.name = pilot.card = pilot.id;
  read_pilot(node, pilot);
  return pilot;
}

void read_stat_line(const data::Node& root, ShipSpec& ship) {
  root.read("name", ship.name);
  root.read("size", ship.size);
  root.read("agility", 0, kMaxStat, ship.agility);
  root.read("hull", 1, kMaxStat, ship.hull);
  root.read("shields", 0, kMaxStat, ship.shields);
  root.read("shields_recover", 0, kMaxStat, ship.shields_recover);
  root.read("energy", 0, kMaxStat, ship.energy);
  root.read("energy_recover", 0, kMaxStat, ship.energy_recover);
  if (root.get("weapon")) ship.weapons = read_weapons(root);
}

const std::vector<std::string>& profile_keys() {
  static const std::vector<std::string> keys{
      "id",     "name",           "size",   "agility", "hull", "shields", "shields_recover",
      "energy", "energy_recover", "weapon", "pilot"};
  return keys;
}

}  // namespace

const std::vector<std::string>& arc_names() {
  static const std::vector<std::string> names{"front",     "rear",          "bullseye",      "full-front",
                                              "full-rear", "single-turret", "double-turret", "left",
                                              "right",     "turret",        "mobile"};
  return names;
}

const std::vector<std::string>& weapon_slots() {
  static const std::vector<std::string> slots{"cannon", "hardpoint", "missile", "torpedo", "turret"};
  return slots;
}

WeaponSpec read_weapon(const data::Node& node, const Edition* edition) {
  node.need_table("a table with the keys of a weapon, such as { arc = \"front\", attack = 3 }");
  node.allow_only({"arc", "attack", "min_range", "max_range", "ordnance", "requires", "cost", "twice", "bonus"});
  WeaponSpec weapon;
  weapon.arc = node.need("arc", "name the arc, for example front").one_of(arc_names());
  const data::Node attack = node.need("attack", "give the attack value");
  weapon.of_docked = attack.is(data::Value::Kind::Text) && attack.one_of({"docked"}) == "docked";
  if (!weapon.of_docked) weapon.attack = attack.integer(0, kMaxStat);
  node.read("min_range", 0, 5, weapon.min_range);
  node.read("max_range", 0, 5, weapon.max_range);
  if (weapon.min_range > weapon.max_range) node.fail("min_range is above max_range; swap the two");
  node.read("ordnance", weapon.ordnance);
  node.read("twice", weapon.twice);
  node.read("bonus", weapon.bonus);
  node.read("requires", weapon.requires_tokens);
  if (const auto cost = node.get("cost")) weapon.cost = read_costs(*cost, edition);
  return weapon;
}

ShipSpec read_ship_profile(const data::Node& root, const std::string& id) {
  root.need_table();
  root.allow_only(profile_keys());
  ShipSpec ship;
  ship.id = read_id(root, id);
  root.need("name", "name the ship");
  root.need("size", "give the size, for example small");
  root.need("agility", "give the agility");
  root.need("hull", "give the hull");
  read_stat_line(root, ship);
  if (const auto pilots = root.get("pilot")) {
    pilots->need_array("[[pilot]] tables, with two brackets");
    for (const data::Node& pilot : pilots->children()) ship.pilots.push_back(new_pilot(pilot));
  }
  return ship;
}

void read_ship_changes(const data::Node& root, const std::string& id, ShipSpec& ship) {
  root.need_table();
  root.allow_only(profile_keys());
  read_id(root, id);
  read_stat_line(root, ship);
  const auto pilots = root.get("pilot");
  if (!pilots) return;
  pilots->need_array("[[pilot]] tables, with two brackets");
  for (const data::Node& node : pilots->children()) {
    const std::string pilot_id = read_pilot_id(node);
    const auto known =
        std::find_if(ship.pilots.begin(), ship.pilots.end(), [&](const PilotSpec& x) { return x.id == pilot_id; });
    if (known == ship.pilots.end()) {
      ship.pilots.push_back(new_pilot(node));
    } else {
      read_pilot(node, *known);
    }
  }
}

void read_points(std::string_view row, const std::string& place, PilotSpec& pilot) {
  const std::vector<std::string_view> columns = base::split(row, '\t');
  const auto number = [&](std::string_view text) {
    if (const auto value = base::whole_number(text)) return *value;
    data::fail(place, "", 0,
               fmt::format("{} has no points that can be read; run scripts/import_xwing_data", base::in_quotes(row)));
  };
  pilot.cost = number(columns[0]);
  const std::string_view loadout = columns.size() > 1 ? columns[1] : "";
  pilot.loadout = loadout == "-" ? std::nullopt : std::optional(number(loadout));
  if (columns.size() < 3 || columns[2] == "=") return;  // the slots of the base
  pilot.slots.clear();
  if (columns[2] == "-" || columns[2].empty()) return;
  for (const std::string_view slot : base::split(columns[2], ',')) pilot.slots.emplace_back(slot);
}

}  // namespace salvo::load
