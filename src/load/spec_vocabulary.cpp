#include "load/spec_vocabulary.h"

#include <fmt/format.h>

#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "load/catalogue.h"

namespace salvo::load {

bool SpecVocabulary::is_reserved(const std::string& word) const {
  return word == "lock" || base::contains(tokens, word) || base::contains(ship_texts, word) ||
         base::contains(attack_texts, word) || base::contains(ship_values, word) ||
         base::contains(attack_values, word) || base::contains(lists, word) || is_fact(word);
}

SpecVocabulary::Names SpecVocabulary::reserved_words() const {
  Names words{"lock"};
  for (const Names* more : {&tokens, &ship_texts, &attack_texts, &lists, &ship_values, &attack_values}) {
    words.insert(words.end(), more->begin(), more->end());
  }
  for (const auto& [fact, meaning] : catalogue.facts()) words.push_back(fact);
  return words;
}

SpecVocabulary::Names SpecVocabulary::all_words() const {
  Names words = reserved_words();
  for (std::string& id : catalogue.upgrade_ids(cards)) words.push_back(std::move(id));
  return words;
}

SpecVocabulary make_vocabulary(const Catalogue& catalogue, const std::string& rules, const std::string& cards) {
  const Edition* edition = catalogue.edition(rules);
  if (edition == nullptr) {
    const std::vector<std::string> known = catalogue.edition_ids();
    data::fail("flags", "rules", 0,
               fmt::format("no edition {};{} the editions are {}", base::in_quotes(rules),
                           base::did_you_mean(rules, known), base::listed(known)));
  }
  const std::string set = catalogue.card_set(cards, rules);
  const std::vector<std::string>& sets = Catalogue::card_sets();
  if (!base::contains(sets, set)) {
    data::fail("flags", "cards", 0,
               fmt::format("no card set {};{} the card sets are {}", base::in_quotes(set),
                           base::did_you_mean(set, sets), base::listed(sets)));
  }
  SpecVocabulary words{catalogue, rules, set, {}};
  for (const TokenSpec& token : edition->tokens) words.tokens.push_back(token.id);
  return words;
}

}  // namespace salvo::load
