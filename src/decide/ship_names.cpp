#include "decide/ship_names.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"

namespace salvo::decide {

ScenarioShip* find_ship(Scenario& scenario, const std::string& name) {
  const auto found = scenario.ships.find(name);
  return found == scenario.ships.end() ? nullptr : &found->second;
}

std::string no_such_ship(const Scenario& scenario, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, ship] : scenario.ships) names.push_back(known);
  const std::string near = base::nearest(name, names);
  return fmt::format("no ship \"{}\"; {}", base::clip_to_width(base::strip_control(name), 60),
                     near.empty() ? fmt::format("the ships are {}", base::joined(names, ", "))
                                  : fmt::format("did you mean {}?", near));
}

}  // namespace salvo::decide
