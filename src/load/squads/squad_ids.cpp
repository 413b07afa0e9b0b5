#include "load/squads/squad_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "load/name_index.h"
#include "load/pilot_stats.h"

namespace salvo::load {
namespace {

std::string without_hyphens(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  return text;
}

/// One letter for those and digits that look alike.
char folded(char c) { return c == '0' ? 'o' : c == '1' || c == 'i' ? 'l' : c == '5' ? 's' : c; }

/// The text without spellings that builders and data sets vary: letters that look alike, abbreviations, doubled
/// letters.
std::string folded(std::string text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kShort{
      {{"squadron", "sq"}, {"advanced", "adv"}, {"lleutenant", "lt"}}};  // i is folded, too
  for (char& c : text) c = folded(c);
  for (const auto& [word, abbreviation] : kShort) {
    if (const std::size_t at = text.find(word); at != std::string::npos) text.replace(at, word.size(), abbreviation);
  }
  text.erase(std::unique(text.begin(), text.end()), text.end());
  return text;
}

/// The slot in the words of the second edition.
std::string slot_form(std::string_view slot) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kOthers{{{"ept", "talent"},
                                                                                         {"elite", "talent"},
                                                                                         {"amd", "astromech"},
                                                                                         {"samd", "salvagedastromech"},
                                                                                         {"mod", "modification"},
                                                                                         {"system", "sensor"},
                                                                                         {"bomb", "device"},
                                                                                         {"force", "forcepower"}}};
  std::string form = without_hyphens(id_form(slot));
  for (const auto& [other, own] : kOthers) {
    if (form == other) return std::string(own);
  }
  return form;
}

/// Whether the letters of `part` occur in `whole` in that order: builders wrote "xwing" for t65xwing.
bool is_abbreviation(std::string_view part, std::string_view whole) {
  for (const char c : whole) {
    if (!part.empty() && part[0] == c) part.remove_prefix(1);
  }
  return part.empty();
}

/// Whether a suffix says only for whom or in what box a card is, so that another id of the card may lack it.
bool may_be_cut(std::string_view word) {
  constexpr std::string_view kFactions =
      "rebelalliance galacticempire scumandvillainy resistance firstorder galacticrepublic separatistalliance";
  const bool box = word.starts_with("swz") || word.starts_with("swx");
  return box ? word.find_first_not_of("0123456789", 3) == std::string_view::npos
             : word.size() >= 4 && kFactions.find(word) != std::string_view::npos;
}

/// What distinguishes a card from others of its name.
struct CardFacts {
  std::string_view ship;  ///< of a pilot
  std::string words;      ///< faction, slots and restrictions
};

/// A card that a given id may mean. Less is better in `rank`, the first number first.
struct Candidate {
  std::string_view id, ship;
  std::array<int, 4> rank{};
  int spelling = 0;   ///< Reading
  bool fits = false;  ///< the clues on faction and slot
};

/// Ways in which a given id can be that of a card, best first.
enum Reading { kSameId, kAlias, kOtherHyphens, kSameName, kFoldedName, kGluedSuffix };

struct IdReading {
  Reading reading = kSameId;
  bool stem = true;                    ///< the card's name is that in its id; some cards are printed with another
  std::vector<std::string> rest = {};  ///< the suffixes after the card's name
};

class GivenId {
 public:
  explicit GivenId(const std::string& given) : form(id_form(given)), plain(without_hyphens(form)) {
    if (form.size() > kLongest) return;
    for (const std::string_view word : base::split(form, '-')) {
      if (!word.empty()) words_.emplace_back(word);
    }
  }

  std::string form, plain;

