#include "load/spec_ships.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/complete_module.h"
#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/catalogue.h"
#include "load/name_index.h"
#include "load/slot_rules.h"
#include "load/spec_words.h"

namespace salvo::load {
namespace {

#ifndef SALVO_FIRST_VISIT  // the first of two modules in WebAssembly leaves several ships to the complete one
constexpr std::size_t kMostWords = 6;

/// The pilot and the upgrades whose whole name a text begins with; empty: none.
struct FirstName {
  std::string pilot;
  std::vector<std::string> upgrades;
};

/// The ids of the cards of a kind that have the whole name.
std::vector<std::string> ids_of(const NameIndex& index, const char* kind, const std::string& name) {
  const NameMatch match = match_name(index, kind, name);
  std::vector<std::string> out;
  if (!match.whole) return out;
  if (!match.found.id.empty()) out.push_back(match.found.id);
  for (const Named& one : match.candidates) out.push_back(one.id);
  for (const NameEntry& one : index.of(kind)) {  // also the less usual ones
    if (one.key == base::name_key(name)) base::add_once(out, std::string(one.id));
  }
  return out;
}

/// The words without what may stand in front of a pilot: a number of ships, `pilot=`.
std::vector<std::string> without_front(std::vector<std::string> words) {
  constexpr std::string_view kPilot = "pilot=";
  const auto name = std::find_if(words.begin(), words.end(), [](const std::string& x) { return times_of(x) == 0; });
  words.erase(words.begin(), name);
  if (!words.empty() && base::lower_case(words.front()).starts_with(kPilot)) words.front().erase(0, kPilot.size());
  return words;
}

FirstName first_name(const SpecVocabulary& words, const std::string& text) {
  const NameIndex& index = words.catalogue.names(words.cards);
  std::vector<std::string> rest = without_front(join_times(split_spec(text)));
  for (std::size_t n = std::min(rest.size(), kMostWords); n > 0; --n) {
    const auto behind = rest.begin() + static_cast<std::ptrdiff_t>(n);
    const std::string name = base::joined({rest.begin(), behind}, " ");
    const std::vector<std::string> pilots = ids_of(index, "pilot", name);
    FirstName out{pilots.empty() ? "" : pilots.front(), ids_of(index, "upgrade", name)};
    if (!out.pilot.empty() || !out.upgrades.empty()) return out;
    if (ids_of(index, "ship", name).empty()) continue;
    rest.erase(rest.begin(), behind);
    n = std::min(rest.size(), kMostWords) + 1;
  }
  return {};
}

#endif

/// The places between which a text may be divided: its ends, and what separates names.
std::vector<std::pair<std::size_t, std::size_t>> parts_of(const std::string& text) {
  const std::string lower = base::lower_case(text);
  std::vector<std::pair<std::size_t, std::size_t>> out{{0, text.size()}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    const std::size_t width = text[i] == ',' ? 1 : lower.compare(i, 5, " and ") == 0 ? 5 : 0;
    if (width == 0 || quoted) continue;
    out.back().second = i;
    out.emplace_back(i + width, text.size());
  }
  return out;
}

}  // namespace

#ifdef SALVO_FIRST_VISIT
std::vector<GivenSpec> ships_of(const SpecVocabulary& /*words*/, const GivenSpec& spec,
                                std::vector<std::string>& /*notes*/) {
  if (parts_of(spec.text).size() > 1) throw base::CompleteModuleNeeded();
  return {spec};
}
#else
std::vector<GivenSpec> ships_of(const SpecVocabulary& words, const GivenSpec& spec, std::vector<std::string>& notes) {
  const auto parts = parts_of(spec.text);
  if (parts.size() == 1) return {spec};
  const SlotRules rules(words.catalogue, words.cards);
  std::vector<std::pair<std::size_t, std::size_t>> ships;
  std::string pilot, why;
  for (const auto& [begin, end] : parts) {
    const FirstName name = first_name(words, spec.text.substr(begin, end - begin));
    const bool equips = std::any_of(name.upgrades.begin(), name.upgrades.end(),
                                    [&](const std::string& one) { return rules.can_equip("", pilot, one, ""); });
    if (ships.empty() || (!pilot.empty() && !name.pilot.empty() && !equips)) {
      if (!ships.empty() && !name.upgrades.empty())
        why += fmt::format(", since {} cannot have the upgrade {}", pilot, name.upgrades.front());
      ships.emplace_back(begin, end);
      pilot = name.pilot;
    } else {
      ships.back().second = end;
      if (pilot.empty()) pilot = name.pilot;
    }
  }
  std::vector<GivenSpec> out;
  std::vector<std::string> texts;
  for (const auto& [begin, end] : ships) {
    out.push_back(
        {std::string(base::trimmed(std::string_view(spec.text).substr(begin, end - begin))), spec.place, spec.name});
    const std::string& text = out.back().text;
    texts.push_back(text.find('"') == std::string::npos ? base::in_quotes(text) : base::printable(text, 40));
  }
  if (out.size() > 1)
    notes.push_back(fmt::format("{}: read as {} SPECs, {}{}; | between them says so", spec.name, out.size(),
                                base::joined(texts, " and "), why));
  return out;
}
#endif

}  // namespace salvo::load
