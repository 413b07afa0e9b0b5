// The ships that a hazard happens to: stat lines and tokens, looked up as for a scenario.
// In: ScenarioShips. Out: Targets, or a ScenarioError.
#include <algorithm>

#include "hazard/hazard.h"
#include "rules/compile_parts.h"

namespace salvo::hazard {

std::vector<Target> find_targets(const Catalogue& catalogue, const Edition& edition, const std::string& cards,
                                 const std::map<std::string, ScenarioShip>& ships,
                                 const std::vector<std::string>& order) {
  Scenario scenario;
  scenario.rules = edition.id;
  scenario.cards = catalogue.card_set(cards, edition.id);
  scenario.ships = ships;
  rules::Draft draft{.catalogue = catalogue,
                     .scenario = scenario,
                     .edition = edition,
                     .cards = scenario.cards,
                     .ships = {},
                     .attacks = {},
                     .compiled = {},
                     .facts_read = {},
                     .out = {}};
  rules::draft_ships(draft);
  std::vector<Target> out;
  for (const std::string& name : order) {
    const auto index = static_cast<std::size_t>(draft.ship_index(name, ""));
    const rules::ShipDraft& ship = draft.ships[index];
    Target target;
    target.name = name;
    target.title = draft.out.labels.ship_titles[index];
    target.size = ship.size;
    target.remote = std::find(edition.remotes.begin(), edition.remotes.end(), ship.size) != edition.remotes.end();
    target.hull = ship.hull;
    target.shields = ship.shields;
    target.tokens = ship.tokens;
    target.upgrades = ship.given->upgrades;
    out.push_back(std::move(target));
  }
  return out;
}

}  // namespace salvo::hazard