  /// The ways to read this id as that of a card; none for nearly all cards.
  std::vector<IdReading> ways(const NameEntry& entry) const {
    if (words_.empty()) return {};
    if (entry.id == form) return {{.reading = kSameId}};
    if (base::contains(entry.others, plain)) return {{.reading = kAlias}};
    if (entry.id_key == plain) return {{.reading = kOtherHyphens}};
    if (!starts_alike(entry.id) && !starts_alike(entry.key)) return {};
    const std::array<std::string, 4> names{std::string(base::cut(entry.id, '-').first), std::string(entry.key),
                                           without_hyphens(id_form(entry.name)),  // without accented letters
                                           without_hyphens(std::string(entry.id))};
    std::vector<IdReading> out;
    std::string start;
    for (std::size_t used = 1; used <= words_.size(); ++used) {
      start += words_[used - 1];
      const std::string start_folded = folded(start);
      for (const std::string& name : names) {
        if (!starts_alike(name)) continue;
        IdReading way{.stem = name == names[0]};
        if (start == name) {
          way.reading = kSameName;
        } else if (folded(name) == start_folded) {
          way.reading = kFoldedName;
        } else if (name.size() >= 3 && start.starts_with(name)) {
          way.reading = kGluedSuffix;
          way.rest.push_back(start.substr(name.size()));
        } else {
          continue;
        }
        way.rest.insert(way.rest.end(), words_.begin() + static_cast<std::ptrdiff_t>(used), words_.end());
        out.push_back(std::move(way));
      }
    }
    return out;
  }

  /// How far the id is from that of the card: the suffixes that the card does not explain, the Reading, and the
  /// suffixes that only the card has. Empty: it is another card.
  std::optional<std::array<int, 3>> distance(const std::vector<IdReading>& ways, std::string_view id,
                                             const CardFacts& facts) const {
    const std::vector<std::string_view> own = base::split(id, '-');
    std::optional<std::array<int, 3>> best;
    for (const IdReading& way : ways) {
      if (way.reading <= kOtherHyphens) return std::array{0, int{way.reading}, 0};
      const int unexplained = count_unexplained(way.rest, own, facts);
      if (unexplained < 0 || (way.reading == kGluedSuffix && unexplained > 0)) continue;
      const int added = count_added(own, facts) + int{!is_ship(way.rest, facts)} + int{!way.stem};
      const std::array<int, 3> here{unexplained, way.reading, added};
      if (!best || here < *best) best = here;
    }
    return best;
  }

 private:
  static constexpr std::size_t kLongest = 80;  ///< longer texts are no ids

  /// Whether a suffix of the given id is one of the card, or names its ship, faction or slot.
  static bool is_explained(const std::string& suffix, const std::vector<std::string_view>& own,
                           const CardFacts& facts) {
    return base::contains(own, suffix) ||
           (suffix.size() >= 3 && facts.words.find(slot_form(suffix)) != std::string::npos) ||
           (suffix.size() >= 4 && is_abbreviation(suffix, facts.ship));
  }

  /// The number of suffixes that name no more than another faction or box; -1: one of them names another card.
  static int count_unexplained(const std::vector<std::string>& suffixes, const std::vector<std::string_view>& own,
                               const CardFacts& facts) {
    if (is_explained(base::joined(suffixes, ""), own, facts)) return 0;  // "b-wing"
    int out = 0;
    for (const std::string& suffix : suffixes) {
      if (is_explained(suffix, own, facts)) continue;
      if (!may_be_cut(suffix)) return -1;
      ++out;
    }
    return out;
  }

  /// Whether the suffixes, if any, are exactly the ship.
  static bool is_ship(const std::vector<std::string>& suffixes, const CardFacts& facts) {
    return suffixes.empty() || base::joined(suffixes, "") == facts.ship;
  }

  /// The weight of the suffixes that only the card has: those for its ship, faction or slot count less than boxes, and
  /// these less than expansions with other cards of the same name.
  int count_added(const std::vector<std::string_view>& own, const CardFacts& facts) const {
    int out = 0;
    for (std::size_t i = 1; i < own.size(); ++i) {
      if (form.find(own[i]) != std::string::npos) continue;
      const bool fact = own[i] == facts.ship || facts.words.find(own[i]) != std::string::npos;
      out += fact ? 1 : may_be_cut(own[i]) ? 2 : 4;
    }
    return out;
  }

