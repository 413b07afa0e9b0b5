// Coverage: which cards of a data set the library models. In: the cards of a data set, the library, the list of cards
// that can change an attack. Out: a state for each card.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "load/card_data.h"
#include "load/catalogue.h"

namespace salvo::cards {

enum class State { Modelled, Partly, Missing, Irrelevant, Unclassified };
inline constexpr std::size_t kStates = 5;

/// "modelled", "partly", "not", "irrelevant", "unclassified".
const std::array<std::string, kStates>& state_names();

struct CoveredCard {
  std::string kind, id;
  State state = State::Unclassified;
  std::vector<std::string> partly;  ///< what is left out
  std::string only;                 ///< all that it does: "tokens", "weapon" or "tokens, weapon"; empty: it has effects
};

struct Coverage {
  std::string card_set;
  std::vector<CoveredCard> cards;  ///< by kind and id
  /// Cards of a kind (empty: all kinds) in a state.
  std::size_t count(const std::string& kind, State state) const;
  std::size_t relevant(const std::string& kind) const;  ///< modelled, partly and missing
};

/// The card set that the data belong to. Data of the second edition belong to the set with the fewest unclassified
/// cards; among equals 2025 wins over the sets based on it. First-edition data have a layout of their own.
std::string set_of_data(const Catalogue& catalogue, const load::CardData& data);

/// Whether anything of the card is played.
bool plays(const load::CardSpec& card);

/// The cards of a data set under the ids of the library, each once: cards that share an id in first-edition data have
/// one by their ship or faction where the library distinguishes them.
std::vector<load::DataCard> library_cards(const Catalogue& catalogue, const load::CardData& data,
                                          const std::string& card_set, const load::Relevance& relevance);

/// `card_set`: "xwa", "2025", "legacy" or "first-edition". A card with a file in the library is modelled, or partly
/// modelled. A card without a file is missing, irrelevant or unclassified according to cards/relevant.tsv. A pilot
/// without an ability is irrelevant. Throws LoadError for a broken card or list.
Coverage cover(const Catalogue& catalogue, const load::CardData& data, const std::string& card_set);

}  // namespace salvo::cards
