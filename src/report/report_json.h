// A report as JSON, for commands that put it into a larger answer.
// In: a Report. Out: the members of the object that to_json prints.
#pragma once

#include "report/json_writer.h"
#include "salvo/report.h"

namespace salvo::report {

/// Writes the members into the object that is being written.
void write_report(JsonWriter& json, const Report& report);

}  // namespace salvo::report
