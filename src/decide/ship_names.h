// Looks up ships of a scenario by name.
#pragma once

#include <string>

#include "salvo/scenario.h"

namespace salvo::decide {

/// The ship of that name, or null. no_such_ship() is the error message for null.
ScenarioShip* find_ship(Scenario& scenario, const std::string& name);
std::string no_such_ship(const Scenario& scenario, const std::string& name);

}  // namespace salvo::decide
