#include "load/squads/list_squad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/squads/squad_game.h"

namespace salvo::load {
namespace {

/// Moves the best to the front; of equals the first. A hint in parentheses has put its choice first.
template <typename T, typename Score>
void put_best(std::vector<T>& choices, Score score) {
  const auto best =
      std::max_element(choices.begin(), choices.end(), [&](const T& a, const T& b) { return score(a) < score(b); });
  std::rotate(choices.begin(), best, best + 1);
}

/// The faction that a squad with the pilot has: two of the first edition are parts of others.
std::string side(const ListNames& names, const PilotSpec& pilot) {
  if (!names.cards().starts_with(kFirstEdition)) return pilot.faction;
  return pilot.faction == "resistance"   ? "rebelalliance"
         : pilot.faction == "firstorder" ? "galacticempire"
                                         : pilot.faction;
}

int total_cost(const ListNames& names, const ListShip& ship) {
  const PilotSpec& pilot = *ship.choices[0].spec;
  int out = pilot.cost;
  if (pilot.loadout || !pilot.standard_loadout.empty()) return out;
  for (const ListUpgrade& one : ship.upgrades) {
    if (!one.choices.empty()) out += names.cost_on(*one.choices[0], ship.choices[0]).value_or(0);
  }
  return out;
}

/// What the ship costs with its upgrades, if the list says so: the number behind a pilot may be that of the pilot
/// alone.
std::optional<int> total(const ListShip& ship) {
  if (!ship.points || ship.choices.empty() || (ship.ship_points && ship.ship_points != ship.points)) return ship.points;
  const PilotSpec& pilot = *ship.choices[0].spec;
  if (pilot.loadout || *ship.points != pilot.cost || ship.upgrades.empty()) return ship.points;
  int out = *ship.points;
  for (const ListUpgrade& one : ship.upgrades) {
    if (!one.points) return std::nullopt;
    out += *one.points;
  }
  return out;
}

/// The ship that the list names beside the pilot, if none of that name flies the pilot.
std::string wrong_ship(const ListNames& names, const ListShip& ship, const std::string& hint) {
  const std::string& key = ship.ship.empty() ? hint : ship.ship_key;
  const auto named = ship.ship.empty() ? names.ships_named(hint) : std::vector{ship.ship};
  const bool fits = std::any_of(ship.choices.begin(), ship.choices.end(), [&](const PilotChoice& one) {
    return base::contains(named, one.ship) || (!key.empty() && is_called(one.ship, key));
  });
  return fits || named.empty() ? std::string() : named.front();
}

/// Whether the pilot meets the restrictions of all upgrades.
bool may_carry_all(const ListNames& names, const PilotChoice& pilot, const std::vector<ListUpgrade>& upgrades) {
  return std::all_of(upgrades.begin(), upgrades.end(),
                     [&](const ListUpgrade& one) { return names.may_carry(pilot, one.choices); });
}

}  // namespace

void ListSquad::choose(const ListNames& names) {
  choose_faction(names);
  int all = 0;
  for (ListShip& ship : ships) {
    if (ship.choices.empty()) continue;
    const auto [bare, hint] = without_hint(ship.text);
    if (const std::string wrong = wrong_ship(names, ship, hint); !wrong.empty()) {
      ship.text = bare;
      ship.ship = wrong;
      ship.choices.clear();
      ++unknown;
      grounded_ = true;
      continue;
    }
    const std::string key = base::name_key(bare);
    const bool hinted = !hint.empty();
    put_best(ship.choices, [&](const PilotChoice& one) {
      const bool usual = !hinted && (one.entry->id_key == key || one.entry->id_key == key + one.ship);
      const bool named = one.ship == ship.ship || (!ship.ship_key.empty() && is_called(one.ship, ship.ship_key));
      return 16 * named + 8 * (side(names, *one.spec) == faction_) + 4 * (ship.points == one.spec->cost) +
             2 * may_carry_all(names, one, ship.upgrades) + usual;
    });
    const PilotChoice chosen = ship.choices[0];
    ship.choices = {chosen};
    note(ship.line, ship.text, *chosen.entry);
    for (ListUpgrade& one : ship.upgrades) {
      if (one.choices.empty()) continue;
      put_best(one.choices, [&](const NameEntry* entry) { return 2 * names.can_equip(ship.choices, entry->id); });
      note(one.line, one.text, *one.choices[0]);
      variants_ += one.choices[0]->id.find('-') != std::string_view::npos ? 1 : 0;
      if (one.points && one.points == names.cost_on(*one.choices[0], chosen)) ++agreeing_;
    }
    const int full = total_cost(names, ship);
    all += full * ship.times;
    if (ship.points && (ship.points == chosen.spec->cost || ship.points == full)) ++agreeing_;
  }
  if (points == all) ++agreeing_;
}

void ListSquad::choose_faction(const ListNames& names) {
  std::map<std::string, int> many;
  for (const ListShip& ship : ships) {
    std::vector<std::string> own;
    for (const PilotChoice& one : ship.choices) {
      base::add_once(own, side(names, *one.spec));
    }
    for (const std::string& faction : own) ++many[faction];
  }
  for (const auto& [faction, number] : many) {
    const bool stated = stated_faction == faction;
    if (faction_.empty() || number + 100 * stated > many[faction_]) {
      faction_ = faction;
      many[faction] += 100 * stated;
    }
  }
}

void ListSquad::note(int line, const std::string& text, const NameEntry& entry) {
  const std::string key = base::name_key(without_hint(text).first);
  if (key == entry.key || key == entry.id_key || base::name_key(text) == entry.key) return;
  ++guessed_;
  notes.push_back(fmt::format("line {}: {} is read as {} ({})", line, base::in_quotes(text), entry.id, entry.name));
}

bool ListSquad::any_known() const {
  return std::any_of(ships.begin(), ships.end(), [](const ListShip& one) { return !one.choices.empty(); });
}

data::Value ListSquad::tree(std::map<std::string, int>& places) const {
  data::Value list = data::Value::array();
  for (const ListShip& ship : ships) {
    for (int i = 0; i < ship.times; ++i) {
      const std::string path = fmt::format("pilots[{}]", list.items.size());
      places[path] = ship.line;
      data::Value upgrades = data::Value::array();
      for (const ListUpgrade& one : ship.upgrades) {
        places[fmt::format("{}.upgrades[{}]", path, upgrades.items.size())] = one.line;
        upgrades.items.push_back(data::Value::of(one.choices.empty() ? one.text : std::string(one.choices[0]->id)));
      }
      data::Value pilot = data::Value::table();
      pilot.add("id", data::Value::of(ship.choices.empty() ? ship.text : std::string(ship.choices[0].entry->id)));
      if (!ship.choices.empty())
        pilot.add("ship", data::Value::of(ship.choices[0].ship));
      else if (!ship.ship.empty())
        pilot.add("ship", data::Value::of(ship.ship));
      if (const auto cost = total(ship)) pilot.add("points", data::Value::of(std::int64_t{*cost}));
      pilot.add("upgrades", std::move(upgrades));
      list.items.push_back(std::move(pilot));
    }
  }
  data::Value out = data::Value::table();
  if (!name.empty()) out.add("name", data::Value::of(name));
  if (!faction_.empty()) out.add("faction", data::Value::of(faction_));
  if (points) out.add("points", data::Value::of(std::int64_t{*points}));
  out.add("pilots", std::move(list));
  return out;
}

}  // namespace salvo::load
