// Leniently reads ids and numbers in squad files, and finds the cards that they mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/node.h"
#include "load/catalogue.h"

namespace salvo::load {

/// A text or number as text; empty for anything else.
std::string loose_text(const std::optional<data::Node>& node);
/// A whole number, even if written as a text; empty for anything else.
std::optional<int> loose_number(const std::optional<data::Node>& node);
/// The member `id` of a pilot, or else `name`.
std::string pilot_text(const data::Node& pilot);
/// The upgrade that an item of a list names: a text, or a table with id, xws or name.
std::string upgrade_text(const data::Node& item);

/// The text in lower case, reduced to the characters of ids: letters, digits and hyphens.
std::string id_form(std::string_view text);

/// A pilot, and the ship that was appended to its id ("dfs311-vultureclassdroidfighter"); empty: none.
struct PilotId {
  std::string id, ship;
};

/// The id of the card set that a given id means: the same id, an alias (profiles/aliases.tsv), or the same id except
/// for hyphens, which some builders add or drop; for pilots also without an appended ship.
std::optional<PilotId> find_pilot_id(const Catalogue& catalogue, const std::string& given, std::string_view cards);
std::optional<std::string> find_ship_id(const Catalogue& catalogue, const std::string& given, std::string_view cards);
std::optional<std::string> find_upgrade_id(const Catalogue& catalogue, const std::string& given,
                                           std::string_view cards);

/// The cost of an upgrade for a pilot on a ship; empty: unknown. `pilot` and `ship` may be null.
std::optional<int> upgrade_cost_on(const Catalogue& catalogue, const std::string& upgrade, std::string_view cards,
                                   const PilotSpec* pilot, const ShipSpec* ship);

}  // namespace salvo::load
