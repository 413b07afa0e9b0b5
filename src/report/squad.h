// The answer of `salvo squad` as part of a larger JSON document: see salvo/squad_report.h.
// In: a SquadReport. Out: members of JSON.
#pragma once

#include "report/json_writer.h"
#include "salvo/squad_report.h"

namespace salvo::report {

inline constexpr std::size_t kListedShots = 21;  ///< of survival: after 0 to 20 shots

/// All members of a report but "format".
void write_report(JsonWriter& json, const SquadReport& report);
/// The members "defenders" and "attackers": ids and names.
void write_references(JsonWriter& json, const ReferenceShips& references);

}  // namespace salvo::report
