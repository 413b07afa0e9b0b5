#include "load/spec_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "data/message.h"
#include "load/catalogue.h"
#include "load/name_index.h"
#include "load/spec_words.h"
#include "load/synonyms.h"

namespace salvo::load {
namespace {

/// Where to write a card that is neither a pilot nor an upgrade.
std::string remedy_of_card(const SpecVocabulary& words, const std::string& text) {
  const std::string key = base::name_key(text);
  for (const std::string& id : words.catalogue.deck_ids(words.rules)) {
    for (const DamageCardSpec& card : words.catalogue.deck(id, words.rules)->cards)
      if (base::name_key(card.card.id) == key)
        return fmt::format(" it is a damage card; write faceup={}", card.card.id);
  }
  for (const std::string& id : words.catalogue.condition_ids(words.cards)) {
    if (base::name_key(id) == key)
      return fmt::format(" it is a condition; write conditions = [\"{}\"] in a scenario file", id);
  }
  return {};
}

}  // namespace

void SpecDraft::add_upgrade(const std::string& id, const std::string& given, bool guessed) {
  upgrades.items.push_back(data::Value::of(id));
  given_upgrades.push_back({given, guessed});
}

void SpecDraft::fail(const std::string& why) const { throw data::error_at(spec.place, why); }

void SpecDraft::fail_word(std::string_view word, const std::string& why) const {
  fail(base::in_quotes(word) + " " + why);
}

std::string SpecDraft::token_meant_by(const std::string& word) const {
  const std::string token(token_of(word));
  return token != word && base::contains(words.tokens, token) ? token : "";
}

bool SpecDraft::is_other_token(const std::string& word) const {
  const std::string token(token_of(word));
  return !token.empty() && !base::contains(words.tokens, token);
}

std::string SpecDraft::remedy_of_chance(const std::string& word) const {
  if (!word.ends_with('%') || !is_number(word.substr(0, word.size() - 1))) return {};
  const std::string key = words.is_reserved(before) ? before : "focus";
  return fmt::format(" write {}={} without a blank", key, word);
}

std::string SpecDraft::remedy_of_number(const std::string& word) const {
  const int spoken = number_word(word);
  const auto [what, number] = spoken > 0 ? std::pair(base::lower_case(after), spoken) : counted_words(word);
  if (number == 0) return {};
  constexpr int kLongestRange = 3;
  if (what == "r" || what == "range")
    return single_attack() && number <= kLongestRange ? fmt::format(" write range={}", number) : std::string();
  const std::string token(base::contains(words.tokens, what) ? what : token_of(what));
  return base::contains(words.tokens, token) ? fmt::format(" write {}={}", token, number)
                                             : remedy(WordContext::Spec, what);
}

std::string SpecDraft::remedy_of(const std::string& word) const {
  if (std::string number = remedy_of_number(word); !number.empty()) return number;
  if (std::string chance = remedy_of_chance(word); !chance.empty()) return chance;
  for (const std::string& text : {word + after, word}) {
    if (std::string known = remedy(WordContext::Spec, text); !known.empty()) return known;
    if (std::string card = remedy_of_card(words, text); !card.empty()) return card;
  }
  const std::string token = token_meant_by(word);
  return token.empty() ? token : fmt::format(" write {}", token);
}

std::string SpecDraft::remedy_of_slash(const std::string& word) const {
  const auto parts = base::split(word, '/');
  const bool known =
      std::all_of(parts.begin(), parts.end(), [&](std::string_view one) { return words.knows(base::lower_case(one)); });
  return known ? " between words write a blank" : " between ships write / with blanks around it, or |";
}

void SpecDraft::fail_unknown(const std::string& word) const {
  if (times_of(word, word.size()) > 0) fail_word(word, "is too many ships or attacks; write x2 to x99");
  if (is_other_token(word)) {
    std::string edition = words.rules;
    std::replace(edition.begin(), edition.end(), '-', ' ');
    fail_word(word, fmt::format("is of other editions: the {} has no such token; leave it out", edition));
  }
  std::string near = remedy_of(word);
  if (near.empty() && word.find('/') != std::string::npos) near = remedy_of_slash(word);
  if (const int many = number_word(word); near.empty() && many > 0 && role != Role::Defender)
    near = fmt::format(" write x{} for {} equal ships", many, base::lower_case(word));
  if (near.empty()) near = base::did_you_mean(word, words.all_words());
  constexpr std::size_t kShortestName = 4;
  for (const std::string& name : {words.knows(after) ? word : word + after, word}) {
    if (near.empty() && word.size() >= kShortestName) near = did_you_mean_card(words.catalogue, name, words.cards);
  }
  const char* const keys = single_attack()           ? "weapon=, range=, obstructed"
                           : role == Role::Bystander ? "agility="
                                                     : "attack=, agility=, initiative=, points=";
  if (near.empty()) {
    near = fmt::format(" the tokens are {}{}; the keys are hull=, shields=, size=, ship=, pilot=, {}",
                       single_attack() ? "lock, " : "", base::listed(words.tokens), keys);
  }
  fail_word(word, "is not a token, key, fact or upgrade;" + near);
}

}  // namespace salvo::load
