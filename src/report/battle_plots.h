// The pictures of `salvo battle` and `salvo gauntlet`, as SVG.
#pragma once

#include <string>

#include "salvo/battle.h"
#include "salvo/gauntlet.h"

namespace salvo::report {

/// The probability of each ship to be alive after each round, one chart for each side.
std::string plot_battle(const BattleReport& report);
/// The matrix of win chances as a heat map, with the best against the field on top.
std::string plot_gauntlet(const GauntletReport& report);

}  // namespace salvo::report
