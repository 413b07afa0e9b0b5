#include "load/spec_ships.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "load/catalogue.h"
#include "load/name_index.h"
#include "load/slot_rules.h"
#include "load/spec_words.h"

namespace salvo::load {
namespace {

constexpr std::size_t kMostWords = 6;

/// The pilot and the upgrade whose whole name a text begins with; empty: none.
struct FirstName {
  std::string pilot, upgrade;
};

FirstName first_name(const SpecVocabulary& words, const std::string& text) {
  const std::vector<std::string> split = split_spec(text);
  for (std::size_t n = std::min(split.size(), kMostWords); n > 0; --n) {
    const std::string name = base::joined({split.begin(), split.begin() + static_cast<std::ptrdiff_t>(n)}, " ");
    const NameIndex& index = words.catalogue.names(words.cards);
    const auto whole = [&](const char* kind) {
      const NameMatch match = match_name(index, kind, name);
      return !match.whole ? "" : match.found.id.empty() ? match.candidates.front().id : match.found.id;
    };
    if (FirstName out{whole("pilot"), whole("upgrade")}; !out.pilot.empty() || !out.upgrade.empty()) return out;
  }
  return {};
}

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

std::vector<GivenSpec> ships_of(const SpecVocabulary& words, const GivenSpec& spec, std::vector<std::string>& notes) {
  const auto parts = parts_of(spec.text);
  if (parts.size() == 1) return {spec};
  const SlotRules rules(words.catalogue, words.cards);
  std::vector<std::pair<std::size_t, std::size_t>> ships;
  std::string pilot;
  for (const auto& [begin, end] : parts) {
    const FirstName name = first_name(words, spec.text.substr(begin, end - begin));
    const bool equips = !name.upgrade.empty() && rules.can_equip("", pilot, name.upgrade, "");
    if (ships.empty() || (!pilot.empty() && !name.pilot.empty() && !equips)) {
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
    texts.push_back(base::in_quotes(out.back().text));
  }
  if (out.size() > 1)
    notes.push_back(fmt::format("{}: read as {} ships, {}; | between them says so", spec.name, out.size(),
                                base::joined(texts, " and ")));
  return out;
}

}  // namespace salvo::load
