#include "load/squads/list_squad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
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

int total_cost(const ListNames& names, const ListShip& ship) {
  const PilotSpec& pilot = *ship.choices[0].spec;
  int out = pilot.cost;
  if (pilot.loadout || !pilot.standard_loadout.empty()) return out;
  for (const ListUpgrade& one : ship.upgrades) {
    if (!one.choices.empty()) out += names.cost_on(*one.choices[0], ship.choices[0]).value_or(0);
  }
  return out;
}

/// What the ship costs with its upgrades, if the list says so: the number after a pilot may be that of the pilot
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

/// Whether the words mean a ship that a pilot of that name flies.
bool fit_any(const ListNames& names, const std::string& words, const ListShip& ship) {
  return std::any_of(ship.choices.begin(), ship.choices.end(),
                     [&](const PilotChoice& one) { return names.fit(words, one.ship) != ShipFit::None; });
}

/// What the list calls the ship of the pilot; empty: it names none.
std::string words_for_ship(const ListNames& names, const ListShip& ship) {
  if (!ship.ship.empty()) return ship.ship_words;
  const std::string hint = without_hint(ship.text).second;
  const bool part = faction_of(hint).empty() && fit_any(names, hint, ship);
  return part || names.is_ship_anywhere(hint) ? hint : std::string();
}

/// The ship that the list names beside the pilot, if the words fit none that a pilot of that name flies.
std::string wrong_ship(const ListNames& names, const ListShip& ship) {
  const std::string words = words_for_ship(names, ship);
  if (words.empty() || ship.choices.empty() || fit_any(names, words, ship)) return {};
  const auto named = names.ships_named(words);
  return !ship.ship.empty() ? ship.ship : named.empty() ? std::string(base::trimmed(words, "()")) : named.front();
}

/// Why no pilot belongs to the faction after the name; empty if one does, or no faction is named.
std::string wrong_faction(const ListNames& names, const ListShip& ship) {
  const std::string faction = faction_of(without_hint(ship.text).second);
  const bool fits = std::any_of(ship.choices.begin(), ship.choices.end(), [&](const PilotChoice& one) {
    return one.spec->faction == faction || side_of(one.spec->faction, names.cards()) == faction;
  });
  return faction.empty() || fits || ship.choices.empty() ? "" : names.no_namesake(*ship.choices[0].entry, faction);
}

/// How many of the upgrades the pilot has no slot for, or does not meet the restrictions of.
int count_misfits(const ListNames& names, const PilotChoice& pilot, const std::vector<ListUpgrade>& upgrades) {
  return static_cast<int>(std::count_if(upgrades.begin(), upgrades.end(), [&](const ListUpgrade& one) {
    return !one.choices.empty() && std::none_of(one.choices.begin(), one.choices.end(), [&](const NameEntry* entry) {
      return names.can_equip({pilot}, entry->id);
    });
  }));
}

/// 1: the upgrades are the pilot's standard loadout; -1: they are not; 0: it has none, or there are no upgrades.
int fit_of_loadout(const PilotChoice& pilot, const std::vector<ListUpgrade>& upgrades) {
  const std::vector<std::string>& standard = pilot.spec->standard_loadout;
  if (standard.empty() || upgrades.empty()) return 0;
  const auto is_standard = [&](const NameEntry* entry) { return base::contains(standard, entry->id); };
  const bool same =
      upgrades.size() == standard.size() && std::all_of(upgrades.begin(), upgrades.end(), [&](const ListUpgrade& one) {
        return std::any_of(one.choices.begin(), one.choices.end(), is_standard);
      });
  return same ? 1 : -1;
}

}  // namespace

void ListSquad::choose(const ListNames& names) {
  choose_faction(names);
  int all = 0;
  for (ListShip& ship : ships) {
    const std::string wrong = wrong_ship(names, ship);
    ship.refusal = wrong_faction(names, ship);
    const bool refused = !wrong.empty() || !ship.refusal.empty();
    if (!refused && !ship.choices.empty()) choose_pilot(names, ship);
    choose_upgrades(names, ship);
    if (refused) {
      if (!wrong.empty()) {
        ship.text = without_hint(ship.text).first;
        ship.ship = wrong;
      }
      ship.choices.clear();
      ++unknown;
      refused_ = true;
    }
    if (ship.choices.empty()) continue;
    const int full = total_cost(names, ship);
    all += full * ship.times;
    const auto agrees = [&](std::optional<int> one) { return one == ship.choices[0].spec->cost || one == full; };
    agreeing_ += agrees(ship.points) || agrees(ship.ship_points);
  }
  if (points == all) ++agreeing_;
  drop_skills();
}

