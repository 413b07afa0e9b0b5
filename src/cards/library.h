// The card library: the cards of a card set, and what they do, in words. In: a card set, and words or an id. Out: cards
// in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cards/words.h"

namespace salvo::cards {

/// Which cards list_cards() returns; all of them by default.
struct CardFilter {
  std::optional<std::string> kind = {};  ///< upgrade, pilot, ship or condition
  std::vector<std::string> words = {};   ///< that must all occur in the description of the card, in any case
  bool partly = false;                   ///< only cards that are partly modelled
};

/// The cards of the library, by kind and id; their file names are relative to the profiles folder. Throws LoadError for
/// a broken file.
std::vector<CardWords> list_cards(const Catalogue& catalogue, const std::string& card_set, const CardFilter& filter);

/// The cards with this id or name ("Fire-Control System"), of one kind or all. Includes cards whose text the set has
/// under another id, and all cards that share the name. Throws LoadError with suggestions if there is none.
std::vector<CardWords> find_cards(const Catalogue& catalogue, const std::string& card_set,
                                  const std::optional<std::string>& kind, const std::string& text);

}  // namespace salvo::cards
