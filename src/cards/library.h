// The card library: which cards it has in a card set, and what they do, in words.
// In: a card set, and words or an id. Out: cards in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cards/words.h"

namespace salvo::cards {

/// Which cards are wanted.
struct CardFilter {
  std::optional<std::string> kind = {};  ///< upgrade, pilot, ship or condition
  std::vector<std::string> words = {};   ///< that must all occur in what is said of the card, whatever their case
  bool partly = false;                   ///< only cards that are partly modelled
};

/// The cards of the library, by kind and id; their files are told from the profiles folder on. Throws LoadError when a
/// file is broken.
std::vector<CardWords> list_cards(const Catalogue& catalogue, const std::string& card_set, const CardFilter& filter);

/// The cards with this id or name ("Fire-Control System"), of one kind or of all, also where the set has their text
/// under another id; of a name that several have, all of them. Throws LoadError, which says what there is, when the
/// library has none.
std::vector<CardWords> find_cards(const Catalogue& catalogue, const std::string& card_set,
                                  const std::optional<std::string>& kind, const std::string& text);

}  // namespace salvo::cards
