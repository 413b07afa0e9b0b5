#include "load/squads/squad_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <tuple>

#include "base/index.h"
#include "base/text.h"
#include "load/namesakes.h"
#include "load/pilot_stats.h"
#include "load/profile.h"
#include "load/slot_rules.h"
#include "load/squads/squad_ids.h"

namespace salvo::load {
namespace {

bool has_text(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// All texts below a node, in lower case.
void collect_texts(const data::Node& node, std::string& out) {
  if (node.is(data::Value::Kind::Text)) out += base::lower_case(loose_text(node)) + " ";
  if (!node.is(data::Value::Kind::Table) && !node.is(data::Value::Kind::Array)) return;
  for (const data::Node& child : node.children()) collect_texts(child, out);
}

/// The texts by which a builder identifies itself.
std::string builder_words(const data::Node& root) {
  std::string out;
  for (const char* key : {"vendor", "url", "link"}) {
    if (const auto node = root.get(key)) collect_texts(*node, out);
  }
  return out;
}

/// Whether the version is a date such as "10/28/2022": builders of 2.5 write that of the points.
bool is_date(const std::string& version) {
  return std::count(version.begin(), version.end(), '/') == 2 &&
         version.find_first_not_of("0123456789/") == std::string::npos;
}

/// The version and the points in a builder's link, such as 8 and 200 in "...&d=v8zsz200z..."; -1: there is no link.
struct LinkHead {
  int version = -1, points = 0;
};

LinkHead link_head(std::string_view words) {
  for (const std::string_view mark : {"?d=v", "&d=v"}) {
    const std::size_t at = words.find(mark);
    if (at == std::string_view::npos) continue;
    const std::vector<std::string_view> fields = base::split(words.substr(at + mark.size()), 'z');
    const std::string_view digits =
        fields[0].substr(0, std::min<std::size_t>(3, fields[0].find_first_not_of("0123456789")));
    if (const auto version = base::whole_number(digits))
      return {*version, fields.size() > 2 ? base::whole_number(fields[2]).value_or(0) : 0};
  }
  return {};
}

/// An upgrade of a pilot, with its slot if the file has slots.
struct Upgrade {
  std::string slot, id;
};

void collect_upgrades(const data::Node& node, const std::string& slot, std::vector<Upgrade>& out) {
  if (node.is(data::Value::Kind::Array)) {
    for (const data::Node& item : node.children()) collect_upgrades(item, slot, out);
  } else if (const std::string id = upgrade_text(node); !id.empty()) {
    out.push_back({slot, id});
  }
}

/// The parts of a pilot that are evidence.
struct Pilot {
  std::string id, ship;
  std::optional<int> points;
  bool by_id = false;  ///< named under the key id
  std::vector<Upgrade> upgrades;
};

Pilot read_pilot(const data::Node& node) {
  Pilot out;
  out.id = pilot_text(node);
  out.by_id = !loose_text(node.get("id")).empty();
  out.ship = loose_text(node.get("ship"));
  out.points = loose_number(node.get("points"));
  const auto upgrades = node.get("upgrades");
  if (!upgrades || (!upgrades->is(data::Value::Kind::Table) && !upgrades->is(data::Value::Kind::Array))) return out;
  for (const data::Node& slot : upgrades->children())
    collect_upgrades(slot, upgrades->is(data::Value::Kind::Table) ? slot.key() : "", out.upgrades);
  return out;
}

/// The card that the id of an upgrade means on a ship of whatever pilot; empty: none.
std::string upgrade_id(const Catalogue& catalogue, const Upgrade& upgrade, const std::string& cards) {
  return find_upgrade_card(catalogue, upgrade.id, cards, {.slot = upgrade.slot}).id;
}

/// What a pilot costs on the ship with the upgrades; empty when the card set lacks one of them, or the pilot does not
/// fly the ship.
std::optional<int> cost_on(const Catalogue& catalogue, const Pilot& given, const std::string& pilot,
                           const std::string& ship, const std::string& cards) {
  const ShipSpec* spec = catalogue.ship(ship, cards);
  if (spec == nullptr) return std::nullopt;
  const PilotSpec* at = find_pilot(*spec, pilot);
  if (at == nullptr) return std::nullopt;
  int cost = at->cost;
  if (at->loadout || !at->standard_loadout.empty()) return cost;
  for (const Upgrade& upgrade : given.upgrades) {
    if (is_slot_card(upgrade.id)) continue;
    const std::string id = upgrade_id(catalogue, upgrade, cards);
    if (id.empty()) return std::nullopt;
    cost += upgrade_cost_on(catalogue, id, cards, at, spec).value_or(0);
  }
  return cost;
}

/// As above on the ship that the squad names, or else on the one where the cost is the stated one.
std::optional<int> cost_in(const Catalogue& catalogue, const Pilot& given, const std::string& cards) {
  const CardMatch pilot = find_pilot_card(catalogue, given.id, cards, {.ship = given.ship});
  if (!pilot.ship.empty() || !given.ship.empty()) return cost_on(catalogue, given, pilot.id, pilot.ship, cards);
  for (const std::string& ship : catalogue.ships_of_pilot(pilot.id, cards)) {
    const auto cost = cost_on(catalogue, given, pilot.id, ship, cards);
    if (cost && cost == given.points) return cost;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- the edition

/// One kind of evidence.
struct Evidence {
  std::string name;                        ///< "its ids"
  std::vector<std::string> first, second;  ///< the words that indicate each edition
  bool weak = false;                       ///< so uncertain that the notes say when it decides
  bool kept = false;                       ///< builders of the second edition may write all its words of the first

  int balance() const { return static_cast<int>(second.size()) - static_cast<int>(first.size()); }
  std::string summary(bool for_first) const {
    constexpr std::size_t kMaxWords = 3;
    std::vector<std::string> words;
    for (const std::string& word : for_first ? first : second) {
      if (!base::contains(words, word)) words.push_back(word);
    }
    const std::string more = words.size() > kMaxWords ? ", ..." : "";
    words.resize(std::min(kMaxWords, words.size()));
    return fmt::format("{} ({}{})", name, base::joined(words, ", "), more);
  }
};

class EditionEvidence {
 public:
  EditionEvidence(const Catalogue& catalogue, const data::Node& root, const std::vector<data::Node>& pilots)
      : catalogue_(catalogue) {
    for (const data::Node& node : pilots) {
      if (node.is(data::Value::Kind::Table)) pilots_.push_back(read_pilot(node));
    }
    for (const std::string& set : Catalogue::card_sets()) {
      if (!is_first_edition(set)) second_sets_.push_back(set);
    }
    evidence_ = {ids(true),
                 points(),
                 builder(builder_words(root)),
                 ships(),
                 version(loose_text(root.get("version"))),
                 ids(false),
                 words(loose_text(root.get("faction")))};
  }

  SquadGame decide() const {
    SquadGame out;
    out.rules = kSecondEdition;
    const auto decides = best();
    if (decides == evidence_.end()) {
      out.notes.push_back(
          fmt::format("nothing in the squad says its edition; it is read as {}, {}", kSecondEdition, kUnlessStated));
      return out;
    }
    const bool first = decides->balance() < 0;
    if (first) out.rules = kFirstEdition;
    std::vector<std::string> against;
    for (const Evidence& one : evidence_) {
      const auto& others = first ? one.second : one.first;
      const bool contradicts = &one == &*decides ? !others.empty() : one.balance() != 0 && (one.balance() < 0) != first;
      if (contradicts) against.push_back(one.summary(!first));
    }
    if (against.empty() && decides->weak) {
      out.notes.push_back(fmt::format("the squad is read as {} because of {}, for lack of better evidence, {}",
                                      out.rules, decides->summary(first), kUnlessStated));
    } else if (!against.empty()) {
      out.notes.push_back(fmt::format("the squad is read as {} because of {}, though {} would be {}, {}", out.rules,
                                      decides->summary(first), base::joined(against, ", "),
                                      first ? kSecondEdition : kFirstEdition, kUnlessStated));
    }
    return out;
  }

 private:
  /// The first evidence that favors an edition, unless that is a single word of the first edition, or old ids of ships,
  /// which none of the others supports and several contradict: no builder of the first wrote words of the second.
  std::vector<Evidence>::const_iterator best() const {
    const auto favors = [](const Evidence& one) { return one.balance() != 0; };
    const auto first = std::find_if(evidence_.begin(), evidence_.end(), favors);
    if (first == evidence_.end() || first->balance() > 0 || (first->balance() < -1 && !first->kept)) return first;
    const auto rest = first + 1;
    const bool contradicted =
        std::count_if(rest, evidence_.end(), favors) > 1 &&
        std::none_of(rest, evidence_.end(), [](const Evidence& one) { return one.balance() < 0; });
    return contradicted ? std::find_if(rest, evidence_.end(), favors) : first;
  }

  template <typename Find>
  bool in_second(Find find) const {
    return std::any_of(second_sets_.begin(), second_sets_.end(), find);
  }

  void add(Evidence& out, const std::string& word, bool first, bool second) const {
    if (first != second) (first ? out.first : out.second).push_back(word);
  }

  /// How well the card sets of an edition know an id: not at all, only as a likely reading, or as it is.
  template <typename Find>
  int best_match(bool first, const std::string& id, Find find) const {
    int best = 0;
    for (const std::string& set : first ? std::vector<std::string>{kFirstEdition} : second_sets_) {
      if (best == 2) break;
      const CardMatch match = find(catalogue_, id, set, CardClues{});
      best = std::max(best, match.sure ? 2 : match.id.empty() && match.several.empty() ? 0 : 1);
    }
    return best;
  }

  /// `sure`: the ids that only one edition knows, else those that both do, one of them by another spelling.
  Evidence ids(bool sure) const {
    Evidence out{"its ids", {}, {}};
    const auto compare = [&](const std::string& id, auto find) {
      // The boxes of the editions: swx57, swz98.
      const int first = best_match(true, id, find) + int{has_text(id, "-swx")};
      const int second = best_match(false, id, find) + int{has_text(id, "-swz")};
      if ((std::min(first, second) == 0) == sure) add(out, id, first > second, first < second);
    };
    for (const Pilot& pilot : pilots_) {
      compare(pilot.id, find_pilot_card);
      for (const Upgrade& upgrade : pilot.upgrades) {
        if (!is_slot_card(upgrade.id))
          compare(upgrade.id, find_upgrade_card);
        else if (sure)
          out.second.push_back(upgrade.id);
      }
    }
    return out;
  }

  /// Points that equal the cost of a ship in only one edition. Those of the first edition never changed.
  Evidence points() const {
    Evidence out{"its points", {}, {}};
    for (const Pilot& pilot : pilots_) {
      if (!pilot.points || *pilot.points == 0) continue;
      add(out, fmt::format("{} {}", pilot.id, *pilot.points), cost_in(catalogue_, pilot, kFirstEdition) == pilot.points,
          in_second([&](const std::string& set) { return cost_in(catalogue_, pilot, set) == pilot.points; }));
    }
    return out;
  }

  static Evidence builder(const std::string& words) {
    static constexpr std::array<std::string_view, 4> kFirst{"geordanr", "xwing-builder.co.uk", "voidstate", "fabpsb"};
    static constexpr std::array<std::string_view, 9> kSecond{
        "yasb.app",       "raithos",      "launchbaynext", "launch bay next",  "squadbuilder.fantasyflightgames",
        "second edition", "xwing-legacy", "pyxwb2",        "squad builder 2.0"};
    constexpr int kLastOfFirst = 4;  // the last link format of first edition builders
    Evidence out{"its builder", {}, {}, true};
    for (const std::string_view word : kFirst) {
      if (has_text(words, word)) out.first.emplace_back(word);
    }
    for (const std::string_view word : kSecond) {
      if (has_text(words, word)) out.second.emplace_back(word);
    }
    // The first builder of the second edition began with the link format of the first.
    if (const int version = link_head(words).version; version >= 0 && out.balance() == 0)
      (version <= kLastOfFirst ? out.first : out.second).push_back(fmt::format("a link of version {}", version));
    return out;
  }

  Evidence ships() const {
    Evidence out{"its ships", {}, {}, false, true};
    for (const Pilot& pilot : pilots_) {
      add(out, pilot.ship, find_ship_id(catalogue_, pilot.ship, kFirstEdition).has_value(),
          in_second([&](const std::string& set) { return find_ship_id(catalogue_, pilot.ship, set).has_value(); }));
    }
    return out;
  }

  /// 0.3.0 is inconclusive: builders of both editions wrote it.
  static Evidence version(const std::string& version) {
    Evidence out{"its version", {}, {}, true};
    if (version.starts_with("0.3")) return out;
    if (version.starts_with("0.") || version.starts_with("1.")) out.first.push_back(version);
    if (version.starts_with("2.") || version.starts_with("50P") || is_date(version)) out.second.push_back(version);
    return out;
  }

  Evidence words(const std::string& faction) const {
    static constexpr std::array<std::string_view, 5> kFirstFactions{"rebels", "rebel", "empire", "imperial", "scum"};
    static constexpr std::array<std::string_view, 7> kSecondFactions{
        "rebelalliance", "galacticempire",   "scumandvillainy",   "resistance",
        "firstorder",    "galacticrepublic", "separatistalliance"};
    static constexpr std::array<std::string_view, 6> kFirstSlots{"amd", "samd", "ept", "mod", "bomb", "system"};
    static constexpr std::array<std::string_view, 11> kSecondSlots{
        "astromech", "talent",        "modification", "device",     "sensor",        "force-power",
        "gunner",    "configuration", "command",      "hyperdrive", "tactical-relay"};
    Evidence out{"its words", {}, {}, true};
    const std::string form = id_form(faction);
    if (base::contains(kFirstFactions, form)) out.first.push_back(form);
    if (base::contains(kSecondFactions, form)) out.second.push_back(form);
    const auto by_id = [](const Pilot& pilot) { return pilot.by_id; };
    if (std::any_of(pilots_.begin(), pilots_.end(), by_id)) out.second.emplace_back("id");
    std::vector<std::string> slots;
    for (const Pilot& pilot : pilots_) {
      for (const Upgrade& upgrade : pilot.upgrades) {
        // In the first edition only huge ships have hardpoints, in the second any ship for its cannon.
        const auto card = catalogue_.upgrade_cost(upgrade.id, kFirstEdition);
        if (upgrade.slot == "hardpoint" && !(card && base::contains(card->slots, upgrade.slot)))
          base::add_once(out.second, upgrade.slot);
        if (!base::contains(slots, upgrade.slot)) slots.push_back(upgrade.slot);
      }
    }
    for (const std::string& slot : slots) {
      if (base::contains(kFirstSlots, slot)) out.first.push_back(slot);
      if (base::contains(kSecondSlots, slot)) out.second.push_back(slot);
    }
    return out;
  }

  const Catalogue& catalogue_;
  std::vector<Pilot> pilots_;
  std::vector<std::string> second_sets_;
  std::vector<Evidence> evidence_;
};

// ---------------------------------------------------------------- the points of the second edition

std::string stated_ruleset(const std::string& said) {
  const std::string word = base::lower_case(said);
  if (has_text(word, "xwa")) return "XWA";
  if (has_text(word, "amg") || has_text(word, "2.5")) return "2.5";
  if (has_text(word, "2.0") || has_text(word, "legacy")) return "2.0";
  return {};
}

std::string ruleset_of_builder(const std::string& words) {
  if (has_text(words, "xwa")) return "XWA";
  if (has_text(words, "2.5")) return "2.5";
  return has_text(words, "xwing-legacy") ? "2.0" : "";
}

/// Versions that only builders of one ruleset wrote. "2.0.0" is also a version of the format.
std::string ruleset_of_version(const std::string& version) {
  if (version.starts_with("50P")) return "XWA";
  return is_date(version) || version.starts_with("2.5") ? "2.5" : "";
}

/// Judging by the points of the ships: those of 2.0 are about five times those of XWA and ten times those of 2.5.
std::string ruleset_of_ships(const Catalogue& catalogue, const data::Node& root, const std::vector<Pilot>& pilots) {
  constexpr double kBetween20AndXwa = 0.6, kBetweenXwaAnd25 = 0.16;  // relative to the cost in 2.0
  int points = 0, cost = 0, all = 0;
  bool as_in_25 = !pilots.empty();
  for (const Pilot& pilot : pilots) {
    if (!pilot.points) continue;
    all += *pilot.points;
    as_in_25 = as_in_25 && cost_in(catalogue, pilot, "2025") == pilot.points;
    const auto legacy = cost_in(catalogue, pilot, "legacy");
    if (!legacy || *legacy == 0) continue;
    points += *pilot.points;
    cost += *legacy;
  }
  if (as_in_25 && all > 0) return "2.5";
  if (cost > 0 && points > 0) {
    const double ratio = static_cast<double>(points) / cost;
    return ratio > kBetween20AndXwa ? "2.0" : ratio > kBetweenXwaAnd25 ? "XWA" : "2.5";
  }
  if (all == 0) all = loose_number(root.get("points")).value_or(0);
  return all == 0 ? "" : ruleset_of_points(all);
}

constexpr int kMaxPoints25 = 25, kMaxPointsXwa = 60;  // squads may be slightly over 20 and 50 points

}  // namespace

std::string likely_ship(const Catalogue& catalogue, const data::Node& pilot, const std::string& id,
                        const std::string& faction, const std::string& cards) {
  const Pilot given = read_pilot(pilot);
  const SlotRules rules(catalogue, cards);
  const std::string stated = faction_of(faction);
  // Faction, points, upgrades that the pilot has no slot for: the first that differs decides.
  std::map<std::tuple<bool, bool, std::ptrdiff_t>, std::vector<std::string>> ranks;
  for (const std::string& ship : catalogue.ships_of_pilot(id, cards)) {
    const std::string& own = find_pilot(*catalogue.ship(ship, cards), id)->faction;
    const bool other = !stated.empty() && own != stated && side_of(own, cards) != stated;
    const auto misfits = std::count_if(given.upgrades.begin(), given.upgrades.end(), [&](const Upgrade& one) {
      return !rules.can_equip(ship, id, upgrade_id(catalogue, one, cards), "");
    });
    const bool misses = given.points && cost_on(catalogue, given, id, ship, cards) != given.points;
    ranks[{other, misses, misfits}].push_back(ship);
  }
  return ranks.empty() || ranks.begin()->second.size() > 1 ? "" : ranks.begin()->second.front();
}

const char* ruleset_of_link(int version, int points) {
  constexpr int kLastOf20 = 8, kLastOf25 = 9;
  if (version > kLastOf20 && points > 0 && points <= kMaxPointsXwa) return ruleset_of_points(points);
  return version < 0 ? "" : version <= kLastOf20 ? "2.0" : version <= kLastOf25 ? "2.5" : "XWA";
}

const char* ruleset_of_points(int points) {
  return points <= kMaxPoints25 ? "2.5" : points <= kMaxPointsXwa ? "XWA" : "2.0";
}

std::string rules_of_cards(const Catalogue& catalogue, const std::string& cards) {
  const auto& sets = Catalogue::card_sets();
  if (!base::contains(sets, cards))
    throw LoadError(fmt::format("--cards: {} is not one of {}", base::in_quotes(cards), base::joined(sets, ", ")));
  for (const std::string& id : catalogue.edition_ids()) {
    const auto& own = catalogue.edition(id)->card_sets;
    if (base::contains(own, cards)) return id;
  }
  return kSecondEdition;
}

const char* ruleset_of_set(const std::string& cards) {
  if (is_first_edition(cards)) return kFirstEdition;
  return cards == "legacy" ? "2.0" : cards == "2025" ? "2.5" : "XWA";
}

bool is_priced_by(const std::string& ruleset, const std::string& cards) {
  if (is_first_edition(cards)) return ruleset == kFirstEdition;
  return cards == card_set_of_ruleset(ruleset);
}

SquadGame find_second_edition_game(const Catalogue& catalogue, const data::Node& root,
                                   const std::vector<data::Node>& pilots) {
  std::vector<Pilot> read;
  for (const data::Node& node : pilots) {
    if (node.is(data::Value::Kind::Table)) read.push_back(read_pilot(node));
  }
  const std::string version = loose_text(root.get("version"));
  const std::array<std::pair<const char*, std::string>, 5> marks{{
      {"its ruleset", stated_ruleset(loose_text(root.get("ruleset")))},
      {"its builder", ruleset_of_builder(builder_words(root))},
      {"its version", ruleset_of_version(version)},
      {"its points", ruleset_of_ships(catalogue, root, read)},
      {"its version", version.starts_with("2.0") || version.starts_with("0.") ? "2.0" : ""},
  }};
  SquadGame out{kSecondEdition, "", {}};
  const char* decided = "";
  std::vector<std::string> against;
  for (const auto& [mark, ruleset] : marks) {
    if (out.ruleset.empty() && !ruleset.empty()) {
      out.ruleset = ruleset;
      decided = mark;
    } else if (!ruleset.empty() && ruleset != out.ruleset) {
      against.push_back(fmt::format("by {} it would be {}", mark, ruleset));
    }
  }
  const LinkHead link = link_head(builder_words(root));
  if (out.ruleset.empty()) out.ruleset = ruleset_of_link(link.version, link.points);
  if (out.ruleset.empty()) {
    out.ruleset = "XWA";
    out.notes.emplace_back("nothing in the squad says by which points it was built; those of XWA are taken");
  } else if (!against.empty()) {
    out.notes.push_back(fmt::format("the squad is read as {} because of {}, though {}, {}", out.ruleset, decided,
                                    base::joined(against, ", "), kUnlessStated));
  }
  return out;
}

SquadGame find_game(const Catalogue& catalogue, const data::Node& root, const std::vector<data::Node>& pilots) {
  SquadGame out = EditionEvidence(catalogue, root, pilots).decide();
  if (out.rules == kFirstEdition) {
    out.ruleset = kFirstEdition;
    return out;
  }
  SquadGame points = find_second_edition_game(catalogue, root, pilots);
  points.notes.insert(points.notes.begin(), out.notes.begin(), out.notes.end());
  return points;
}

}  // namespace salvo::load
