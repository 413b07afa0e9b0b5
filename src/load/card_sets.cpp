// The table of card sets.
#include <algorithm>
#include <array>
#include <utility>

#include "load/profile.h"

namespace salvo {

namespace {

using load::CardSet;

constexpr std::array<std::pair<std::string_view, CardSet>, 5> kSets{{
    {"xwa", {"xwa", "xwa", "xwa-known-upgrades.tsv", "2025", true}},
    {"2025", {"", "", "known-upgrades.tsv", ""}},
    {"legacy", {"legacy", "legacy", "legacy-known-upgrades.tsv", "2025"}},
    {"first-edition", {"first-edition", "first-edition", "first-edition-known-upgrades.tsv", ""}},
    {"first-edition-4.2.3",
     {"first-edition", "first-edition/faq-4.2.3", "first-edition-known-upgrades.tsv", "first-edition"}},
}};

/// The card set of an edition that names none, such as a user's own.
constexpr const char* kDefaultSet = "2025";

}  // namespace

const CardSet* load::card_set(std::string_view name) {
  const auto at = std::find_if(kSets.begin(), kSets.end(), [&](const auto& set) { return set.first == name; });
  return at == kSets.end() ? nullptr : &at->second;
}

bool load::is_first_edition(std::string_view card_set) { return card_set.starts_with("first-edition"); }

bool load::is_extra_copy(std::string_view card_set, std::ptrdiff_t copies) {
  return copies > 1 && !is_first_edition(card_set);
}

std::string load::card_set_of_ruleset(std::string_view ruleset) {
  return ruleset == "2.0" ? "legacy" : ruleset == "XWA" ? "xwa" : ruleset == "2.5" ? "2025" : "first-edition";
}

const std::vector<std::string>& Catalogue::card_sets() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const auto& set : kSets) out.emplace_back(set.first);
    return out;
  }();
  return names;
}

std::string Catalogue::card_set(std::string_view cards, std::string_view rules) const {
  if (!cards.empty()) return std::string(cards);
  const load::Edition* of = edition(rules);
  return of == nullptr || of->card_sets.empty() ? kDefaultSet : of->card_sets.front();
}

}  // namespace salvo
