// What the answers about battles have in common: a battle, what upgrades are worth in it, a gauntlet.
// In: reports. Out: members of JSON, lines of a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/json_writer.h"
#include "report/page.h"
#include "salvo/battle.h"

namespace salvo::report {

/// The members "flight" and "most_rounds".
void write_flight(JsonWriter& json, std::string_view id, std::string_view name, int most_rounds);
/// Who fights whom, and how: "mine", "theirs", "flight", "most_rounds", "first", "policy".
void write_fight(JsonWriter& json, const BattleReport& report);

/// How tables and pictures call the ships, in the order of the report: by their titles, those of one side that have
/// the same with a number.
std::vector<std::string> ship_titles(const BattleReport& report);
/// "both greedy".
std::string policies(const BattleReport& report);

/// What battles leave out or take for granted, and what is said of cards and facts.
void write_battle_caveats(Page& page, const std::vector<std::string>& assumptions, const Provenance& from);

}  // namespace salvo::report
