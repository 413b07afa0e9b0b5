// The pictures of `salvo battle`. In: a report. Out: an SVG file.
#pragma once

#include <string>

#include "salvo/battle.h"
#include "salvo/gauntlet.h"

namespace salvo::report {

/// The chance of each ship to be still there after each round, a chart for either side.
std::string plot_battle(const BattleReport& report);
/// The matrix of win chances as a heat map, the best against the field on top.
std::string plot_gauntlet(const GauntletReport& report);

}  // namespace salvo::report