  bool starts_alike(std::string_view name) const { return !name.empty() && folded(name[0]) == folded(plain[0]); }

  std::vector<std::string> words_;
};

/// The best candidate. One that is not spelled as given has to fit the clues, if the given id is a card as well.
CardMatch choose_card(const GivenId& given, std::vector<Candidate>& candidates) {
  CardMatch out;
  const auto less = [](const Candidate& a, const Candidate& b) {
    return std::tie(a.rank, a.id) < std::tie(b.rank, b.id);
  };
  std::sort(candidates.begin(), candidates.end(), less);
  if (candidates.empty()) return out;
  const auto exact =
      std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& one) { return one.id == given.form; });
  for (const Candidate& one : candidates) {
    if (one.rank == candidates[0].rank) base::add_once(out.several, std::string(one.id));
  }
  const bool usable = out.several.size() == 1 && (exact == candidates.end() || candidates[0].fits);
  if (!usable && exact == candidates.end()) return out;
  const Candidate& chosen = usable ? candidates[0] : *exact;
  out.id = chosen.id;
  out.sure = chosen.spelling <= kOtherHyphens || given.form == fmt::format("{}-{}", chosen.id, chosen.ship);
  out.several.clear();
  std::size_t ships = 0;
  for (const Candidate& one : candidates) {
    if (one.id != chosen.id) continue;
    ++ships;
    out.ship = one.ship;
  }
  if (ships > 1) out.ship.clear();
  return out;
}

/// The pilot of the ship, or nullptr.
const PilotSpec* pilot_on(const Catalogue& catalogue, std::string_view pilot, std::string_view ship,
                          std::string_view cards) {
  const ShipSpec* const spec = catalogue.ship(ship, cards);
  return spec == nullptr ? nullptr : find_pilot(*spec, pilot);
}

/// Whether the words of a squad for its faction, such as "rebels", can mean the pilot's.
bool is_of_faction(const PilotSpec* pilot, const std::string& given) {
  std::string faction = without_hyphens(id_form(given));
  if (faction.ends_with('s')) faction.pop_back();
  if (faction == "imperial") faction = "empire";
  return pilot == nullptr || pilot->faction.find(faction) != std::string::npos;
}

/// Whether a ship that the card set does not know is like one that it does: a shorter form, or the id of another card
/// set with the same nickname, as firespray31 of the first edition.
bool is_like_ship(const Catalogue& catalogue, const std::string& given, std::string_view ship, std::string_view cards) {
  if (is_abbreviation(id_form(given), ship)) return true;
  const NameEntry* const own = catalogue.names(cards).find("ship", ship);
  const auto& sets = Catalogue::card_sets();
  return own != nullptr && std::any_of(sets.begin(), sets.end(), [&](const std::string& set) {
           const NameEntry* const other =
               catalogue.names(set).find("ship", find_ship_id(catalogue, given, set).value_or(""));
           return other != nullptr && std::any_of(own->nicknames.begin(), own->nicknames.end(), [&](const auto& one) {
                    return base::contains(other->nicknames, one);
                  });
         });
}

/// Whether a ship that the card set does not know may be the pilot's: one like it, its name in another card set, or a
/// text that is no ship at all.
bool may_mean_ship(const Catalogue& catalogue, const std::string& given, const std::string& pilot,
                   std::string_view ship, std::string_view cards) {
  if (is_like_ship(catalogue, given, ship, cards)) return true;
  bool known = false;
  for (const std::string& set : Catalogue::card_sets()) {
    const auto found = find_ship_id(catalogue, given, set);
    if (found && base::contains(catalogue.ships_of_pilot(pilot, set), *found)) return true;
    known = known || found;
  }
  return !known;
}

