// Ship names: a ship of a scenario by its name, and what to say where there is none.
#pragma once

#include <string>

#include "salvo/scenario.h"

namespace salvo::decide {

/// The ship of that name, or null; and why there is none, in a sentence.
ScenarioShip* find_ship(Scenario& scenario, const std::string& name);
std::string no_such_ship(const Scenario& scenario, const std::string& name);

}  // namespace salvo::decide
