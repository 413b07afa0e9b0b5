// Divides the names on a line further where only the names of cards tell how.
#pragma once

#include <string>
#include <vector>

#include "load/squads/list_lines.h"
#include "load/squads/list_names.h"

namespace salvo::load {

/// Joins names that wide blanks split, and splits "Luke Skywalker (Predator, R2-D2)" and "Luke Skywalker with Predator
/// and R2-D2" into their cards.
std::vector<ListItem> settled(const ListNames& names, std::vector<ListItem> items);
/// Whether it names the slot of the card beside it: "Astromech: R2-D2", "[Astromech] R2-D2".
bool is_label(const ListNames& names, const ListItem& item);
/// Removes "Ship 2:" or "Pilot:" from the start of a line. Its numbers are those of the ship.
void drop_ship_label(std::vector<ListItem>& items);
/// Whether it is the head of a table: "Pilot | Ship | Upgrades | Points".
bool is_table_head(const std::vector<ListItem>& items);
/// Removes "Initiative 5", "I5" and "PS9" beside the names.
void drop_skills(const ListNames& names, std::vector<ListItem>& items);
/// Removes the name of a list, "Palp aces:", of a faction, player or speaker, "Ann B:", from the start of a line, and
/// returns it. Leaves cards, ships and slots, except a speaker named like a card, before a pilot: "Wedge: Howlrunner".
std::string drop_label(const ListNames& names, std::vector<ListItem>& items, bool stamped);
/// Whether an upgrade of that name takes the slot.
bool has_slot(const ListNames& names, const std::string& upgrade, const std::string& slot);
/// Tries a name without a number at its ends, and in the singular.
void shorten(const ListNames& names, ListItem& item, std::vector<PilotChoice>& as_pilot,
             ListNames::Upgrades& as_upgrade);

}  // namespace salvo::load