/// How many of the clues on restrictions and slot exclude an upgrade.
int count_misfits(const UpgradeCost& card, const std::string& id, const CardClues& clues) {
  const std::string slot = slot_form(clues.slot);
  const bool other_slot = !slot.empty() && std::none_of(card.slots.begin(), card.slots.end(),
                                                        [&](const auto& own) { return slot_form(own) == slot; });
  const bool excluded = clues.rules != nullptr && clues.on != nullptr && clues.by != nullptr &&
                        !clues.rules->unmet(id, *clues.on, clues.by).empty();
  return int{other_slot} + int{excluded};
}

}  // namespace

std::string loose_text(const std::optional<data::Node>& node) {
  if (!node) return {};
  const data::Value& value = node->value();
  if (value.kind == data::Value::Kind::Text) return base::printable(value.text, 200);
  if (value.kind == data::Value::Kind::Integer) return value.huge ? value.text : std::to_string(value.integer);
  return value.kind == data::Value::Kind::Real ? value.text : std::string();
}

std::optional<int> loose_number(const std::optional<data::Node>& node) { return base::whole_number(loose_text(node)); }

std::string pilot_text(const data::Node& pilot) {
  const std::string id = loose_text(pilot.get("id"));
  return id.empty() ? loose_text(pilot.get("name")) : id;
}

std::string upgrade_text(const data::Node& item) {
  std::string id = loose_text(item);
  if (!item.is(data::Value::Kind::Table)) return id;
  for (const char* key : {"id", "xws", "name"}) {
    if (id.empty()) id = loose_text(item.get(key));
  }
  return id;
}

