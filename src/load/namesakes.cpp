#include "load/namesakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/pilot_stats.h"
#include "load/profile.h"

namespace salvo::load {
namespace {

std::vector<const NameEntry*> namesakes(const NameIndex& index, std::string_view pilot) {
  std::vector<const NameEntry*> out;
  const NameEntry* const own = index.find("pilot", pilot);
  if (own == nullptr) return out;
  for (const NameEntry& entry : index.pilots) {
    if (entry.key == own->key) out.push_back(&entry);
  }
  return out;
}

/// Calls `use` for each namesake with the pilot as each of its ships has it.
template <typename Use>
void for_namesakes(const Catalogue& catalogue, std::string_view cards, std::string_view pilot, Use use) {
  for (const NameEntry* const entry : namesakes(catalogue.names(cards), pilot)) {
    for (const std::string_view ship : entry->ships) {
      const ShipSpec* const spec = catalogue.ship(ship, cards);
      const PilotSpec* const at = spec == nullptr ? nullptr : find_pilot(*spec, entry->id);
      if (at != nullptr) use(*entry, *at);
    }
  }
}

}  // namespace

ShipFit fit_of_ship(const NameIndex& index, std::string_view words, std::string_view ship) {
  const NameEntry* const entry = index.find("ship", ship);
  const std::string key = base::name_key(words);
  if (entry == nullptr || key.empty()) return ShipFit::None;
  if (key == entry->key || key == entry->id_key) return ShipFit::Name;
  if (base::contains(entry->nicknames, key)) return ShipFit::Nickname;
  const auto holds = [&](const std::string& nickname) { return nickname.find(key) != std::string::npos; };
  const bool part = std::any_of(entry->nicknames.begin(), entry->nicknames.end(), holds) || is_found_by(*entry, words);
  return part ? ShipFit::Part : ShipFit::None;
}

std::vector<std::string> ships_of_namesakes(const NameIndex& index, std::string_view pilot) {
  std::vector<std::string> out;
  for (const NameEntry* const entry : namesakes(index, pilot)) {
    for (const std::string_view ship : entry->ships) base::add_once(out, std::string(ship));
  }
  std::sort(out.begin(), out.end());
  return out;
}

NameMatch ship_beside(const NameIndex& index, NameMatch alone, std::string_view words, std::string_view pilot,
                      bool only_this) {
  std::vector<std::string> ships = ships_of_namesakes(index, pilot);
  if (only_this) {
    std::erase_if(ships, [own = index.find("pilot", pilot)](const std::string& ship) {
      return !base::contains(own->ships, std::string_view(ship));
    });
  }
  if (base::contains(ships, alone.found.id)) return alone;
  const auto at = std::find_if(ships.begin(), ships.end(), [&](const std::string& ship) {
    return fit_of_ship(index, words, ship) != ShipFit::None;
  });
  if (at == ships.end()) return alone;
  return {.kind = NameMatchKind::Likely,
          .whole = true,
          .found = {"ship", *at, std::string(index.find("ship", *at)->name)},
          .candidates = {}};
}

bool is_variant(const NameEntry& entry, std::string_view words) {
  static constexpr std::pair<std::string_view, std::string_view> kBoxes[] = {{"aad", "armedanddangerous"},
                                                                             {"boe", "battleoverendor"},
                                                                             {"boy", "battleofyavin"},
                                                                             {"eod", "evacuationofdqar"},
                                                                             {"hoh", "swz68"},
                                                                             {"hotr", "swx57"},
                                                                             {"lar", "legendsandrelics"},
                                                                             {"mandalore", "maulcrew"},
                                                                             {"phantomii", "swx72"},
                                                                             {"soc", "siegeofcoruscant"},
                                                                             {"ssp", "swz10"},
                                                                             {"tbe", "swz98"},
                                                                             {"tfa", "swx57"},
                                                                             {"ylf", "swz103"}};
  const std::string key = base::name_key(words);
  const auto box =
      std::find_if(std::begin(kBoxes), std::end(kBoxes), [&](const auto& one) { return one.first == key; });
  const std::string_view part = box == std::end(kBoxes) ? key : box->second;
  return part.size() > 1 && entry.id_key.find(part) != std::string_view::npos;
}

std::string variant_of(const NameIndex& index, const std::string& pilot, std::string_view words) {
  std::string out;
  for (const NameEntry* const entry : namesakes(index, pilot)) {
    if (is_variant(*entry, words) && (out.empty() || entry->id.size() < out.size())) out = entry->id;
  }
  return out;
}

std::string faction_of(std::string_view words) {
  static constexpr std::pair<std::string_view, std::string_view> kFactions[] = {
      {"rebel", "rebelalliance"},       {"galacticempire", "galacticempire"},
      {"imperial", "galacticempire"},   {"empire", "galacticempire"},
      {"scum", "scumandvillainy"},      {"resistance", "resistance"},
      {"firstorder", "firstorder"},     {"galacticrepublic", "galacticrepublic"},
      {"republic", "galacticrepublic"}, {"separatist", "separatistalliance"},
      {"cis", "separatistalliance"}};
  constexpr std::array<std::string_view, 5> kGroups{"squadron", "squad", "list", "fleet", "team"};
  constexpr std::array<std::string_view, 4> kRests{"", "s", "alliance", "andvillainy"};
  std::string key = base::name_key(words);
  const auto group = std::find_if(kGroups.begin(), kGroups.end(), [&](auto one) { return key.ends_with(one); });
  if (group != kGroups.end()) key.resize(key.size() - group->size());  // "First Order squad"
  for (const auto& [word, faction] : kFactions) {
    if (key.starts_with(word) && base::contains(kRests, std::string_view(key).substr(word.size())))
      return std::string(faction);
  }
  return {};
}

std::string faction_name(const std::string& id) {
  static const std::map<std::string, std::string> kNames{{"rebelalliance", "Rebel Alliance"},
                                                         {"galacticempire", "Galactic Empire"},
                                                         {"scumandvillainy", "Scum and Villainy"},
                                                         {"resistance", "Resistance"},
                                                         {"firstorder", "First Order"},
                                                         {"galacticrepublic", "Galactic Republic"},
                                                         {"separatistalliance", "Separatist Alliance"}};
  const auto at = kNames.find(id);
  return at == kNames.end() ? id : at->second;
}

bool are_pilots(const std::vector<ListedName>& names) {
  std::vector<std::string> shared = names.front().factions;
  for (const ListedName& one : names)
    std::erase_if(shared, [&](const std::string& faction) { return !base::contains(one.factions, faction); });
  return !shared.empty() &&
         std::any_of(names.begin() + 1, names.end(), [](const ListedName& one) { return !one.upgrade; });
}

std::string side_of(const std::string& faction, std::string_view cards) {
  if (!is_first_edition(cards)) return faction;
  return faction == "resistance" ? "rebelalliance" : faction == "firstorder" ? "galacticempire" : faction;
}

std::string namesake_of_faction(const Catalogue& catalogue, std::string_view cards, const std::string& pilot,
                                const std::string& faction) {
  std::tuple<bool, bool, std::size_t, std::string> best{true, true, std::string::npos, ""};
  for_namesakes(catalogue, cards, pilot, [&](const NameEntry& entry, const PilotSpec& at) {
    if (at.faction != faction && side_of(at.faction, cards) != faction) return;
    best = std::min(
        best, std::tuple(entry.id != pilot, !at.standard_loadout.empty(), entry.id.size(), std::string(entry.id)));
  });
  return std::get<3>(best);
}

std::string no_namesake(const Catalogue& catalogue, std::string_view cards, const std::string& pilot,
                        const std::string& faction) {
  std::vector<std::string> factions;
  for_namesakes(catalogue, cards, pilot,
                [&](const NameEntry&, const PilotSpec& at) { base::add_once(factions, at.faction); });
  return fmt::format("the card set {} has no {} of the faction {}, but of {}; name {}", cards,
                     name_of(catalogue, "pilot", pilot, cards), faction, base::listed(factions),
                     factions.size() == 1 ? "that one" : "one of these");
}

}  // namespace salvo::load
