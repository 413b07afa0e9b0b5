// Readers of the profile files: editions, ships, cards, decks, effects. Each takes the tree of a file and throws
// LoadError.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/file.h"
#include "data/node.h"
#include "data/profiles.h"
#include "load/catalogue.h"

namespace salvo::load {

inline constexpr int kMaxDieSides = 64;

/// Where the profiles contain a card set.
struct CardSet {
  std::string_view ships;           ///< folder below ships/; empty: ships/ itself
  std::string_view cards;           ///< folder below cards/; empty: cards/ itself
  std::string_view known_upgrades;  ///< file below cards/
  std::string_view base;            ///< the set that provides the cards that are the same; empty: none
  bool derived = false;             ///< ships, points and upgrades are stored as changes to those of the base
};

/// The card set with that name, or nullptr.
const CardSet* card_set(std::string_view name);

/// Whether the set has cards of the first edition.
bool is_first_edition(std::string_view card_set);

/// Whether an upgrade of the set is one too many on a ship that has `copies` of it. By the rules of the second edition,
/// a ship has each upgrade once; in the first, its slots limit them.
bool is_extra_copy(std::string_view card_set, std::ptrdiff_t copies);

/// The card set with the points of a ruleset (Squad::ruleset in salvo/squad.h).
std::string card_set_of_ruleset(std::string_view ruleset);

/// Reads `id` and checks that it equals `expected`, the name of the file.
std::string read_id(const data::Node& root, const std::string& expected);

Edition read_edition(const data::Node& root, const std::string& id);
ShipSpec read_ship_profile(const data::Node& root, const std::string& id);

/// Applies the changes of a derived set to a ship of its base: keys of the ship, keys of its pilots, new pilots.
void read_ship_changes(const data::Node& root, const std::string& id, ShipSpec& ship);

/// Cost, loadout value and slots of the pilot from its row of points.tsv, "12<tab>9<tab>slots". `place`: the file.
void read_points(std::string_view row, const std::string& place, PilotSpec& pilot);

/// `facts`: the known board facts; a card must not name others.
CardSpec read_card(const data::Node& root, const std::string& kind, const std::string& id,
                   const std::map<std::string, std::string>& facts);

/// A damage deck of an edition. `id`: the name of the file.
DeckSpec read_deck(const data::Node& root, const Edition& edition, const std::string& id);

/// The [[effect]] tables of `root`. Faces and tokens must exist in the edition; null: they are checked by compile,
/// since a card may serve several editions. `id` is the id of effects that state none; empty: each must state one.
std::vector<EffectSpec> read_effects(const data::Node& root, const Edition* edition, const std::string& id);

/// Numbers of tokens, which must exist in the edition unless that is null.
std::map<std::string, int> read_tokens(const data::Node& node, const Edition* edition);
WeaponSpec read_weapon(const data::Node& node, const Edition* edition);
std::vector<CostSpec> read_costs(const data::Node& node, const Edition* edition);

}  // namespace salvo::load
