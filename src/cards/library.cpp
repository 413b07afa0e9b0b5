#include "cards/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "load/card_file.h"
#include "load/catalogue.h"
#include "load/index_file.h"
#include "load/profile.h"
#include "salvo/names.h"

namespace salvo::cards {
namespace {

CardWords words_of(const Catalogue& catalogue, const load::CardPlace& place, const Vocabulary& vocabulary) {
  CardWords words = describe_card(load::read_card_file(catalogue.profiles(), place.path, catalogue.facts()), vocabulary,
                                  catalogue.counted_facts());
  words.file = place.path.lexically_relative(catalogue.root()).generic_string();
  return words;
}

/// Whether all words occur in the listing or the page of the card.
bool matches(const CardWords& card, const std::vector<std::string>& words) {
  std::string text = card.id + " " + card.kind + " " + card.summary();
  for (const auto& effect : card.effects) text += " " + effect.text;
  for (const auto& fact : card.facts) text += " " + fact.name + " " + fact.meaning;
  for (const auto* list : {&card.omits, &card.partly}) text += fmt::format(" {}", base::joined(*list, " "));
  text = base::lower_case(text);
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(base::lower_case(word)) != std::string::npos; });
}

/// Throws an error that says why there is no card: it has no file, or it is unknown.
[[noreturn]] void fail_unknown(const Catalogue& catalogue, const std::string& set,
                               const std::optional<std::string>& kind, const std::string& id,
                               const std::vector<load::CardPlace>& places) {
  const auto wanted = [&](const char* one) { return !kind || *kind == one; };
  for (const auto& [one, exists] : {std::pair("upgrade", catalogue.upgrade_exists(id, set)),
                                    std::pair("pilot", !catalogue.ships_of_pilot(id, set).empty())}) {
    if (!exists || !wanted(one)) continue;
    const std::optional<bool> matters = catalogue.relevant(one, id, set);
    const char* why = matters == false ? "no dice, tokens or damage depend on it"
                      : matters        ? "it is not modelled; see \"Add a card\" in CONTRIBUTING.md"
                                       : "it has no ability, or a new one; see \"Add a card\" in CONTRIBUTING.md";
    throw LoadError(fmt::format("the {} {} has no file: {}", one, id, why));
  }
  std::vector<std::string> names;
  for (const load::CardPlace& place : places) {
    if (wanted(place.kind.c_str())) names.push_back(place.id);
  }
  std::string near = base::nearest(id, names);
  if (near.empty()) {
    if (wanted("upgrade")) names = catalogue.upgrade_ids(set);
    if (wanted("pilot")) {
      for (std::string& pilot : catalogue.pilot_ids(set)) names.push_back(std::move(pilot));
    }
    near = base::nearest(id, names);
  }
  throw LoadError(
      fmt::format("no {} {} in the card set {}{}", kind.value_or("card"), base::in_quotes(id), set,
                  near.empty() ? "; salvo cards list shows all cards" : fmt::format("; did you mean {}?", near)));
}

/// Kinds and ids ("pilot/fennrau") under which the library may have the card: its own, and those of cards with the same
/// text in this set.
std::set<std::string> library_names(const Catalogue& catalogue, const std::string& card_set,
                                    const std::optional<std::string>& kind, const std::string& id) {
  std::set<std::string> out;
  const load::CardSet* set = load::card_set(card_set);
  for (const std::string& one : kind ? std::vector<std::string>{*kind} : load::card_kinds()) {
    const std::string name = one + "/" + id;
    out.insert(name);
    if (set == nullptr) continue;
    for (const std::string_view other : catalogue.same_cards(*set).of(name)) out.emplace(other);
  }
  return out;
}

/// The ids that a text means: itself if it is an id, else all ids with that name among the wanted kinds. A text that is
/// neither is returned unchanged.
std::set<std::string> ids_of(const Catalogue& catalogue, const std::string& card_set,
                             const std::optional<std::string>& kind, const std::string& text) {
  std::set<std::string> out;
  for (const char* one : {"upgrade", "pilot", "ship"}) {
    if (kind && *kind != one) continue;
    const NameMatch match = find_name(catalogue, one, text, card_set);
    if (!match.whole) continue;
    if (match.kind == NameMatchKind::Ambiguous) {
      for (const Named& named : match.candidates) out.insert(named.id);
    } else {
      out.insert(match.found.id);
    }
  }
  if (out.empty()) out.insert(text);
  return out;
}

/// The cards with one of these ids, each once.
std::vector<CardWords> cards_with(const Catalogue& catalogue, const std::string& card_set,
                                  const std::optional<std::string>& kind, const std::set<std::string>& ids,
                                  const std::vector<load::CardPlace>& places) {
  std::set<std::string> names;
  for (const std::string& id : ids) names.merge(library_names(catalogue, card_set, kind, id));
  const Vocabulary vocabulary = vocabulary_of(catalogue, card_set);
  std::vector<CardWords> out;
  for (const load::CardPlace& place : places) {
    if (names.contains(place.kind + "/" + place.id)) out.push_back(words_of(catalogue, place, vocabulary));
  }
  return out;
}

}  // namespace

std::vector<CardWords> list_cards(const Catalogue& catalogue, const std::string& card_set, const CardFilter& filter) {
  const Vocabulary vocabulary = vocabulary_of(catalogue, card_set);
  std::vector<CardWords> out;
  for (const load::CardPlace& place : load::library_cards(catalogue.profiles(), card_set)) {
    if (filter.kind && place.kind != *filter.kind) continue;
    CardWords words = words_of(catalogue, place, vocabulary);
    if (filter.partly && words.partly.empty()) continue;
    if (matches(words, filter.words)) out.push_back(std::move(words));
  }
  return out;
}

std::vector<CardWords> find_cards(const Catalogue& catalogue, const std::string& card_set,
                                  const std::optional<std::string>& kind, const std::string& text) {
  const std::vector<load::CardPlace> places = load::library_cards(catalogue.profiles(), card_set);
  std::vector<CardWords> out = cards_with(catalogue, card_set, kind, {text}, places);
  if (!out.empty()) return out;
  const std::set<std::string> ids = ids_of(catalogue, card_set, kind, text);
  out = cards_with(catalogue, card_set, kind, ids, places);
  if (out.empty()) fail_unknown(catalogue, card_set, kind, *ids.begin(), places);
  return out;
}

}  // namespace salvo::cards
