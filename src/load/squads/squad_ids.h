// Leniently reads ids and numbers in squad files, and finds the cards that they mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "load/catalogue.h"
#include "load/slot_rules.h"

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

/// Whether the id of an upgrade names a slot: builders of the second edition listed "hardpointcannon" for an M3-A.
bool is_slot_card(const std::string& given);

/// What a squad says about a card besides its id, as the file spells it; any part may be missing.
struct CardClues {
  std::string ship = {};         ///< the ship that the pilot flies
  std::string faction = {};      ///< of the squad
  std::string slot = {};         ///< that the upgrade fills
  const ShipSpec* on = nullptr;  ///< the ship and the pilot that equip the upgrade
  const PilotSpec* by = nullptr;
  const SlotRules* rules = nullptr;  ///< restrictions of upgrades
};

/// The card of a card set that a given id means.
struct CardMatch {
  std::string id;                    ///< empty: no card, or several
  std::string ship = {};             ///< of a pilot: the ship that it flies here; empty: none that fits, or several
  bool sure = false;                 ///< the id itself, an alias, the same but for hyphens, or followed by the ship
  std::vector<std::string> several;  ///< ids that fit equally well, when `id` is empty
};

/// Finds the card with that id, or the one card that the id and the clues leave: ids may lack or add hyphens, a suffix
/// for ship, slot, faction or expansion, accented letters, abbreviations; letters may be doubled or look alike
/// (docs/format.md: Squads). A pilot flies the ship named in the clues, if the card set knows that ship.
CardMatch find_pilot_card(const Catalogue& catalogue, const std::string& given, std::string_view cards,
                          const CardClues& clues = {});
CardMatch find_upgrade_card(const Catalogue& catalogue, const std::string& given, std::string_view cards,
                            const CardClues& clues = {});
/// The same id, an alias (profiles/aliases.tsv), or the same id except for hyphens.
std::optional<std::string> find_ship_id(const Catalogue& catalogue, const std::string& given, std::string_view cards);

/// The cost of an upgrade for a pilot on a ship; empty: unknown. `pilot` and `ship` may be null.
std::optional<int> upgrade_cost_on(const Catalogue& catalogue, const std::string& upgrade, std::string_view cards,
                                   const PilotSpec* pilot, const ShipSpec* ship);

}  // namespace salvo::load
