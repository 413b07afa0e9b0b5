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
#include "load/namesakes.h"
#include "load/pilot_stats.h"
#include "load/slot_rules.h"
#include "load/spec_words.h"

namespace salvo::load {
namespace {

#ifndef SALVO_FIRST_VISIT  // the first of two modules in WebAssembly leaves several ships to the complete one
constexpr std::size_t kMostWords = 6;

/// The pilots and upgrades whose whole name a text begins with; empty: none.
struct FirstName {
  std::vector<std::string> pilots, upgrades;
  bool many = false;  ///< a number precedes the name

  std::string pilot() const { return pilots.empty() ? "" : pilots.front(); }
};

/// The ids of the cards of a kind that have the whole name.
std::vector<std::string> ids_of(const NameIndex& index, const char* kind, const std::string& name) {
  const NameMatch match = match_plural(index, kind, name);
  std::vector<std::string> out;
  if (!match.whole) return out;
  if (!match.found.id.empty()) out.push_back(match.found.id);
  for (const Named& one : match.candidates) out.push_back(one.id);
  for (const NameEntry& one : index.of(kind)) {  // also the less usual ones
    if (one.key == base::name_key(name)) base::add_once(out, std::string(one.id));
  }
  return out;
}

/// The words without what may precede a pilot: a number of ships, `pilot=`.
std::vector<std::string> without_front(std::vector<std::string> words) {
  constexpr std::string_view kPilot = "pilot=";
  const auto name = std::find_if(words.begin(), words.end(), [](const std::string& x) { return times_of(x) == 0; });
  words.erase(words.begin(), name);
  if (!words.empty() && base::lower_case(words.front()).starts_with(kPilot)) words.front().erase(0, kPilot.size());
  return words;
}

FirstName first_name(const NameIndex& index, std::vector<std::string> rest) {
  for (std::size_t n = std::min(rest.size(), kMostWords); n > 0; --n) {
    const auto behind = rest.begin() + static_cast<std::ptrdiff_t>(n);
    const std::string name = base::joined({rest.begin(), behind}, " ");
    FirstName out{ids_of(index, "pilot", name), ids_of(index, "upgrade", name)};
    if (!out.pilots.empty() || !out.upgrades.empty()) return out;
    if (ids_of(index, "ship", name).empty()) continue;
    rest.erase(rest.begin(), behind);
    n = std::min(rest.size(), kMostWords) + 1;
  }
  return {};
}

/// The first name of a part of a text, after the number of its ships: "x2", "three".
FirstName first_name(const SpecVocabulary& words, const std::string& part) {
  const NameIndex& index = words.catalogue.names(words.cards);
  const std::vector<std::string> all = join_times(split_spec(part));
  std::vector<std::string> rest = without_front(all);
  FirstName out = first_name(index, rest);
  out.many = !all.empty() && times_of(base::lower_case(all.front())) > 1;
  const bool counts = !rest.empty() && (number_word(rest.front()) > 0 || is_number(rest.front()));
  if (!out.pilots.empty() || !out.upgrades.empty() || !counts) return out;
  const int number = std::max(number_word(rest.front()), base::whole_number(rest.front()).value_or(0));
  rest.erase(rest.begin());
  out = first_name(index, std::move(rest));
  out.many = number > 1;
  return out;
}

/// The same, or the only pilot whose name contains the whole part, unless an upgrade's name contains it too.
FirstName name_of_part(const SpecVocabulary& words, const std::string& part) {
  FirstName out = first_name(words, part);
  if (!out.pilots.empty() || !out.upgrades.empty()) return out;
  const NameIndex& index = words.catalogue.names(words.cards);
  const NameMatch pilot = match_name(index, "pilot", part), upgrade = match_name(index, "upgrade", part);
  if (pilot.kind == NameMatchKind::Likely && upgrade.kind == NameMatchKind::Unknown)
    out.pilots.push_back(pilot.found.id);
  return out;
}

/// Whether a squad has the pilot of that id once at most.
bool is_unique(const SpecVocabulary& words, const std::string& pilot) {
  const std::vector<std::string> ships = words.catalogue.ships_of_pilot(pilot, words.cards);
  return std::any_of(ships.begin(), ships.end(), [&](const std::string& ship) {
    const PilotSpec* const found = find_pilot(*words.catalogue.ship(ship, words.cards), pilot);
    return found != nullptr && is_unique(*found);
  });
}

/// The factions of pilots.
std::vector<std::string> factions_of(const SpecVocabulary& words, const std::vector<std::string>& pilots) {
  std::vector<std::string> out;
  for (const std::string& id : pilots) {
    for (const std::string& ship : words.catalogue.ships_of_pilot(id, words.cards)) {
      const PilotSpec* const pilot = find_pilot(*words.catalogue.ship(ship, words.cards), id);
      if (pilot != nullptr) base::add_once(out, pilot->faction);
    }
  }
  return out;
}

#endif

/// The places between which a text may be divided: its ends, and what separates names.
std::vector<std::pair<std::size_t, std::size_t>> parts_of(const std::string& text) {
  const std::string lower = base::lower_case(text);
  std::vector<std::pair<std::size_t, std::size_t>> out{{0, text.size()}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    std::size_t width = text[i] == ',' ? 1 : 0;
    for (const std::string_view word : kAndWords) {
      if (lower.compare(i, word.size() + 2, fmt::format(" {} ", word)) == 0) width = word.size() + 2;
    }
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
  check_length(spec);
  const auto parts = parts_of(spec.text);
  if (parts.size() == 1) return {spec};
  const SlotRules rules(words.catalogue, words.cards);
  std::vector<std::pair<std::size_t, std::size_t>> ships;
  std::vector<FirstName> names;
  std::vector<ListedName> listed;
  for (const auto& [begin, end] : parts) {
    names.push_back(name_of_part(words, spec.text.substr(begin, end - begin)));
    listed.push_back({factions_of(words, names.back().pilots), !names.back().upgrades.empty()});
  }
  const bool all_pilots = are_pilots(listed);
  std::string pilot, why;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FirstName& name = names[i];
    const bool equips = !all_pilots && std::any_of(name.upgrades.begin(), name.upgrades.end(), [&](const auto& one) {
      return rules.can_equip("", pilot, one, "");
    });
    // "4 TIE Fighters and Howlrunner" are not four of her.
    const bool alone = i > 0 && pilot.empty() && names[i - 1].many && is_unique(words, name.pilot());
    if (ships.empty() || (!pilot.empty() && !name.pilots.empty() && !equips) || alone) {
      if (!ships.empty() && !name.upgrades.empty() && !all_pilots)
        why += fmt::format(", since {} cannot have the upgrade {}", pilot, name.upgrades.front());
      ships.push_back(parts[i]);
      pilot = name.pilot();
    } else {
      ships.back().second = parts[i].second;
      if (pilot.empty()) pilot = name.pilot();
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
