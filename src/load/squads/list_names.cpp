#include "load/squads/list_names.h"

#include <algorithm>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/pilot_stats.h"
#include "load/squads/list_lines.h"
#include "load/squads/squad_ids.h"

namespace salvo::load {
namespace {

/// Removes what fails the test, unless all does.
template <typename T, typename Test>
void keep_any(std::vector<T>& list, Test test) {
  if (std::any_of(list.begin(), list.end(), test)) std::erase_if(list, [&](const T& one) { return !test(one); });
}

/// "ptl" of "Push the Limit".
std::string initials_of(const NameEntry& entry) {
  std::string out;
  for (const std::string& word : base::words_between(entry.words, " ")) out += word[0];
  return out;
}

}  // namespace

std::pair<std::string, std::string> without_hint(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || open == 0 || !text.ends_with(')')) return {text, ""};
  return {std::string(base::trimmed(std::string_view(text).substr(0, open), kAroundNames)), text.substr(open)};
}

/// The entries with this name, or the one that it is a nickname or an id of.
const ListNames::Upgrades& ListNames::whole(const char* kind, const std::string& text) const {
  const auto known = found_.find({kind, text});
  return known != found_.end() ? known->second
                               : found_.emplace(std::pair(kind, text), look_up(kind, text)).first->second;
}

ListNames::Upgrades ListNames::look_up(const char* kind, const std::string& text) const {
  std::vector<const NameEntry*> out;
  const std::string key = base::name_key(text);
  for (const NameEntry& entry : index_.of(kind)) {
    if (entry.key == key) out.push_back(&entry);
  }
  if (!out.empty()) return out;
  const NameMatch match = match_name(index_, kind, text);
  if (!match.whole) return translated(kind, key);
  if (match.kind != NameMatchKind::Ambiguous) return {index_.find(kind, match.found.id)};
  for (const Named& one : match.candidates) out.push_back(index_.find(kind, one.id));
  return out;
}

/// The entries that have this name in another language.
ListNames::Upgrades ListNames::translated(const char* kind, const std::string& key) const {
  Upgrades out;
  if (key.empty()) return out;
  for (const std::string_view id : translations_.of(key)) {
    if (const NameEntry* const entry = index_.find(kind, id); entry != nullptr) out.push_back(entry);
  }
  return out;
}

ListNames::Upgrades ListNames::known(const char* kind, const std::string& text) const {
  std::vector<const NameEntry*> out = whole(kind, text);
  const auto [bare, hint] = without_hint(text);
  // A ship behind the name may make the words an id, and yet means all pilots of that name who fly it.
  if (hint.empty() || (!out.empty() && !is_ship_anywhere(hint))) return out;
  if (const Upgrades& plain = whole(kind, bare); !plain.empty()) out = plain;
  const auto hinted = [&, words = hint](const NameEntry* one) {
    return has_slot(*one, words) || is_variant(*one, words) || may_be_of_faction(*one, words) ||
           std::any_of(one->ships.begin(), one->ships.end(),
                       [&](std::string_view ship) { return fit(words, ship) != ShipFit::None; });
  };
  keep_any(out, hinted);
  return out;
}

bool ListNames::has_slot(const NameEntry& upgrade, const std::string& words) const {
  const auto cost = upgrade_cost(upgrade);
  const std::string key = base::name_key(words);
  return cost && !key.empty() && std::any_of(cost->slots.begin(), cost->slots.end(), [&](const std::string& one) {
           const std::string own = base::name_key(one);
           return key.starts_with(own) || own.starts_with(key);
         });
}

/// Whether the words name factions, as in "(Republic/Separatist)", and the upgrade may be of one of them.
bool ListNames::may_be_of_faction(const NameEntry& upgrade, const std::string& words) const {
  const std::string restriction = slots_.restriction(std::string(upgrade.id));
  const bool any = restriction.find("faction=") == std::string::npos;
  const auto factions = base::split(words, '/');
  return std::any_of(factions.begin(), factions.end(), [&](std::string_view one) {
    const std::string faction = faction_of(one);
    return !faction.empty() && (any || restriction.find("faction=" + faction) != std::string::npos);
  });
}