/// Numbers beside pilots that are the skills of all, and not the costs, are from a column of skills.
void ListSquad::drop_skills() {
  const auto has_number = [](const ListShip& one) { return one.points && !one.choices.empty(); };
  const auto is_skill = [&](const ListShip& one) {
    return !has_number(one) || one.points == one.choices[0].spec->initiative;
  };
  const auto is_cost = [&](const ListShip& one) { return !has_number(one) || one.points == one.choices[0].spec->cost; };
  if (std::count_if(ships.begin(), ships.end(), has_number) < 2) return;
  if (!std::all_of(ships.begin(), ships.end(), is_skill) || std::all_of(ships.begin(), ships.end(), is_cost)) return;
  for (ListShip& ship : ships) ship.points = std::nullopt;
  notes.push_back("the numbers beside the pilots equal their skills, and are taken for these and not for points");
}

void ListSquad::choose_pilot(const ListNames& names, ListShip& ship) {
  const auto parts = without_hint(ship.text);
  const std::string hint(parts.second), key = base::name_key(parts.first), words = words_for_ship(names, ship);
  const bool of_variant = !hint.empty() && words.empty() && faction_of(hint).empty();
  const auto is_plain = [&](const PilotChoice& one) {
    return one.entry->id_key == key || one.entry->id_key == key + one.ship;
  };
  // Legacy has pilots of scenario packs a second time, with -lsl after the id: with slots, without standard loadout.
  const bool any_plain = std::any_of(ship.choices.begin(), ship.choices.end(), is_plain);
  const auto is_rare = [&](const PilotChoice& one) {
    return !of_variant && any_plain && one.entry->id.ends_with("-lsl");
  };
  const std::optional<int> stated = ship.points ? ship.points : ship.ship_points;  // "Poe Dameron (T-70 X-wing) - 57"
  put_best(ship.choices, [&](const PilotChoice& one) {
    const ShipFit fit = names.fit(words, one.ship);
    const bool usual = !of_variant && is_plain(one);
    const int weight = 64 * (fit == ShipFit::Name) + 32 * (fit != ShipFit::None) +
                       16 * (side_of(one.spec->faction, names.cards()) == faction_) + 8 * (fit == ShipFit::Nickname) +
                       8 * fit_of_loadout(one, ship.upgrades) + 4 * (stated == one.spec->cost) - 8 * is_rare(one);
    return std::tuple(weight, -count_misfits(names, one, ship.upgrades), usual);
  });
  ship.choices.erase(ship.choices.begin() + 1, ship.choices.end());
  note(names, ship.line, ship.text, *ship.choices[0].entry);
  if (names.fits_hint(ship.choices[0], hint)) return;
  ++guessed_;
  notes.push_back(fmt::format("line {}: {} behind {} fits no pilot of that name, and is left out", ship.line,
                              base::in_quotes(hint), ship.choices[0].entry->id));
}

void ListSquad::choose_upgrades(const ListNames& names, ListShip& ship) {
  for (ListUpgrade& one : ship.upgrades) {
    if (one.choices.empty()) continue;
    put_best(one.choices, [&](const NameEntry* entry) {
      const bool slot = names.has_slot(*entry, one.slot);
      if (ship.choices.empty()) return 4 * slot;
      const PilotChoice& pilot = ship.choices[0];
      const bool standard = base::contains(pilot.spec->standard_loadout, entry->id);
      const bool cost = one.points && one.points == names.cost_on(*entry, pilot);
      return 8 * standard + 4 * slot + 2 * names.can_equip(ship.choices, entry->id) + cost;
    });
    if (!ship.choices.empty()) one.choices[0] = names.on_ship(*one.choices[0], one.text, ship.choices[0]);
    note(names, one.line, one.text, *one.choices[0]);
    const bool plain = one.slot.empty() && without_hint(one.text).second.empty();
    variants_ += plain && one.choices[0]->id.find('-') != std::string_view::npos ? 1 : 0;
    if (one.points && !ship.choices.empty() && one.points == names.cost_on(*one.choices[0], ship.choices[0]))
      ++agreeing_;
  }
}

void ListSquad::choose_faction(const ListNames& names) {
  // Stated, then the number of its ships, then of those whose upgrades fit a pilot of another faction no better.
  std::map<std::string, std::tuple<bool, int, int>> ranks;
  for (const ListShip& ship : ships) {
    std::map<std::string, int> misfits;  // the fewest of a pilot of the faction
    int fewest = std::numeric_limits<int>::max();
    for (const PilotChoice& one : ship.choices) {
      const int here = count_misfits(names, one, ship.upgrades);
      int& best = misfits.emplace(side_of(one.spec->faction, names.cards()), here).first->second;
      best = std::min(best, here);
      fewest = std::min(fewest, here);
    }
    for (const auto& [faction, many] : misfits) {
      auto& [stated, number, fitting] = ranks[faction];
      stated = stated_faction == faction;
      ++number;
      fitting += many == fewest;
    }
  }
  const auto best =
      std::max_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best != ranks.end()) faction_ = best->first;
}

void ListSquad::note(const ListNames& names, int line, const std::string& text, const NameEntry& entry) {
  const std::string key = base::name_key(without_hint(text).first);
  if (key == entry.key || key == entry.id_key || base::name_key(text) == entry.key) return;
  guessed_ += names.is_card(text) ? 0 : 1;  // a nickname is as sure as a name
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
