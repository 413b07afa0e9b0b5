#include "cards/coverage.h"

#include <algorithm>

namespace salvo::cards {
namespace {

/// What a card without effects does.
std::string only_of(const load::CardSpec& card) {
  if (!card.effects.empty() || (card.tokens.empty() && !card.weapon)) return {};
  return card.tokens.empty() ? "weapon" : card.weapon ? "tokens, weapon" : "tokens";
}

}  // namespace

const std::array<std::string, kStates>& state_names() {
  static const std::array<std::string, kStates> names{"modelled", "partly", "not", "irrelevant", "unclassified"};
  return names;
}

std::size_t Coverage::count(const std::string& kind, State state) const {
  return static_cast<std::size_t>(std::count_if(cards.begin(), cards.end(), [&](const CoveredCard& card) {
    return card.state == state && (kind.empty() || card.kind == kind);
  }));
}

std::size_t Coverage::relevant(const std::string& kind) const {
  return count(kind, State::Modelled) + count(kind, State::Partly) + count(kind, State::Missing);
}

std::string set_of_data(const Catalogue& catalogue, const load::CardData& data) {
  if (data.first_edition) return "first-edition";
  std::string out;
  std::size_t least = 0;
  for (const char* set : {"2025", "xwa", "legacy"}) {
    const std::size_t unknown = cover(catalogue, data, set).count("", State::Unclassified);
    if (!out.empty() && unknown >= least) continue;
    out = set;
    least = unknown;
  }
  return out;
}

bool plays(const load::CardSpec& card) {
  return !card.effects.empty() || card.weapon || !card.tokens.empty() || card.locks > 1;
}

std::vector<load::DataCard> library_cards(const Catalogue& catalogue, const load::CardData& data,
                                          const std::string& card_set, const load::Relevance& relevance) {
  std::vector<load::DataCard> out;
  for (load::DataCard card : data.cards) {
    const auto known = std::find_if(card.narrower.begin(), card.narrower.end(), [&](const std::string& id) {
      return catalogue.card(card.kind, id, card_set) != nullptr || relevance.contains({card.kind, id});
    });
    if (known != card.narrower.end()) card.id = *known;
    const auto same = std::find_if(out.begin(), out.end(), [&](const load::DataCard& other) {
      return other.kind == card.kind && other.id == card.id;
    });
    if (same == out.end()) {
      out.push_back(std::move(card));
    } else {
      same->texts.insert(same->texts.end(), card.texts.begin(), card.texts.end());
    }
  }
  return out;
}

Coverage cover(const Catalogue& catalogue, const load::CardData& data, const std::string& card_set) {
  const load::Relevance relevance = load::read_relevance(catalogue, card_set);
  Coverage out{card_set, {}};
  for (const load::DataCard& card : library_cards(catalogue, data, card_set, relevance)) {
    CoveredCard covered{card.kind, card.id, State::Unclassified, {}, {}};
    const auto known = relevance.find({card.kind, card.id});
    if (const load::CardSpec* spec = catalogue.card(card.kind, card.id, card_set)) {
      covered.state = spec->partly.empty() ? State::Modelled : plays(*spec) ? State::Partly : State::Missing;
      covered.partly = spec->partly;
      covered.only = only_of(*spec);
    } else if (!card.ability) {
      covered.state = State::Irrelevant;
    } else if (known != relevance.end()) {
      covered.state = known->second ? State::Missing : State::Irrelevant;
    }
    out.cards.push_back(std::move(covered));
  }
  return out;
}

}  // namespace salvo::cards
