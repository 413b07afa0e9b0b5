// Pilots that share a name, and which of them a ship or a faction beside the name means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "load/catalogue.h"
#include "load/name_index.h"

namespace salvo::load {

/// How surely words mean a ship. A nickname belongs to one ship, but players use it for others too: "Falcon", "TIE
/// Fighter".
enum class ShipFit { None, Part, Nickname, Name };

/// Part: the words are a part of its id or of one of its nicknames, or start words of its name.
ShipFit fit_of_ship(const NameIndex& index, std::string_view words, std::string_view ship);

/// The ships of all pilots with the name of `pilot` (an id), in order of id.
std::vector<std::string> ships_of_namesakes(const NameIndex& index, std::string_view pilot);

/// The ship that words beside a pilot mean, given what they mean alone: if no pilot of that name flies that one, the
/// ship of such a pilot that the words fit. `only_this`: no other pilot of that name is meant.
NameMatch ship_beside(const NameIndex& index, NameMatch alone, std::string_view words, std::string_view pilot,
                      bool only_this = false);

/// Whether words after the name of a card, in parentheses, are a part of its id, or what builders call the box of its
/// suffix: "(Wartime)", "(BoY)".
bool is_variant(const NameEntry& entry, std::string_view words);

/// The pilot with the name of `pilot` who is that variant; empty: none.
std::string variant_of(const NameIndex& index, const std::string& pilot, std::string_view words);

/// The id of a faction, if these words name one, or a squad of one: "Rebel Alliance", "Scum list".
std::string faction_of(std::string_view words);

/// A faction's name as printed.
std::string faction_name(const std::string& id);

/// What a name in a list may mean.
struct ListedName {
  std::vector<std::string> factions;  ///< of the pilots with that name
  bool upgrade = false;
};

/// Whether all names are of pilots of one faction, and one behind the first is no upgrade's: "Boba Fett, Fenn Rau, Old
/// Teroch". What separates them then separates ships.
bool are_pilots(const std::vector<ListedName>& names);

/// The faction that a squad with the pilot has: two of the first edition are parts of others.
std::string side_of(const std::string& faction, std::string_view cards);

/// The pilot with the name of `pilot` who is of the faction, of several the usual one; empty: none.
std::string namesake_of_faction(const Catalogue& catalogue, std::string_view cards, const std::string& pilot,
                                const std::string& faction);

/// Why namesake_of_faction() finds none: the factions that have pilots of that name.
std::string no_namesake(const Catalogue& catalogue, std::string_view cards, const std::string& pilot,
                        const std::string& faction);

}  // namespace salvo::load
