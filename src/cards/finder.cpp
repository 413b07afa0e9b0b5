#include "cards/finder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "base/stable_sort.h"
#include "base/text.h"
#include "data/profiles.h"
#include "load/catalogue.h"
#include "load/name_index.h"
#include "load/pilot_stats.h"
#include "load/profile.h"

namespace salvo::cards {
namespace {

std::vector<std::string> columns_of(Listed what) {
  switch (what) {
    case Listed::Ships:
      return {"size", "attack", "agility", "hull", "shields"};
    case Listed::Pilots:
      return {"ship", "faction", "initiative", "cost", "loadout"};
    case Listed::Upgrades:
      return {"slots", "cost"};
    case Listed::Weapons:
      break;
  }
  return {"slots", "attack", "range", "needs", "charges"};
}

std::string range_text(const load::WeaponSpec& weapon) {
  return weapon.min_range == weapon.max_range ? std::to_string(weapon.min_range)
                                              : fmt::format("{}-{}", weapon.min_range, weapon.max_range);
}

std::string attack_text(const std::vector<load::WeaponSpec>& weapons) {
  std::string out;
  for (const load::WeaponSpec& weapon : weapons) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", weapon.attack, weapon.arc);
  }
  return out;
}

std::string cost_text(const load::UpgradeCost& cost) {
  if (cost.by.empty()) return cost.fixed ? std::to_string(*cost.fixed) : "";
  std::string out = "by " + cost.by + ":";
  for (const auto& [key, n] : cost.table) out += fmt::format(" {}={}", key, n);
  return out;
}

Cell text_cell(std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); }

std::vector<Cell> ship_cells(const Catalogue& catalogue, const std::string& id, const std::string& set) {
  const load::ShipSpec* ship = catalogue.ship(id, set);
  if (ship == nullptr) return std::vector<Cell>(columns_of(Listed::Ships).size());
  return {text_cell(ship->size), text_cell(attack_text(load::primary_weapons_of(*ship, nullptr))), ship->agility,
          ship->hull, ship->shields};
}

std::vector<Cell> pilot_cells(const Catalogue& catalogue, const std::string& id, const std::string& set) {
  std::vector<Cell> out(columns_of(Listed::Pilots).size());
  std::string ships;
  for (const std::string& ship_id : catalogue.ships_of_pilot(id, set)) {
    const load::ShipSpec* ship = catalogue.ship(ship_id, set);
    if (ship == nullptr) continue;
    ships += (ships.empty() ? "" : ", ") + ship->name;
    for (const load::PilotSpec& pilot : ship->pilots) {
      if (pilot.id != id) continue;
      out = {Cell(), text_cell(pilot.faction), pilot.initiative, pilot.cost,
             pilot.loadout ? Cell(*pilot.loadout) : Cell()};
    }
  }
  out[0] = text_cell(ships);
  return out;
}

std::vector<Cell> upgrade_cells(const Catalogue& catalogue, const std::string& id, const std::string& set) {
  const auto cost = catalogue.upgrade_cost(id, set);
  if (!cost) return std::vector<Cell>(columns_of(Listed::Upgrades).size());
  return {text_cell(base::joined(cost->slots, ", ")), text_cell(cost_text(*cost))};
}

/// Nothing if the upgrade is not a weapon.
std::optional<std::vector<Cell>> weapon_cells(const Catalogue& catalogue, const std::string& id,
                                              const std::string& set) {
  const load::CardSpec* card = catalogue.card("upgrade", id, set);
  if (card == nullptr || !card->weapon) return std::nullopt;
  const load::WeaponSpec& weapon = *card->weapon;
  const auto cost = catalogue.upgrade_cost(id, set);
  std::string needs = base::joined(weapon.requires_tokens, " or ");
  return std::vector<Cell>{cost ? text_cell(base::joined(cost->slots, ", ")) : Cell(), weapon.attack,
                           range_text(weapon), text_cell(std::move(needs)),
                           card->charges > 0 ? Cell(card->charges) : Cell()};
}

