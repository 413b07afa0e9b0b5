// Parts that the answers about battles share: a battle, the worth of upgrades in it, a gauntlet.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/json_writer.h"
#include "report/page.h"
#include "salvo/battle.h"

namespace salvo::report {

/// Writes the members "flight" and "most_rounds".
void write_flight(JsonWriter& json, std::string_view id, std::string_view name, int max_rounds);
/// Writes the members from "format" to "engine_reason" and, if `sampled`, "trials" and "seed".
void write_battle_head(JsonWriter& json, const BattleReport& report, bool sampled);
/// The last round that a battle reaches, apart from very rare ones.
std::size_t last_round(const BattleReport& report);
/// Writes the setup: "mine", "theirs", "flight", "most_rounds", "first", "policy".
void write_fight(JsonWriter& json, const BattleReport& report);

/// The names of the ships in tables and pictures, in the order of the report: their titles, with a number if ships of
/// one side share a title.
std::vector<std::string> ship_titles(const BattleReport& report);
/// Calls `use(ship, title)` for each ship of a side; `titles` come from ship_titles().
template <typename Use>
void for_each_ship(const BattleReport& report, const std::vector<std::string>& titles, bool mine, const Use& use) {
  for (std::size_t s = 0; s < report.ships.size(); ++s) {
    if (report.ships[s].mine == mine) use(report.ships[s], titles[s]);
  }
}
/// "both greedy".
std::string policies(const BattleReport& report);

/// How the battle was played, as pairs of a key and words: flight, play, damage deck, score, engine.
std::vector<std::pair<const char*, std::string>> how_entries(const BattleReport& report);
/// For engine Both: what the G-test says.
std::string cross_check_words(const BattleReport& report);
/// For sampled battles: how accurate the figures of ships are.
std::string error_words(const BattleReport& report);

/// Writes the simplifications and assumptions of battles, and the notes on cards and facts.
void write_battle_caveats(Page& page, const std::vector<std::string>& assumptions, const Provenance& from);

}  // namespace salvo::report
