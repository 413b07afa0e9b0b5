// Squad ids: what a squad file writes, as text, and which card it means.
// In: values of any kind, ids of any builder. Out: ids as a card set spells them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/node.h"
#include "load/catalogue.h"

namespace salvo::load {

/// A text or number as text; empty for anything else.
std::string loose_text(const std::optional<data::Node>& node);
/// A whole number, also one written as a text.
std::optional<int> loose_number(const std::optional<data::Node>& node);
/// The member `id`, or `name` where there is none.
std::string pilot_text(const data::Node& pilot);
/// What an item of a list of upgrades names: a text, or a table with id, xws or name.
std::string upgrade_text(const data::Node& item);

/// Lower-case letters, digits and hyphens only: what an id may have, also where a name was written.
std::string id_form(std::string_view text);

/// A pilot, and the ship that its id names behind it ("dfs311-vultureclassdroidfighter"); empty: it names none.
struct PilotId {
  std::string id, ship;
};

/// The id of a card set that a given one means: as it is, by alias (profiles/aliases.tsv), without the hyphens that
/// some builders add or drop; a pilot's also with its ship behind it.
std::optional<PilotId> find_pilot_id(const Catalogue& catalogue, const std::string& given, std::string_view cards);
std::optional<std::string> find_ship_id(const Catalogue& catalogue, const std::string& given, std::string_view cards);
std::optional<std::string> find_upgrade_id(const Catalogue& catalogue, const std::string& given,
                                           std::string_view cards);

/// What an upgrade costs on a ship of a pilot; empty: nobody knows. `pilot` and `ship` may be null.
std::optional<int> upgrade_cost_on(const Catalogue& catalogue, const std::string& upgrade, std::string_view cards,
                                   const PilotSpec* pilot, const ShipSpec* ship);

}  // namespace salvo::load
