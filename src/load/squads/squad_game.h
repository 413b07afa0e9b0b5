// Infers the edition of a squad, and the points that it was built with, from everything in its file.
#pragma once

#include <string>
#include <vector>

#include "data/node.h"
#include "load/catalogue.h"

namespace salvo::load {

inline constexpr const char* kFirstEdition = "first-edition";
inline constexpr const char* kSecondEdition = "second-edition";
/// The end of notes on what had to be inferred, the same for every front end.
inline constexpr const char* kUnlessStated = "unless another edition or card set is chosen";

struct SquadGame {
  std::string rules;               ///< kFirstEdition or kSecondEdition
  std::string ruleset;             ///< "2.0", "2.5", "XWA" or kFirstEdition
  std::vector<std::string> notes;  ///< contradicting evidence, in sentences
};

/// The first conclusive kind of evidence decides, in this order: ids of pilots and upgrades that only one edition has,
/// points of each ship, builder and link, ids of ships, version, words for factions and slots. Notes report later
/// evidence that contradicts, or the lack of any.
SquadGame find_game(const Catalogue& catalogue, const data::Node& root, const std::vector<data::Node>& pilots);

/// As above for a squad of the second edition: infers only the ruleset "2.0", "2.5" or "XWA".
SquadGame find_second_edition_game(const Catalogue& catalogue, const data::Node& root,
                                   const std::vector<data::Node>& pilots);

/// The ship of a pilot, of several that fly one with that id, for which the squad names none: that of its faction, with
/// its points, for its upgrades; empty: they do not decide.
std::string likely_ship(const Catalogue& catalogue, const data::Node& pilot, const std::string& id,
                        const std::string& faction, const std::string& cards);

/// The ruleset for which builders wrote links of this version, or since version 9, of 2.5 and later of XWA, of so many
/// points (0: unknown); empty if the version is negative.
const char* ruleset_of_link(int version, int points);

/// The ruleset of a squad, judging by its points: about 20 in "2.5", 50 in "XWA", 200 in "2.0".
const char* ruleset_of_points(int points);

/// The edition of a card set. Throws LoadError.
std::string rules_of_cards(const Catalogue& catalogue, const std::string& cards);

/// The ruleset whose costs the card set has.
const char* ruleset_of_set(const std::string& cards);

/// Whether the costs of the card set are those of the ruleset.
bool is_priced_by(const std::string& ruleset, const std::string& cards);

}  // namespace salvo::load
