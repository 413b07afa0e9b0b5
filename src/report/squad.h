// The answer of `salvo squad` as part of a larger JSON document.
#pragma once

#include <string_view>

#include "report/json_writer.h"
#include "salvo/squad_report.h"

namespace salvo::report {

inline constexpr std::size_t kListedShots = 21;  ///< points of a survival curve: after 0 to 20 shots

/// The engine of an attack; empty if none answered.
std::string_view engine_name(const DuelResult& result);
/// Writes what follows the member "mean" of an attack: its standard error, and "hit", "at_least", "destroyed" with
/// theirs.
void write_after_mean(JsonWriter& json, const DuelResult& result);
/// Writes all members of a report but "format".
void write_report(JsonWriter& json, const SquadReport& report);
/// Writes the members "defenders" and "attackers": ids and names.
void write_references(JsonWriter& json, const ReferenceShips& references);

}  // namespace salvo::report
