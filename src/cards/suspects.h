// Suspects: cards whose text mentions something that the library ignores. In: the cards of a data set with their
// texts, the library, the list of cards checked by hand (cards/checked.toml). Out: suspects, each with the
// words that made it one. No text of a card leaves this room.
#pragma once

#include <string>
#include <vector>

#include "load/card_data.h"
#include "load/catalogue.h"

namespace salvo::cards {

/// A card without a file that its set calls irrelevant, or a card whose file has nothing for one of its words.
struct Suspect {
  std::string kind, id;
  std::string file;                ///< in the profiles folder; empty without one
  std::vector<std::string> words;  ///< topics that its text mentions; with a file, one of them
  std::string why;                 ///< why the list calls its treatment right; empty: it is not in the list
};

/// An entry of the list that matches nothing.
struct StaleCheck {
  std::string kind, id;
  std::string of;   ///< "no effect", or a word
  std::string why;  ///< the reason that the list gives
};

struct Suspects {
  std::string card_set;
  std::size_t texts = 0;       ///< that have a text
  std::vector<Suspect> found;  ///< in the order of the data: by kind and id
  std::vector<StaleCheck> stale;
  std::size_t open() const;  ///< suspects that are not in the list
};

/// Throws LoadError for a broken card or list.
Suspects suspects(const Catalogue& catalogue, const load::CardData& data, const std::string& card_set);

}  // namespace salvo::cards
