// Looks up the ships of a hazard as a scenario does.
#include <algorithm>
#include <cassert>
#include <numeric>

#include "compile/ships.h"
#include "hazard/hazard.h"

namespace salvo::hazard {

std::vector<Target> find_targets(const Catalogue& catalogue, const load::Edition& edition, const std::string& cards,
                                 const std::map<std::string, ScenarioShip>& ships,
                                 const std::vector<std::string>& order) {
  const auto starts = compile::look_up_ships(catalogue, edition, catalogue.card_set(cards, edition.id), ships);
  std::vector<Target> out;
  for (const std::string& name : order) {
    const auto ship = std::find_if(starts.begin(), starts.end(), [&](const auto& one) { return one.name == name; });
    assert(ship != starts.end());
    Target target;
    target.name = name;
    target.title = ship->title;
    target.size = ship->size;
    target.remote = std::find(edition.remotes.begin(), edition.remotes.end(), ship->size) != edition.remotes.end();
    if (!target.remote) target.faceup = std::accumulate(ship->faceup.begin(), ship->faceup.end(), 0);
    target.hull = ship->hull + target.faceup;
    target.shields = ship->shields;
    target.tokens = ship->tokens;
    target.upgrades = ships.at(name).upgrades;
    out.push_back(std::move(target));
  }
  return out;
}

}  // namespace salvo::hazard
