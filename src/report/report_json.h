// A report as a JSON value, for commands that put it into a larger answer.
// In: a Report. Out: the object that to_json prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "salvo/report.h"

namespace salvo::report {

nlohmann::ordered_json report_json(const Report& report);

}  // namespace salvo::report
