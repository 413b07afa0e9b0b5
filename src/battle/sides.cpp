// The sides of a battle: see salvo/battle.h.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "battle/sides.h"
#include "load/file.h"
#include "load/message.h"
#include "load/node.h"
#include "load/scenario_tree.h"
#include "salvo/battle.h"
#include "salvo/load.h"

namespace salvo {
namespace {

constexpr int kMostInitiative = 99, kMostPoints = 999;

/// What is said of a SPEC of a side: not by the name of an option, which battles do not have.
std::string of_side(const std::string& message) {
  constexpr std::string_view kOption = "--attack ";
  return message.starts_with(kOption) ? "SPEC " + message.substr(kOption.size()) : message;
}

/// The SPECs of a side, each as an attack of its own. Throws LoadError, which names the side by its text.
Scenario read_specs(const Catalogue& catalogue, const std::vector<std::string>& specs, const std::string& rules,
                    const std::string& cards) {
  try {
    return scenario_from_specs(catalogue, rules.empty() ? Scenario().rules : rules, cards, specs, "2 hull=1");
  } catch (const LoadError& error) {
    throw LoadError(fmt::format("{}: {}", text::in_quotes(text::joined(specs, "|")), of_side(error.what())), error.path,
                    error.why);
  }
}

}  // namespace

BattleSide battle_side(const Squad& squad) {
  BattleSide out;
  out.name = squad.name.empty() ? squad.source : squad.name;
  out.rules = squad.rules;
  out.cards = squad.cards;
  out.notes = caveats_of(squad);
  for (const SquadPilot& pilot : squad.pilots)
    out.ships.push_back({pilot.name, scenario_ship(pilot), std::nullopt, cost_of(pilot)});
  return out;
}

BattleSide battle_side(const Catalogue& catalogue, const std::vector<std::string>& specs, const std::string& rules,
                       const std::string& cards) {
  BattleSide out;
  out.name = text::joined(specs, ", ");
  out.rules = rules;
  out.cards = cards;
  const Scenario read = read_specs(catalogue, specs, rules, cards);
  for (const std::string& note : read.notes) out.notes.push_back(of_side(note));
  for (std::size_t i = 0; i < read.attacks.size(); ++i) {
    const ScenarioAttack& attack = read.attacks[i];
    BattleShip ship{attack.by, read.ships.at(attack.by), attack.initiative, std::nullopt};
    if (!ship.ship.locks.empty()) {
      throw LoadError(
          fmt::format("SPEC {}: a ship begins a battle without locks; leave out lock, it is an action", i + 1));
    }
    if (ship.ship.pilot) ship.name = *ship.ship.pilot;
    if (!ship.ship.pilot && ship.ship.ship) ship.name = *ship.ship.ship;
    out.ships.push_back(std::move(ship));
  }
  return out;
}

std::vector<std::string> battle::split_specs(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('|', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

BattleSide parse_battle_side(std::string_view text, const std::string& source) {
  load::check_text(text, source);
  const load::Value value =
      load::is_json(text, source) ? load::parse_json(text, source) : load::parse_toml(text, source);
  return battle::read_side(load::Node(value, source));
}

BattleSide battle::read_side(const load::Node& root) {
  using load::Node;
  root.need_table("a side of a battle: a table with ships");
  root.allow_only({"format", "name", "rules", "cards", "ships"});
  BattleSide out;
  out.name = "ships";
  root.read("name", out.name);
  root.read("rules", out.rules);
  root.read("cards", out.cards);
  const Node ships = root.need("ships", "list the ships, each as [ships.NAME]");
  ships.need_table("a table of ships by name, each as [ships.NAME]");
  for (const Node& node : ships.children()) {
    node.need_table("a table with the keys of a ship");
    BattleShip ship;
    ship.name = node.key();
    node.read("initiative", 0, kMostInitiative, ship.initiative);
    node.read("points", 0, kMostPoints, ship.points);
    if (const auto side = node.get("side")) side->fail("all ships of this text are on one side; leave it out");
    load::Value own = node.value();
    own.take("initiative");
    own.take("points");
    ship.ship = load::read_scenario_ship(Node(own, root.source()));
    if (!ship.ship.locks.empty())
      node.fail("a ship begins a battle without locks; leave lock out of its tokens, it is an action");
    out.ships.push_back(std::move(ship));
  }
  return out;
}

}  // namespace salvo
