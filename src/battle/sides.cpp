#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "battle/sides.h"
#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "load/scenario_tree.h"
#include "salvo/battle.h"

namespace salvo {
namespace {

/// A single attack needs only dice, but a battle needs hull. (Upgrades may add hull.)
bool has_health(const ScenarioShip& ship) { return ship.hull || ship.ship || ship.pilot || !ship.upgrades.empty(); }
constexpr const char* kNoHull = "it has no hull, so nothing destroys it; add hull=N, or name a ship";

}  // namespace

BattleSide battle_side(const Squad& squad) {
  BattleSide out;
  out.name = squad.name.empty() ? squad.source : squad.name;
  out.rules = squad.rules;
  out.cards = squad.cards;
  out.ruleset = squad.ruleset;
  out.notes = caveats_of(squad);
  for (const SquadPilot& pilot : squad.pilots)
    out.ships.push_back({pilot.name, scenario_ship(pilot), std::nullopt, cost_of(pilot)});
  return out;
}

Squad battle::squad_against(const load::SquadReader& read, const BattleSide* other,
                            const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  if (other == nullptr || other->cards.empty()) return read(cards, rules);
  if (cards || rules || other->rules.empty()) return read(cards ? cards : other->cards, rules);
  Squad mine;
  mine.source = called(*other, "the other side");
  mine.rules = other->rules;
  mine.cards = other->cards;
  return load::opposing_squad(read, mine, false);
}

BattleSide battle_side(const Catalogue& catalogue, const std::vector<std::string>& specs, const std::string& rules,
                       const std::string& cards) {
  load::GivenSpecs given = battle::specs_of_side("", specs);
  given.place = base::in_quotes(base::joined(specs, "|"));  // a side is named by its text
  for (load::GivenSpec& spec : given.list) spec.place = fmt::format("{}: {}", given.place, spec.name);
  return battle::side_of_specs(catalogue, given, rules, cards);
}

load::GivenSpecs battle::specs_of_side(const std::string& key, const std::vector<std::string>& specs) {
  return load::specs_of_key(key, "SPEC", specs);
}

BattleSide battle::side_of_specs(const Catalogue& catalogue, const load::GivenSpecs& specs, const std::string& rules,
                                 const std::string& cards) {
  BattleSide out;
  out.rules = rules;
  out.cards = cards;
  for (const load::GivenSpec& spec : specs.list) out.name += (out.name.empty() ? "" : ", ") + spec.text;
  const auto ships =
      load::fighters_from_specs(catalogue, rules.empty() ? Scenario().rules : rules, cards, specs, out.notes);
  for (const load::FightingSpec& read : ships) {
    if (!has_health(read.ship)) throw data::error_at(read.place, kNoHull);
    const std::string number = fmt::format("a{}", out.ships.size() + 1);
    out.ships.push_back({read.ship.pilot ? *read.ship.pilot : read.ship.ship.value_or(number), read.ship,
                         read.initiative, read.points});
  }
  return out;
}

std::vector<std::string> battle::split_specs(const std::string& text) {
  const std::vector<std::string_view> parts = base::split(text, '|');
  return {parts.begin(), parts.end()};
}

BattleSide parse_battle_side(std::string_view text, const std::string& source) {
  text = data::check_text(text, source);
  const data::Value value =
      data::is_json(text, source) ? data::parse_json(text, source) : data::parse_toml(text, source);
  return battle::read_side(data::Node(value, source));
}

BattleSide battle::read_side(const data::Node& root) {
  using data::Node;
  root.need_table("a side of a battle: a table with ships");
  root.allow_only({"format", "name", "rules", "cards", "ships"});
  BattleSide out;
  root.read("name", out.name);
  root.read("rules", out.rules);
  root.read("cards", out.cards);
  const Node ships = root.need("ships", "list the ships, each as [ships.NAME]");
  ships.need_table("a table of ships by name, each as [ships.NAME]");
  for (const Node& node : ships.children()) {
    node.need_table("a table with the keys of a ship");
    if (const auto side = node.get("side")) side->fail("all ships of this text are on one side; leave it out");
    const load::FightingShip ship = load::read_fighting_ship(node);
    if (!has_health(ship.ship)) node.fail(kNoHull);
    if (!ship.ship.locks.empty())
      node.fail("a ship begins a battle without locks; leave lock out of its tokens, it is an action");
    out.ships.push_back({node.key(), ship.ship, ship.initiative, ship.points});
  }
  return out;
}

}  // namespace salvo