std::vector<PilotChoice> ListNames::pilots(const std::string& text) const {
  const auto [bare, hint] = without_hint(text);
  if (faction_of(hint).empty()) return pilots_named(text);
  std::vector<PilotChoice> all = pilots_named(bare);
  keep_any(all, [&, words = hint](const PilotChoice& one) { return fits_hint(one, words); });
  return all;
}

std::vector<PilotChoice> ListNames::pilots_named(const std::string& text) const {
  std::vector<PilotChoice> out;
  for (const NameEntry* entry : known("pilot", text)) {
    for (const std::string_view ship : entry->ships) {
      const ShipSpec* const spec = catalogue_.ship(ship, cards_);
      const PilotSpec* const pilot = spec == nullptr ? nullptr : find_pilot(*spec, entry->id);
      if (pilot != nullptr) out.push_back({entry, std::string(ship), pilot});
    }
  }
  const std::string hint = without_hint(text).second;
  keep_any(out, [&](const PilotChoice& one) { return fits_hint(one, hint); });
  return out;
}

bool ListNames::fits_hint(const PilotChoice& pilot, const std::string& words) const {
  const std::string hint = base::name_key(words), skill = std::to_string(pilot.spec->initiative);
  const std::string& faction = pilot.spec->faction;
  return hint.empty() || hint.starts_with("ps" + skill) || hint.starts_with("i" + skill) ||
         fit(words, pilot.ship) != ShipFit::None || is_variant(*pilot.entry, words) ||
         side_of(faction, cards_) == faction_of(words) ||
         (hint.size() >= 4 && faction.find(hint.substr(0, 4)) != std::string::npos);
}

ShipFit ListNames::fit(const std::string& text, std::string_view ship) const {
  const ShipFit out = fit_of_ship(index_, text, ship);
  if (out != ShipFit::None) return out;
  const Upgrades named = translated("ship", base::name_key(text));
  return std::any_of(named.begin(), named.end(), [&](const NameEntry* one) { return one->id == ship; }) ? ShipFit::Name
                                                                                                        : ShipFit::None;
}

std::vector<std::string> ListNames::ships_named(const std::string& text) const {
  std::vector<std::string> out;
  for (const NameEntry* one : whole("ship", text)) out.emplace_back(one->id);
  return out;
}

bool ListNames::is_ship_anywhere(const std::string& text) const {
  if (base::name_key(text).empty()) return false;
  if (!ships_named(text).empty()) return true;
  const auto& sets = Catalogue::card_sets();
  return std::any_of(sets.begin(), sets.end(),
                     [&](const std::string& set) { return match_name(catalogue_.names(set), "ship", text).whole; });
}

std::string ListNames::ship_id(const std::string& text, const std::vector<PilotChoice>& pilots) const {
  const auto found = whole("ship", text);
  if (found.size() == 1) return std::string(found[0]->id);
  const NameMatch match = match_name(index_, "ship", text);
  if (pilots.empty() || match.kind == NameMatchKind::Unknown) return {};
  std::vector<Named> named = match.candidates;
  if (named.empty()) named.push_back(match.found);
  for (const PilotChoice& one : pilots) {
    if (std::any_of(named.begin(), named.end(), [&](const Named& x) { return x.id == one.ship; })) return one.ship;
  }
  return {};
}

bool ListNames::is_name(const std::string& text) const {
  const std::string key = base::name_key(text);
  const auto same = [&](const NameEntry& entry) { return entry.key == key; };
  const auto &pilots = index_.of("pilot"), &upgrades = index_.of("upgrade");
  return std::any_of(pilots.begin(), pilots.end(), same) || std::any_of(upgrades.begin(), upgrades.end(), same);
}

