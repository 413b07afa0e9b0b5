// A report as JSON, for commands that put it into a larger answer.
// In: a Report. Out: the members of the object that to_json prints.
#pragma once

#include <optional>

#include "data/value.h"
#include "report/json_writer.h"
#include "salvo/report.h"

namespace salvo::report {

/// Writes the members into the object that is being written.
void write_report(JsonWriter& json, const Report& report);

/// Writes the member "id" with the id of the question, if it has one.
void write_id(JsonWriter& json, const std::optional<data::Value>& id);

}  // namespace salvo::report
