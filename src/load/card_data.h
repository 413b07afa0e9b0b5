// Card data of others: which cards there are in a checkout of xwing-data2 (second edition) or xwing-data (first).
// And which of them can change an attack. In: a folder. Out: kinds and ids; nothing else of the data is kept.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/profiles.h"

namespace salvo::load {

/// A card of the data set. Kinds: "pilot", "ship" (a ship ability), "upgrade", "condition".
struct DataCard {
  std::string kind, id;
  bool ability = true;  ///< false: a pilot without an ability of its own
};

/// The cards of a data set, each once, by kind and id.
struct CardData {
  bool first_edition = false;  ///< by the layout of its files
  std::vector<DataCard> cards;
};

/// Reads `folder` (or its folder data): pilots/*/*.json, upgrades/*.json and conditions/*.json, or pilots.js,
/// upgrades.js and conditions.js. Throws LoadError: no such folder, neither layout, broken files.
CardData read_card_data(const std::string& folder);

/// Whether a card can change an attack, by kind and id.
using Relevance = std::map<std::pair<std::string, std::string>, bool>;

/// The list of a card set (cards/relevant.tsv): cards of which that is known. What the list does not say of a derived
/// set is as in its base. `profiles`: the folder that holds cards/. Throws LoadError.
Relevance read_relevance(const data::Profiles& profiles, const std::string& card_set);

/// What the printed text of cards says that their files have to do, by kind and id.
using Marks = std::map<std::pair<std::string, std::string>, std::set<std::string>>;

/// The marks of a card set (cards/marks.tsv, none without it). `profiles`: the folder that holds cards/. Throws
/// LoadError.
Marks read_marks(const data::Profiles& profiles, const std::string& card_set);

/// The id of a ship ability: its name in lower case without anything but letters and digits.
std::string ability_id(std::string_view name);

}  // namespace salvo::load