const NameEntry* ListNames::guess(const char* kind, const std::string& text) const {
  const std::string bare = without_hint(text).first;
  const std::string words = base::lower_case(bare).starts_with("lt. ") ? "Lieutenant " + bare.substr(4) : bare;
  const auto [known, is_new] = guesses_.try_emplace({kind, words}, nullptr);
  if (is_new) known->second = search(kind, words);
  return known->second;
}

const NameEntry* ListNames::search(const char* kind, const std::string& words) const {
  constexpr std::size_t kMostSimilar = 50;  // finding similar names takes long
  const NameMatch match =
      guesses_.size() > kMostSimilar ? match_name(index_, kind, words) : find_name(catalogue_, kind, words, cards_);
  if (match.kind == NameMatchKind::Likely || match.kind == NameMatchKind::Exact)
    return index_.find(kind, match.found.id);
  constexpr std::size_t kShortest = 4;  // what is like a shorter name is another abbreviation
  const bool near = match.kind == NameMatchKind::Unknown && !match.candidates.empty() &&
                    base::name_key(words).size() >= kShortest &&
                    std::all_of(match.candidates.begin(), match.candidates.end(), [&](const Named& one) {
                      return base::name_key(one.name) == base::name_key(match.candidates[0].name);
                    });
  return near ? index_.find(kind, match.candidates[0].id) : nullptr;
}

ListNames::Upgrades ListNames::with_part(const std::string& text) const {
  Upgrades out;
  for (const Named& one : match_name(index_, "upgrade", text).candidates) out.push_back(index_.find("upgrade", one.id));
  return out;
}

ListNames::Upgrades ListNames::with_initials(const std::string& text) const {
  constexpr std::size_t kFewest = 2, kMost = 5;
  const bool initials = text.size() >= kFewest && text.size() <= kMost &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!initials) return {};
  Upgrades out;
  const std::string lower = base::lower_case(text);
  for (const NameEntry& entry : index_.of("upgrade")) {
    if (initials_of(entry) == lower) out.push_back(&entry);
  }
  return out;
}

ListNames::Upgrades ListNames::guess_upgrade_of(const std::vector<PilotChoice>& pilots, const std::string& text,
                                                bool initials) const {
  const auto known = [&](auto& cache, auto find) -> const Upgrades& {
    const auto [at, is_new] = cache.try_emplace(text);
    if (is_new) at->second = (this->*find)(text);
    return at->second;
  };
  Upgrades out = known(with_part_, &ListNames::with_part);
  if (out.empty() && initials) out = known(with_initials_, &ListNames::with_initials);
  std::erase_if(out, [&](const NameEntry* one) { return !can_equip(pilots, one->id); });
  const bool one_name =
      std::all_of(out.begin(), out.end(), [&](const NameEntry* one) { return one->key == out.front()->key; });
  return one_name ? out : Upgrades();
}

std::vector<PilotChoice> ListNames::guess_pilot(const std::string& text) const {
  const NameEntry* const entry = guess("pilot", text);
  return entry == nullptr ? std::vector<PilotChoice>() : pilots(std::string(entry->name));
}

bool ListNames::can_equip(const std::vector<PilotChoice>& pilots, std::string_view upgrade) const {
  return std::any_of(pilots.begin(), pilots.end(), [&](const PilotChoice& one) {
    return slots_.can_equip(one.ship, std::string(one.entry->id), std::string(upgrade), "");
  });
}

const NameEntry* ListNames::on_ship(const NameEntry& upgrade, const std::string& words,
                                    const PilotChoice& pilot) const {
  const ShipSpec& ship = *catalogue_.ship(pilot.ship, cards_);
  if (slots_.of_other_ship(std::string(upgrade.id), ship).empty()) return &upgrade;
  const NameEntry* const other = slots_.card_of_ship(words, ship);
  return other == nullptr ? &upgrade : other;
}

std::optional<int> ListNames::cost_on(const NameEntry& upgrade, const PilotChoice& pilot) const {
  return upgrade_cost_on(catalogue_, std::string(upgrade.id), cards_, pilot.spec, catalogue_.ship(pilot.ship, cards_));
}

}  // namespace salvo::load