std::string id_form(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') out += c;
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_slot_card(const std::string& given) {
  const std::string form = without_hyphens(id_form(given));
  return form == "hardpointcannon" || form == "hardpointmissile" || form == "hardpointtorpedo";
}

CardMatch find_pilot_card(const Catalogue& catalogue, const std::string& given, std::string_view cards,
                          const CardClues& clues) {
  const GivenId id(given);
  const std::optional<std::string> named = find_ship_id(catalogue, clues.ship, cards);
  if (const std::vector<std::string> ships = catalogue.ships_of_pilot(id.form, cards); !ships.empty()) {
    const std::string& ship = named.value_or(ships.size() == 1 ? ships[0] : "");
    const bool flies = named ? base::contains(ships, ship) : clues.ship.empty();
    if (flies &&
        is_of_faction(clues.faction.empty() ? nullptr : pilot_on(catalogue, id.form, ship, cards), clues.faction))
      return {id.form, ship, true, {}};
  }
  std::vector<Candidate> candidates;
  for (const NameEntry& entry : catalogue.names(cards).of("pilot")) {
    const std::vector<IdReading> ways = id.ways(entry);
    if (ways.empty()) continue;
    for (const std::string_view ship : entry.ships) {
      const PilotSpec* const pilot = pilot_on(catalogue, entry.id, ship, cards);
      const auto distance = id.distance(ways, entry.id, {ship, pilot == nullptr ? "" : pilot->faction});
      if (!distance) continue;
      const bool fits = is_of_faction(pilot, clues.faction);
      // A suffix that is spelled as in the data says more than the faction of the squad.
      const auto [unexplained, spelling, added] = *distance;
      const bool full = spelling == kSameId && id.form != id.plain;
      candidates.push_back({entry.id, ship, {full ? -1 : unexplained, fits ? 0 : 1, spelling, added}, spelling, fits});
    }
  }
  const auto keep = [&](const auto& test) {
    const auto others = std::stable_partition(candidates.begin(), candidates.end(), test);
    const bool any = others != candidates.begin();
    if (any) candidates.erase(others, candidates.end());
    return any;
  };
  bool flies = true;
  if (named) {
    flies = keep([&](const Candidate& one) { return one.ship == *named; });
  } else if (!clues.ship.empty()) {
    keep([&](const Candidate& one) { return is_like_ship(catalogue, clues.ship, one.ship, cards); });
  }
  // The ship named beside the pilot counts more than the one in the id.
  if (const std::size_t hyphen = id.form.rfind('-');
      !flies && hyphen != std::string::npos && find_ship_id(catalogue, id.form.substr(hyphen + 1), cards))
    return find_pilot_card(catalogue, id.form.substr(0, hyphen), cards, clues);
  CardMatch out = choose_card(id, candidates);
  if (!flies || (!named && !clues.ship.empty() && !may_mean_ship(catalogue, clues.ship, out.id, out.ship, cards)))
    out.ship.clear();
  return out;
}

CardMatch find_upgrade_card(const Catalogue& catalogue, const std::string& given, std::string_view cards,
                            const CardClues& clues) {
  const GivenId id(given);
  const auto misfits = [&](const std::string& one) {
    const auto cost = catalogue.upgrade_cost(one, cards);
    if (!cost) return 0;
    // A card without a cost exists only in standard loadouts.
    const bool of_another = one != id.form && !cost->fixed && cost->table.empty() &&
                            (clues.by == nullptr || !base::contains(clues.by->standard_loadout, one));
    return count_misfits(*cost, one, clues) + int{of_another};
  };
  const bool known = catalogue.upgrade_exists(id.form, cards);
  if (known && misfits(id.form) == 0) return {id.form, "", true, {}};
  std::vector<Candidate> candidates;
  for (const NameEntry& entry : catalogue.names(cards).of("upgrade")) {
    const std::vector<IdReading> ways = id.ways(entry);
    if (ways.empty()) continue;
    const std::string own(entry.id);
    CardFacts facts{"", clues.rules == nullptr ? "" : clues.rules->restriction(own)};
    const auto cost = catalogue.upgrade_cost(own, cards);
    for (const std::string& slot : cost ? cost->slots : std::vector<std::string>())
      facts.words += " " + slot_form(slot);
    const auto distance = id.distance(ways, own, facts);
    if (!distance) continue;
    const auto [unexplained, spelling, added] = *distance;
    const int excluded = misfits(own);
    candidates.push_back({entry.id, "", {excluded, unexplained, spelling, added}, spelling, excluded == 0});
  }
  CardMatch out = choose_card(id, candidates);
  // A user's card has no printed name, and is found by its id alone.
  for (const std::string& own : {id.form, id.plain}) {
    if (out.id.empty() && catalogue.upgrade_exists(own, cards)) out = {own, "", true, {}};
  }
  return out;
}

std::optional<std::string> find_ship_id(const Catalogue& catalogue, const std::string& given, std::string_view cards) {
  const auto known = [&](const std::string& id) { return catalogue.ship(id, cards) != nullptr; };
  const std::string id = id_form(given);
  if (id.empty()) return std::nullopt;
  if (known(id)) return id;
  for (const std::string& other : catalogue.aliases("ship", id)) {
    if (known(other)) return other;
  }
  const std::string plain = without_hyphens(id);
  if (plain != id && known(plain)) return plain;
  const std::vector<std::string> ids = catalogue.ship_ids(cards);
  const auto at =
      std::find_if(ids.begin(), ids.end(), [&](const std::string& x) { return without_hyphens(x) == plain; });
  return at == ids.end() ? std::nullopt : std::optional(*at);
}

std::optional<int> upgrade_cost_on(const Catalogue& catalogue, const std::string& upgrade, std::string_view cards,
                                   const PilotSpec* pilot, const ShipSpec* ship) {
  const auto cost = catalogue.upgrade_cost(upgrade, cards);
  if (!cost || cost->by.empty()) return cost ? cost->fixed : std::nullopt;
  if (pilot == nullptr || ship == nullptr) return std::nullopt;
  const std::string key = cost->by == "size"      ? pilot->size.value_or(ship->size)
                          : cost->by == "agility" ? std::to_string(pilot->agility.value_or(ship->agility))
                                                  : std::to_string(pilot->initiative);
  const auto at = cost->table.find(key);
  return at == cost->table.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace salvo::load