std::optional<std::vector<Cell>> cells_of(const Catalogue& catalogue, Listed what, const std::string& id,
                                          const std::string& set) {
  switch (what) {
    case Listed::Ships:
      return ship_cells(catalogue, id, set);
    case Listed::Pilots:
      return pilot_cells(catalogue, id, set);
    case Listed::Upgrades:
      return upgrade_cells(catalogue, id, set);
    case Listed::Weapons:
      break;
  }
  return weapon_cells(catalogue, id, set);
}

/// The words in the singular, and without an article.
std::string in_singular(const std::string& words) {
  std::vector<std::string> out;
  for (std::string& word : base::words_between(words, " ")) {
    if (word.size() > 3 && word.ends_with('s')) word.pop_back();
    if (base::lower_case(word) != "the") out.push_back(std::move(word));
  }
  return base::joined(out, " ");
}

/// The reading of the words in the first set that has one, if it is listed: not every upgrade is a weapon.
std::optional<Reading> reading_of(const Catalogue& catalogue, const FoundList& list,
                                  const std::vector<std::string>& card_sets) {
  for (const std::string& set : card_sets) {
    const NameMatch match = load::match_name(catalogue.names(set), kind_of(list.what), list.words);
    const bool listed = std::any_of(list.rows.begin(), list.rows.end(),
                                    [&](const FoundRow& row) { return row.named.id == match.found.id; });
    if (listed) return Reading{match.found.id, match.whole};
  }
  return std::nullopt;
}

/// Whether an id means the same in both card sets.
bool same_game(const std::string& a, const std::string& b) {
  return load::is_first_edition(a) == load::is_first_edition(b);
}

}  // namespace

const char* kind_of(Listed what) {
  return what == Listed::Ships ? "ship" : what == Listed::Pilots ? "pilot" : "upgrade";
}

FoundList find(const Catalogue& catalogue, Listed what, const std::string& words,
               const std::vector<std::string>& card_sets) {
  FoundList out{.what = what, .words = words, .columns = columns_of(what), .rows = {}, .reading = {}, .near = {}};
  for (const std::string& set : card_sets) {
    for (Named& named : search_names(catalogue, kind_of(what), words, set)) {
      const auto again = std::find_if(out.rows.begin(), out.rows.end(), [&](const FoundRow& row) {
        return row.named.id == named.id && same_game(row.sets.front(), set);
      });
      if (again != out.rows.end()) {
        again->sets.push_back(set);
        continue;
      }
      auto cells = cells_of(catalogue, what, named.id, set);
      if (cells) out.rows.push_back({std::move(named), {set}, std::move(*cells)});
    }
  }
  if (const std::string plain = in_singular(words); out.rows.empty() && !plain.empty() && plain != words) {
    FoundList again = find(catalogue, what, plain, card_sets);
    again.words = words;
    if (!again.rows.empty()) return again;
  }
  out.reading = reading_of(catalogue, out, card_sets);
  base::stable_sort(out.rows, [](const FoundRow& a, const FoundRow& b) { return a.named.name < b.named.name; });
  for (const std::string& set : card_sets) {
    if (!out.rows.empty()) break;
    for (const Named& named : find_name(catalogue, kind_of(what), words, set).candidates)
      base::add_once(out.near, named);
  }
  return out;
}

std::vector<std::string> sets_with_ships(const Catalogue& catalogue) {
  std::vector<std::string> out, folders;
  for (const std::string& name : Catalogue::card_sets()) {
    const load::CardSet& set = *load::card_set(name);
    const std::string folder(set.ships);
    const bool again = std::find(folders.begin(), folders.end(), folder) != folders.end();
    folders.push_back(folder);
    const bool of_base = set.derived && std::find(out.begin(), out.end(), set.base) != out.end();
    if (of_base) out.push_back(name);
    if (!again && !of_base && catalogue.profiles().has(catalogue.root() / "ships" / folder / "ships.tsv"))
      out.push_back(name);
  }
  return out;
}

std::string nothing_found(const FoundList& list) {
  std::vector<std::string> near;
  for (const Named& named : list.near) near.push_back(fmt::format("{} ({})", named.name, named.id));
  return fmt::format("no {} has {} in its name{}", list.what == Listed::Weapons ? "weapon" : kind_of(list.what),
                     base::in_quotes(list.words),
                     near.empty() ? "" : fmt::format("; did you mean {}?", base::joined(near, " or ")));
}

}  // namespace salvo::cards
