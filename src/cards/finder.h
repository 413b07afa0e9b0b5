// Finds ships, pilots, upgrades and weapons by name in one or more card sets. In: words. Out: rows with their
// distinguishing facts.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "salvo/names.h"

namespace salvo::cards {

/// Weapons are the upgrades that can attack.
enum class Listed { Ships, Pilots, Upgrades, Weapons };

/// A fact of a row; empty: there is none, or it is not known.
using Cell = std::variant<std::monostate, int, std::string>;

/// One ship, pilot or upgrade. Second-edition card sets with the same id share a row, with the facts of the first set.
struct FoundRow {
  Named named;
  std::vector<std::string> sets;  ///< the card sets that have it
  std::vector<Cell> cells;        ///< as FoundList::columns
};

/// What a SPEC takes the words for, if it takes them for one ship, pilot or upgrade.
struct Reading {
  std::string id;
  bool whole = false;  ///< NameMatch::whole
};

struct FoundList {
  Listed what = Listed::Ships;
  std::string words;                 ///< that were searched for
  std::vector<std::string> columns;  ///< keys of the cells: "attack", "agility", ...
  std::vector<FoundRow> rows;        ///< by name
  std::optional<Reading> reading;    ///< in the first set that has one
  std::vector<Named> near;           ///< similar names, if nothing matches
};

/// `card_sets`: the sets to search, in order of precedence.
FoundList find(const Catalogue& catalogue, Listed what, const std::string& words,
               const std::vector<std::string>& card_sets);

/// The default sets to search: those of the profiles, without those for later rulings, which share their ships and
/// upgrades with another set.
std::vector<std::string> sets_with_ships(const Catalogue& catalogue);

/// The message for a list without rows, with similar names.
std::string nothing_found(const FoundList& list);

/// "ship", "pilot", "upgrade"; a weapon is an upgrade.
const char* kind_of(Listed what);

}  // namespace salvo::cards
