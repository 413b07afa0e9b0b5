// Lists the cards in a checkout of xwing-data2 (second edition) or xwing-data (first edition), and which cards can
// change an attack.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "salvo/catalogue.h"

namespace salvo::load {

/// A card of the data set. Kinds: "pilot", "ship" (a ship ability), "upgrade", "condition".
struct DataCard {
  std::string kind, id;
  bool ability = true;  ///< false: a pilot without an ability of its own
  /// Its text, one for each side of a card and for each different text under its id.
  std::vector<std::string> texts = {};
  /// First-edition data have cards with different texts under one id. These are the ids that distinguish the card, by
  /// its ship and by its faction ("bobafett-scumandvillainy").
  std::vector<std::string> narrower = {};
};

/// The cards of a data set without duplicates, sorted by kind and id. Their texts stay in memory: no answer prints
/// them.
struct CardData {
  bool first_edition = false;  ///< recognized by the layout of its files
  std::vector<DataCard> cards;
};

/// Reads `folder` or its subfolder data: pilots/*/*.json, upgrades/*.json and conditions/*.json, or pilots.js,
/// upgrades.js and conditions.js. Throws LoadError if there is no such folder, it has neither layout, or a file is
/// malformed.
CardData read_card_data(const std::string& folder);

/// Whether a card can change an attack, by kind and id.
using Relevance = std::map<std::pair<std::string, std::string>, bool>;

/// The cards of a card set whose relevance is known (cards/relevant.tsv). A derived set inherits from its base what it
/// does not state itself. Throws LoadError.
Relevance read_relevance(const Catalogue& catalogue, const std::string& card_set);

/// What the files of cards must model according to their printed text, by kind and id.
using TextTags = std::map<std::pair<std::string, std::string>, std::set<std::string>>;

/// The tags of a card set, from cards/marks.tsv; none without that file. Throws LoadError.
TextTags read_text_tags(const Catalogue& catalogue, const std::string& card_set);

/// The id of a ship ability: the ASCII letters and digits of its name, in lower case.
std::string ability_id(std::string_view name);

}  // namespace salvo::load
