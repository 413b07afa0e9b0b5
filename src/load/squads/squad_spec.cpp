// Squads of ships in words, and what ships and upgrades cost.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "load/pilot_stats.h"
#include "load/scenario_names.h"
#include "load/spec_ships.h"
#include "load/spec_vocabulary.h"
#include "load/specs.h"
#include "load/squads/pilot_reader.h"
#include "load/squads/squad_game.h"
#include "load/squads/squad_ids.h"
#include "load/squads/squad_tree.h"
#include "salvo/squad.h"

namespace salvo {
namespace {

/// A squad without pilots in this card set and edition. Throws LoadError.
Squad empty_squad(const Catalogue& catalogue, const std::string& name, const std::optional<std::string>& cards,
                  const std::optional<std::string>& rules) {
  Squad out;
  out.source = out.name = name;
  out.rules = rules.value_or(cards ? load::rules_of_cards(catalogue, *cards) : load::kSecondEdition);
  out.cards = catalogue.card_set(cards.value_or(""), out.rules);
  out.ruleset = load::ruleset_of_set(out.cards);
  return out;
}

/// Fills in names and costs of a ship from a SPEC, as far as the card set has them.
void add_names_and_costs(const Catalogue& catalogue, const std::string& cards, SquadPilot& out) {
  const auto [ship, pilot] = load::find_pilot_stats(catalogue, *out.spec, cards);
  if (ship != nullptr) {
    out.ship = ship->id;
    out.ship_name = out.name = ship->name;
  }
  if (pilot != nullptr) {
    out.id = pilot->id;
    out.name = pilot->name;
    out.cost = pilot->cost;
    out.loadout = pilot->loadout;
    out.standard_loadout = out.standard_loadout || load::has_standard_loadout(*pilot, out.upgrades);
  }
  for (SquadUpgrade& upgrade : out.upgrades)
    upgrade.cost = load::upgrade_cost_on(catalogue, upgrade.id, cards, pilot, ship);
}

/// Adds the ships of one SPEC. What it says of an attack is left to the rows of the report.
void add_ships(const Catalogue& catalogue, const std::string& cards, const load::GivenSpec& spec, Squad& out) {
  Scenario read = load::attacks_from_specs(catalogue, out.rules, cards, {spec.place, {spec}});
  try {
    load::names_to_ids(catalogue, read);
  } catch (const ScenarioError& error) {
    throw data::error_at(spec.place, error.what());
  }
  if (read.attacks[0].rolled || read.attacks[0].results)
    throw data::error_at(spec.place, "the roll of one attack is stated; leave it out, since a squad makes many");
  for (const std::string& note : read.notes) base::add_once(out.notes, note);
  SquadPilot pilot;
  pilot.given = pilot.name = spec.text;
  pilot.spec = read.ships.at("a1");
  if (pilot.spec->upgrades.size() > load::kMaxShipUpgrades) {
    throw data::error_at(spec.place, fmt::format("has {} upgrades, and a ship at most {}; leave out the others",
                                                 pilot.spec->upgrades.size(), load::kMaxShipUpgrades));
  }
  for (const std::string& id : pilot.spec->upgrades) pilot.upgrades.push_back({id, id, "", {}});
  pilot.spec->upgrades.clear();
  const auto in_rows = [](const Unknown& unknown) { return unknown.key == "focus" || unknown.key == "lock"; };
  const auto chances = std::erase_if(pilot.spec->unknowns, in_rows);
  const bool tokens = pilot.spec->tokens.erase("focus") > 0 || chances > 0 || !pilot.spec->locks.empty();
  pilot.spec->locks.clear();
  if (tokens) base::add_once(out.notes, "focus tokens and locks of the SPEC are left to the rows, which try them");
  const ScenarioAttack &attack = read.attacks[0], usual;
  const auto is_range = [](const Unknown& unknown) { return unknown.key == "range"; };
  const auto ranges = std::count_if(attack.unknowns.begin(), attack.unknowns.end(), is_range);
  if (attack.range != usual.range || ranges > 0 || attack.weapon != usual.weapon)
    base::add_once(out.notes, "range and weapon of the SPEC are left to the rows, which try them");
  if (attack.obstructed || !attack.reinforced || attack.initiative || !attack.facts.empty() ||
      std::cmp_greater(attack.unknowns.size(), ranges))
    base::add_once(out.notes, "obstruction, reinforced, initiative and facts of the SPEC are left out of the rows");
  add_names_and_costs(catalogue, out.cards, pilot);
  out.pilots.insert(out.pilots.end(), read.attacks.size(), pilot);
}

}  // namespace

Squad load::squad_from_spec(const Catalogue& catalogue, const GivenSpec& spec, const std::optional<std::string>& cards,
                            const std::optional<std::string>& rules) {
  Squad out = empty_squad(catalogue, spec.text, cards, rules);
  const SpecVocabulary words = make_vocabulary(catalogue, out.rules, out.cards);
  const std::vector<std::string_view> parts = base::split(spec.text, '|');
  for (const std::string_view& part : parts) {
    const std::string text(base::trimmed(part));
    if (text.empty()) {
      throw data::error_at(spec.place, parts.size() > 1 ? "has a | without a ship before or behind it; leave it out"
                                                        : "is empty; name a ship, such as Luke Skywalker");
    }
    for (const GivenSpec& one : ships_of(words, {text, spec.place, spec.name}, out.notes))
      add_ships(catalogue, cards.value_or(""), one, out);
    if (out.pilots.size() > load::kMaxSquadShips) {
      throw data::error_at(
          spec.place, fmt::format("has {}{} ships, but a squad has at most {}; leave out the others",
                                  &part == &parts.back() ? "" : "at least ", out.pilots.size(), load::kMaxSquadShips));
    }
  }
  return out;
}

Squad squad_from_spec(const Catalogue& catalogue, const std::string& spec, const std::optional<std::string>& cards,
                      const std::optional<std::string>& rules) {
  return load::squad_from_spec(catalogue, load::spec_of(fmt::format("SPEC {}", base::in_quotes(spec)), spec), cards,
                               rules);
}

Squad squad_from_ship(const Catalogue& catalogue, const std::string& ship, const std::string& pilot,
                      const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  Squad out = empty_squad(catalogue, pilot.empty() ? ship : pilot, cards, rules);
  const DataSet data = catalogue.data_set(out.cards);
  out.cards_from = data.name;
  out.cards_date = data.date;
  const load::ShipSpec* spec = catalogue.ship(ship, out.cards);
  if (spec == nullptr)
    throw LoadError(fmt::format("the card set {} has no ship {}; salvo ships lists them", out.cards, ship));
  SquadPilot& one = out.pilots.emplace_back();
  one.given = pilot;
  one.given_ship = ship;
  one.spec = ScenarioShip{.ship = ship};
  if (!pilot.empty()) {
    const load::PilotSpec* const at = load::find_pilot(*spec, pilot);
    if (at == nullptr)
      throw LoadError(fmt::format("the ship {} has no pilot {} in the card set {}", ship, pilot, out.cards));
    one.spec->pilot = pilot;
    one.standard_loadout = !at->standard_loadout.empty();
    for (const std::string& id : at->standard_loadout) {
      if (catalogue.upgrade_exists(id, out.cards)) {
        one.upgrades.push_back({id, "", "", {}});
      } else {
        out.unknown.push_back({"upgrades", "upgrade", id, fmt::format("not in the card set {}", out.cards)});
      }
    }
    out.faction = at->faction;
  }
  add_names_and_costs(catalogue, out.cards, one);
  out.name = one.name;
  return out;
}

ScenarioShip scenario_ship(const SquadPilot& pilot) {
  ScenarioShip out = pilot.spec ? *pilot.spec : ScenarioShip{.ship = pilot.ship, .pilot = pilot.id};
  for (const SquadUpgrade& upgrade : pilot.upgrades) out.upgrades.push_back(upgrade.id);
  return out;
}

int total_cost(const SquadPilot& pilot) {
  int cost = pilot.cost;
  if (cost == 0 || pilot.loadout || pilot.standard_loadout) return cost;
  for (const SquadUpgrade& upgrade : pilot.upgrades) cost += upgrade.cost.value_or(0);
  return cost;
}

std::optional<int> cost_in(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards) {
  SquadPilot pilot;
  pilot.spec = ship;
  for (const std::string& id : ship.upgrades) pilot.upgrades.push_back({id, id, "", {}});
  add_names_and_costs(catalogue, cards, pilot);
  const auto unpriced = [](const SquadUpgrade& upgrade) { return !upgrade.cost; };
  if (!pilot.loadout && std::any_of(pilot.upgrades.begin(), pilot.upgrades.end(), unpriced)) return std::nullopt;
  const int cost = total_cost(pilot);
  return cost > 0 ? std::optional(cost) : std::nullopt;
}

std::optional<int> cost_of(const SquadPilot& pilot) {
  const int cost = pilot.points.value_or(total_cost(pilot));
  return cost > 0 ? std::optional(cost) : std::nullopt;
}

std::vector<std::string> caveats_of(const Squad& squad) {
  std::vector<std::string> out;
  const std::string head = squad.name.empty() ? squad.source : squad.name;
  for (const std::string& note : squad.notes) out.push_back(fmt::format("{}: {}", head, note));
  for (const UnknownId& id : squad.unknown) {
    out.push_back(
        fmt::format("{}: {}: the {} {} is left out: {}", head, id.path, id.kind, base::in_quotes(id.id), id.reason));
  }
  return out;
}

}  // namespace salvo
