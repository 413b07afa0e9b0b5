// What there is to play with: ships, pilots, upgrades and weapons by name, over card sets, with what tells them apart.
// In: words. Out: rows for the lists of the command line.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "salvo/names.h"

namespace salvo::cards {

/// What is listed. Weapons are the upgrades that one attacks with.
enum class Listed { Ships, Pilots, Upgrades, Weapons };

/// A fact of a row; empty: the thing has none, or it is not known.
using Cell = std::variant<std::monostate, int, std::string>;

/// One ship, pilot or upgrade. Second-edition card sets that have the same id share a row, with the facts of the first.
struct FoundRow {
  Named named;
  std::vector<std::string> sets;  ///< the card sets that have it
  std::vector<Cell> cells;        ///< as FoundList::columns
};

struct FoundList {
  Listed what = Listed::Ships;
  std::string words;                 ///< that were looked for
  std::vector<std::string> columns;  ///< keys of the cells: "attack", "agility", ...
  std::vector<FoundRow> rows;        ///< by name
  std::vector<Named> near;           ///< where nothing has the words: what is spelled nearly so
};

/// `card_sets`: where to look, those that are asked first.
FoundList find(const Catalogue& catalogue, Listed what, const std::string& words,
               const std::vector<std::string>& card_sets);

/// The card sets that the profiles have, but for those of later rulings, whose ships and upgrades are those of another:
/// where to look when nobody says where.
std::vector<std::string> sets_with_ships(const Catalogue& catalogue);

/// A sentence for a list without rows: what is spelled nearly so.
std::string nothing_found(const FoundList& list);

/// "ship", "pilot", "upgrade"; a weapon is an upgrade.
const char* kind_of(Listed what);

}  // namespace salvo::cards
