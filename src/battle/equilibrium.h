// How often to choose each of several lists so that no opponent gains by knowing it: the equilibrium of a matrix game,
// a linear program that GLPK solves. Compiled into the program only, and only where GLPK is available.
#pragma once

#include <optional>
#include <vector>

namespace salvo::battle {

/// The probability of each row. `win`: the payoff of the player who chooses rows, by row and column. Nothing in a build
/// without GLPK (libglpk-dev), or where its library is missing. Throws std::runtime_error if the solver fails.
std::optional<std::vector<double>> equilibrium(const std::vector<std::vector<double>>& win);

}  // namespace salvo::battle
