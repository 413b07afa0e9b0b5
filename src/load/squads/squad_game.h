// Squad game: of which edition a squad is, and by which points it was built, by all that its file says.
// In: the tree of a squad file. Out: edition and ruleset, and what speaks against them.
#pragma once

#include <string>
#include <vector>

#include "data/node.h"
#include "load/catalogue.h"

namespace salvo::load {

inline constexpr const char* kFirstEdition = "first-edition";
inline constexpr const char* kSecondEdition = "second-edition";

struct SquadGame {
  std::string rules;               ///< kFirstEdition or kSecondEdition
  std::string ruleset;             ///< "2.0", "2.5", "XWA" or kFirstEdition
  std::vector<std::string> notes;  ///< a doubt, in a sentence
};

/// Marks are weighed in this order, and the first that tells decides: ids of pilots and upgrades that only one edition
/// has, the points of each ship, the builder and its link, ids of ships, the version, words for factions and slots.
/// Where a later one contradicts, or none tells, a note says so.
SquadGame find_game(const Catalogue& catalogue, const data::Node& root, const std::vector<data::Node>& pilots);

/// The same for a squad of which only the points are open: "2.0", "2.5" or "XWA".
SquadGame find_second_edition_game(const Catalogue& catalogue, const data::Node& root,
                                   const std::vector<data::Node>& pilots);

/// Whether costs of the card set are those of the ruleset.
bool is_priced_by(const std::string& ruleset, const std::string& cards);

}  // namespace salvo::load
