#include "study/atlas.h"

#include <fmt/format.h>

#include <set>

namespace salvo::study {

std::vector<AtlasPage> atlas_pages(const Catalogue& catalogue, const std::optional<std::string>& cards,
                                   const std::optional<std::string>& rules, const std::vector<AtlasSquad>& squads) {
  std::vector<AtlasPage> out;
  const std::string set = cards ? *cards : catalogue.card_set("", rules.value_or(Scenario().rules));
  for (const std::string& ship : catalogue.ship_ids(set))
    out.push_back({"ship", ship, squad_from_ship(catalogue, ship, "", set, rules)});
  for (const std::string& pilot : catalogue.pilot_ids(set)) {
    AtlasPage page{"pilot", pilot, {}};
    for (const std::string& ship : catalogue.ships_of_pilot(pilot, set)) {
      Squad one = squad_from_ship(catalogue, ship, pilot, set, rules);
      if (page.squad.pilots.empty()) {
        page.squad = std::move(one);
      } else {
        page.squad.pilots.push_back(std::move(one.pilots.front()));
      }
    }
    if (!page.squad.pilots.empty()) out.push_back(std::move(page));
  }
  std::set<std::string> names;
  for (const AtlasSquad& squad : squads) {
    if (!names.insert(squad.id).second) {
      throw LoadError(
          fmt::format("two squads would be called {} in the atlas; give one of the files another name", squad.id));
    }
    out.push_back({"squad", squad.id, squad.squad});
  }
  return out;
}

}  // namespace salvo::study
