// Plots: the pictures of `salvo run` and `salvo durability`.
// In: a report. Out: an SVG file.
#pragma once

#include <string>

#include "report/durability.h"
#include "salvo/report.h"

namespace salvo::report {

/// For each attacked ship its damage: exactly k as bars, and k or more as a curve.
std::string plot_damage(const Report& report);

/// Chance to be still there after n shots; for a list of ships the mean number of shots as bars.
std::string plot_durability(const study::DurabilityStudy& report);

}  // namespace salvo::report
