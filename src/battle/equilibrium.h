// Mix: how often to choose each of several lists so that no opponent gains by knowing it: the equilibrium of a matrix
// game, a linear program that GLPK solves. Only the program has this room, and only where GLPK is.
#pragma once

#include <optional>
#include <vector>

namespace salvo::battle {

/// Whether this build has GLPK (CMake finds libglpk-dev).
bool available();

/// By row how often it is chosen. `win`: by row and column what the one who chooses rows gets. Nothing in a build
/// without GLPK. Throws std::runtime_error where the program has no solution, which a matrix of numbers always has.
std::optional<std::vector<double>> equilibrium(const std::vector<std::vector<double>>& win);

}  // namespace salvo::battle
