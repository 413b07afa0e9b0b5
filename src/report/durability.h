// The answer of `salvo durability` in every format.
#pragma once

#include <string>

#include "study/durability.h"

namespace salvo::report {

std::string to_json(const study::DurabilityStudy& report);
std::string to_csv(const study::DurabilityStudy& report);
std::string to_table(const study::DurabilityStudy& report, int width, bool colour);

/// A number of shots for people: "1.234" or "never".
std::string shots_text(double mean);

}  // namespace salvo::report
