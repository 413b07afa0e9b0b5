#include "report/provenance.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/text.h"

namespace salvo::report {

void write_head(JsonWriter& json, const Provenance& from) {
  json.member("format", 1);
  json.member("rules", from.rules);
  write_card_set(json, from);
  json.member("objective", from.objective);
  write_policy(json, from);
}

void write_card_set(JsonWriter& json, const Provenance& from) {
  if (from.cards.empty()) return;
  json.member("cards", from.cards);
  json.member("cards_date", from.cards_date);
}

void write_policy(JsonWriter& json, const Provenance& from) {
  json.object("policy", [&] {
    json.member("attacker", from.attacker_policy);
    json.member("defender", from.defender_policy);
  });
}

void write_caveats(JsonWriter& json, const Provenance& from) {
  json.member("assumed_facts", from.assumed_facts);
  json.member("unmodelled", from.unmodelled);
  json.member("partly", from.partly);
  if (!from.no_effect.empty()) json.member("no_effect", from.no_effect);
  if (!from.notes.empty()) json.member("notes", from.notes);
}

std::vector<std::pair<const char*, std::string>> caveats(const Caveats& from) {
  constexpr std::array kNames = {"assumed_fact", "unmodelled", "no_effect", "partly", "note"};
  std::vector<std::pair<const char*, std::string>> out;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    for (const std::string& item : from.*kCaveatLists[i]) out.emplace_back(kNames[i], item);
  }
  return out;
}

void write_caveats(Page& page, const Caveats& from, const char* facts) {
  const auto list = [&](const char* key, const std::vector<std::string>& items, Style style) {
    if (!items.empty()) page.entry(key, base::joined(items, ", "), style);
  };
  list(facts, from.assumed_facts, Style::Plain);
  list("not modelled", from.unmodelled, Style::Bad);
  list("no effect on dice", from.no_effect, Style::Plain);
  for (const std::string& item : from.partly) page.entry("partly", item, Style::Bad);
  for (const std::string& item : from.notes) page.entry("note", item);
}

std::string rules_words(const Provenance& from) {
  return from.cards.empty() ? from.rules : fmt::format("{}, cards {} of {}", from.rules, from.cards, from.cards_date);
}

void write_provenance(Page& page, const Provenance& from) {
  page.entry("policy", fmt::format("attacker {}, defender {}", from.attacker_policy, from.defender_policy));
  page.entry("rules", rules_words(from));
  write_caveats(page, from);
}

void append_provenance(Page& page, const Provenance& from) {
  page.blank();
  write_provenance(page, from);
}

std::string objective_words(const Provenance& from) {
  static constexpr std::array<std::array<std::string_view, 2>, 4> kWords = {{
      {"damage", "expected damage"},
      {"kill", "expected ships destroyed"},
      {"health", "expected hull and shields removed"},
      {"exchange", "expected share of hull and shields removed"},
  }};
  for (const auto& [id, meaning] : kWords) {
    if (id == from.objective) return std::string(meaning);
  }
  return from.objective;
}

}  // namespace salvo::report
