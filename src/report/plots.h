// The pictures of `salvo run` and `salvo durability`, as SVG.
#pragma once

#include <string>

#include "report/durability.h"
#include "salvo/report.h"

namespace salvo::report {

/// The damage of each attacked ship: exactly k as bars, k or more as a curve.
std::string plot_damage(const Report& report);

/// The probability to survive n shots; for a list of ships, the mean number of shots as bars.
std::string plot_durability(const study::DurabilityStudy& report);

}  // namespace salvo::report
