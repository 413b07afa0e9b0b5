// Assigns sides to ships, and docks ships.
#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "compile/compile_parts.h"

namespace salvo::compile {
namespace {

/// A docked ship neither attacks nor is attacked (000: Dock).
void check_docked(const Draft& draft, const ShipDraft& docked) {
  for (std::size_t i = 0; i < draft.scenario.attacks.size(); ++i) {
    const ScenarioAttack& attack = draft.scenario.attacks[i];
    for (const auto& [key, attacks] :
         {std::pair{"by", attack.by == docked.name}, {"on", may_be_on(attack, docked.name)}}) {
      if (attacks)
        throw ScenarioError(fmt::format("{}.{}", attack_path(draft.scenario, i), key),
                            fmt::format("'{}' is docked and neither attacks nor is attacked (000: Dock); name its "
                                        "carrier, or remove docked = \"{}\"",
                                        docked.name, docked.name));
    }
  }
}

/// Adds primary weapons that a ship has while another is docked with it.
void add_docked_weapons(ShipDraft& carrier, const ShipDraft& docked) {
  const auto front = std::find_if(docked.weapons.begin(), docked.weapons.end(),
                                  [](const load::WeaponSpec& weapon) { return weapon.arc == "front"; });
  if (front == docked.weapons.end()) return;
  for (const load::CardSpec* card : carrier.cards) {
    if (!card->weapon || !card->weapon->of_docked) continue;
    carrier.weapons.push_back(*card->weapon);
    carrier.weapons.back().attack = docked.attack.value_or(front->attack);
  }
}

/// Adds the docked ship's shields to the carrier, if a card says so and the scenario states no number.
void add_docked_shields(ShipDraft& carrier, const ShipDraft& docked) {
  bool shared = false;
  each_stat(carrier.cards, [&](const auto&, const auto& operation) { shared = shared || operation.to == "docked"; });
  if (shared && !carrier.given->shields) carrier.shields += docked.shields;
}

}  // namespace

void dock_ships(Draft& draft) {
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    ShipDraft& carrier = draft.ships[s];
    if (!carrier.given->docked) continue;
    const std::string path = ship_path(carrier, "docked");
    carrier.docked = draft.ship_index(*carrier.given->docked, path);
    ShipDraft& docked = base::nth(draft.ships, carrier.docked);
    if (&docked == &carrier || docked.carrier >= 0 || docked.given->docked)
      throw ScenarioError(path,
                          fmt::format("'{}' cannot be docked with '{}': a ship is docked with one other ship, and "
                                      "none with it; name another ship",
                                      docked.name, carrier.name));
    docked.carrier = static_cast<int>(s);
    check_docked(draft, docked);
    add_docked_weapons(carrier, docked);
    add_docked_shields(carrier, docked);
  }
}

void assign_sides(Draft& draft) {
  auto& ships = draft.ships;
  const auto& attacks = draft.scenario.attacks;
  const auto side_of = [&](const std::string& name) -> std::optional<bool>& {
    return base::nth(ships, draft.find_ship(name)).mine;
  };
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    const int by = draft.find_ship(attacks[i].by);
    const int on = draft.find_ship(attacks[i].on);
    const auto& targets = attacks[i].targets;
    const bool others = std::all_of(targets.begin(), targets.end(), [&](const std::string& target) {
      const int ship = draft.find_ship(target);
      return ship >= 0 && ship != by;
    });
    if (by >= 0 && on >= 0 && by != on && others) continue;
    const std::string path = attack_path(draft.scenario, i);
    draft.ship_index(attacks[i].by, path + ".by");
    draft.ship_index(attacks[i].on, path + ".on");
    for (const std::string& target : targets) draft.ship_index(target, path + ".on");
    throw ScenarioError(path + ".on", fmt::format("'{}' cannot attack itself; name another ship", attacks[i].by));
  }
  const bool any_given =
      std::any_of(ships.begin(), ships.end(), [](const ShipDraft& ship) { return ship.mine.has_value(); });
  const auto oppose = [&](std::size_t i, const std::string& target) {  // returns whether one of both learns its side
    auto& by = side_of(attacks[i].by);
    auto& on = side_of(target);
    if (by && on && *by == *on) {
      throw ScenarioError(attack_path(draft.scenario, i),
                          fmt::format("'{}' attacks '{}', but both are on the same side; attacker and defender are "
                                      "opposed, so change a side",
                                      attacks[i].by, target));
    }
    if (by.has_value() == on.has_value()) return false;
    (by ? on : by) = !(by ? *by : *on);
    return true;
  };
  const auto spread = [&] {  // until nothing changes
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < attacks.size(); ++i) {
        changed = oppose(i, attacks[i].on) || changed;
        for (const std::string& target : attacks[i].targets) changed = oppose(i, target) || changed;
      }
    }
  };
  auto& first = side_of(attacks.front().by);
  if (!any_given) first = true;
  spread();
  if (!first) {  // no chain of attacks connects the ships with a stated side to the first attacker
    first = true;
    spread();
  }
  for (ShipDraft& ship : ships) {
    if (ship.carrier >= 0) {
      const ShipDraft& carrier = base::nth(ships, ship.carrier);
      if (!ship.mine) ship.mine = carrier.mine;
      if (ship.mine != carrier.mine)
        throw ScenarioError(ship_path(carrier, "docked"),
                            fmt::format("'{}' is on the other side; a ship docks with a friendly one", ship.name));
    }
    if (!ship.mine)
      throw ScenarioError(fmt::format("ships.{}", ship.name),
                          "neither side can claim this ship; add side = \"mine\" or \"theirs\", or remove it");
  }
}

}  // namespace salvo::compile
