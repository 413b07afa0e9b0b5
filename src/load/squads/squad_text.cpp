#include "load/squads/squad_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "load/catalogue.h"
#include "load/name_index.h"
#include "load/pilot_stats.h"
#include "load/profile.h"
#include "load/slot_rules.h"
#include "load/squads/list_lines.h"
#include "load/squads/squad_game.h"
#include "load/squads/squad_ids.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_tree.h"

namespace salvo::load {
namespace {

using data::Value;

constexpr std::size_t kLongestList = 20'000;
constexpr int kMostCards = 500;

/// A pilot that a name may mean.
struct PilotChoice {
  const NameEntry* entry;
  std::string ship;
  const PilotSpec* spec;
};

struct TextUpgrade {
  std::string text;
  std::vector<const NameEntry*> choices;
  std::optional<int> points;
  int line;
};

struct TextShip {
  std::string text, ship;  ///< ship: the one named beside the pilot; empty: none
  std::string ship_key;    ///< what the list calls it
  std::vector<PilotChoice> choices;
  std::optional<int> points, ship_points;
  int times = 1, line = 0;
  std::size_t indent = 0;
  std::vector<TextUpgrade> upgrades;
};

/// The text of a name, and what stands in parentheses behind it, as in "Poe Dameron (PS9 Version)".
std::pair<std::string, std::string> without_hint(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || open == 0 || !text.ends_with(')')) return {text, ""};
  return {std::string(base::trimmed(std::string_view(text).substr(0, open), kAroundNames)),
          base::name_key(text.substr(open))};
}

/// Removes what fails the test, unless all does.
template <typename T, typename Test>
void keep_any(std::vector<T>& list, Test test) {
  if (std::any_of(list.begin(), list.end(), test)) std::erase_if(list, [&](const T& one) { return !test(one); });
}

/// Reads the lines with the names of one card set.
class TextReader {
 public:
  TextReader(const Catalogue& catalogue, const std::string& cards)
      : catalogue_(catalogue), cards_(cards), index_(catalogue.names(cards)), slots_(catalogue, cards) {}

  void read(std::vector<ListLine> lines) {
    for (ListLine& line : lines) {
      line.items = settled(line.items);
      if (line.items.empty()) continue;
      const std::string& first = line.items.front().text;
      const bool of_pilot = !pilots(first).empty();
      pilot_lines_ += of_pilot;
      vertical_ = vertical_ || (line.indent == 0 && !known("upgrade", first).empty() && !of_pilot);
    }
    read_lines(lines);
    if (!any_known()) {  // no title, but parts of names
      titled_ = false;
      ships_.clear();
      notes.clear();
      name.clear();
      unknown_ = cards_read_ = 0;
      read_lines(lines);
    }
    choose_all();
  }

  /// How badly the list fits the card set: names that are not exactly its own and lines without one, points that agree
  /// with its costs (negative), unknown names, cards that are variants of others. The least is best.
  std::tuple<int, int, int, int> misfit() const {
    return {unknown_ + guessed_ + skipped_, -agreeing_, unknown_, variants_};
  }
  bool empty() const { return ships_.empty(); }
  /// The number of cards in the list; the reader stores at most kMostCards.
  int cards_read() const { return cards_read_; }
  bool any_known() const {
    return std::any_of(ships_.begin(), ships_.end(), [](const TextShip& one) { return !one.choices.empty(); });
  }

  /// Whether the ship beside a known pilot is another's.
  bool any_grounded() const { return grounded_; }

  const std::string& cards() const { return cards_; }
  std::optional<int> points;
  std::vector<std::string> notes;
  std::string name;

  /// The squad as a builder would export it. Fills in the line of each path.
  Value tree(std::map<std::string, int>& places) const {
    Value list = Value::array();
    for (const TextShip& ship : ships_) {
      for (int i = 0; i < ship.times; ++i) {
        const std::string path = fmt::format("pilots[{}]", list.items.size());
        places[path] = ship.line;
        Value upgrades = Value::array();
        for (const TextUpgrade& one : ship.upgrades) {
          places[fmt::format("{}.upgrades[{}]", path, upgrades.items.size())] = one.line;
          upgrades.items.push_back(Value::of(one.choices.empty() ? one.text : std::string(one.choices[0]->id)));
        }
        Value pilot = Value::table();
        pilot.add("id", Value::of(ship.choices.empty() ? ship.text : std::string(ship.choices[0].entry->id)));
        if (!ship.choices.empty())
          pilot.add("ship", Value::of(ship.choices[0].ship));
        else if (!ship.ship.empty())
          pilot.add("ship", Value::of(ship.ship));
        if (const auto cost = total(ship)) pilot.add("points", Value::of(std::int64_t{*cost}));
        pilot.add("upgrades", std::move(upgrades));
        list.items.push_back(std::move(pilot));
      }
    }
    Value out = Value::table();
    if (!name.empty()) out.add("name", Value::of(name));
    if (!faction_.empty()) out.add("faction", Value::of(faction_));
    if (points) out.add("points", Value::of(std::int64_t{*points}));
    out.add("pilots", std::move(list));
    return out;
  }

 private:
  void read_lines(const std::vector<ListLine>& lines) {
    skipped_ = 0;
    for (const ListLine& line : lines) {
      const std::tuple before(ships_.size(), cards_read_, unknown_);
      read_line(line);
      skipped_ += before == std::tuple(ships_.size(), cards_read_, unknown_);
    }
  }

  // ---- names ----

  /// The entries with this name, or the one that it is a nickname or an id of.
  std::vector<const NameEntry*> whole(const char* kind, const std::string& text) const {
    std::vector<const NameEntry*> out;
    const std::string key = base::name_key(text);
    for (const NameEntry& entry : index_.of(kind)) {
      if (entry.key == key) out.push_back(&entry);
    }
    if (!out.empty()) return out;
    const NameMatch match = match_name(index_, kind, text);
    if (!match.whole) return out;
    if (match.sense != NameMatchKind::Ambiguous) return {index_.find(kind, match.found.id)};
    for (const Named& one : match.candidates) out.push_back(index_.find(kind, one.id));
    return out;
  }

  std::vector<const NameEntry*> known(const char* kind, const std::string& text) const {
    std::vector<const NameEntry*> out = whole(kind, text);
    const auto [bare, hint] = without_hint(text);
    if (!out.empty() || hint.empty()) return out;
    out = whole(kind, bare);
    const auto hinted = [&, inside = hint](const NameEntry* one) {
      const auto cost = catalogue_.upgrade_cost(one->id, cards_);
      const bool slot = cost && std::any_of(cost->slots.begin(), cost->slots.end(), [&](const std::string& x) {
                          return inside.starts_with(base::name_key(x));
                        });
      return slot || one->id_key.find(inside) != std::string_view::npos ||
             std::any_of(one->ships.begin(), one->ships.end(),
                         [&](std::string_view x) { return is_called(x, inside); });
    };
    keep_any(out, hinted);
    return out;
  }

  std::vector<PilotChoice> pilots(const std::string& text) const {
    std::vector<PilotChoice> out;
    for (const NameEntry* entry : known("pilot", text)) {
      for (const std::string_view ship : entry->ships) {
        const ShipSpec* const spec = catalogue_.ship(ship, cards_);
        const PilotSpec* const pilot = spec == nullptr ? nullptr : find_pilot(*spec, entry->id);
        if (pilot != nullptr) out.push_back({entry, std::string(ship), pilot});
      }
    }
    const std::string hint = without_hint(text).second;
    if (hint.empty()) return out;
    const auto named = ships_named(hint);
    keep_any(out, [&](const PilotChoice& one) {
      const std::string skill = std::to_string(one.spec->initiative);
      const std::string faction = base::name_key(one.spec->faction);
      return hint.starts_with("ps" + skill) || hint.starts_with("i" + skill) || is_called(one.ship, hint) ||
             base::contains(named, one.ship) || one.entry->id_key.find(hint) != std::string_view::npos ||
             (hint.size() >= 4 && faction.find(hint.substr(0, 4)) != std::string::npos);
    });
    return out;
  }

  static bool is_called(std::string_view ship, std::string_view key) {
    return base::name_key(ship).find(key) != std::string::npos;
  }

  /// The ships that have this whole name or nickname.
  std::vector<std::string> ships_named(const std::string& text) const {
    std::vector<std::string> out;
    for (const NameEntry* one : whole("ship", text)) out.emplace_back(one->id);
    return out;
  }

  /// The ship that the list names beside the pilot, if none of that name flies the pilot.
  std::string wrong_ship(const TextShip& ship, const std::string& hint) const {
    const std::string& key = ship.ship.empty() ? hint : ship.ship_key;
    const auto named = ship.ship.empty() ? ships_named(hint) : std::vector{ship.ship};
    const bool fits = std::any_of(ship.choices.begin(), ship.choices.end(), [&](const PilotChoice& one) {
      return base::contains(named, one.ship) || (!key.empty() && is_called(one.ship, key));
    });
    return fits || named.empty() ? std::string() : named.front();
  }

  /// The ship of this name. Behind a pilot a part of it is enough, if that tells the ships of the pilot apart.
  std::string ship_id(const std::string& text, bool part) const {
    const auto found = whole("ship", text);
    if (found.size() == 1) return std::string(found[0]->id);
    const NameMatch match = match_name(index_, "ship", text);
    if (!part || ships_.empty() || match.sense == NameMatchKind::Unknown) return {};
    std::vector<Named> named = match.candidates;
    if (named.empty()) named.push_back(match.found);
    for (const PilotChoice& one : ships_.back().choices) {
      if (std::any_of(named.begin(), named.end(), [&](const Named& x) { return x.id == one.ship; })) return one.ship;
    }
    return {};
  }

  /// The id of a faction, if these words name one.
  std::string faction_of(const std::string& text) const {
    static constexpr std::pair<std::string_view, std::string_view> kFactions[] = {
        {"rebel", "rebelalliance"},       {"galacticempire", "galacticempire"},
        {"imperial", "galacticempire"},   {"empire", "galacticempire"},
        {"scum", "scumandvillainy"},      {"resistance", "resistance"},
        {"firstorder", "firstorder"},     {"galacticrepublic", "galacticrepublic"},
        {"republic", "galacticrepublic"}, {"separatist", "separatistalliance"},
        {"cis", "separatistalliance"}};
    const std::string key = base::name_key(text);
    constexpr std::array<std::string_view, 5> kRests{"", "s", "alliance", "andvillainy", "squadron"};
    for (const auto& [word, faction] : kFactions) {
      if (key.starts_with(word) && base::contains(kRests, std::string_view(key).substr(word.size())))
        return std::string(faction);
    }
    return {};
  }

  // ---- lines ----

  /// Lines of sums and of what the table shows besides.
  bool read_remark(const ListLine& line) {
    static constexpr std::string_view kRemarks[] = {
        "total",   "points",          "squadtotal", "squadpoints", "shiptotal", "shipcost", "halfpoints",
        "loadout", "damagethreshold", "threshold",  "obstacles",   "viewin",    "pts"};
    const ListItem& first = line.items.front();
    const std::string key = base::name_key(first.text);
    const auto at = std::find_if(std::begin(kRemarks), std::end(kRemarks),
                                 [&](std::string_view one) { return key.starts_with(one); });
    if (at == std::end(kRemarks) || !pilots(first.text).empty() || !known("upgrade", first.text).empty()) return false;
    const std::size_t digit = first.text.find_first_of("0123456789");
    const auto number = first.points                 ? first.points
                        : digit == std::string::npos ? std::nullopt
                                                     : points_in(std::string_view(first.text).substr(digit));
    if (number && (key.starts_with("total") || key.starts_with("squad"))) points = number;
    if (number && !ships_.empty() && (key == "points" || key.starts_with("ship"))) ships_.back().points = number;
    return true;
  }

  bool is_card(const std::string& text) const {
    return !whole("pilot", text).empty() || !whole("upgrade", text).empty();
  }

  /// Whether these are all letters of a card's name.
  bool is_name(const std::string& text) const {
    const std::string key = base::name_key(text);
    const auto same = [&](const NameEntry& entry) { return entry.key == key; };
    const auto &pilots = index_.of("pilot"), &upgrades = index_.of("upgrade");
    return std::any_of(pilots.begin(), pilots.end(), same) || std::any_of(upgrades.begin(), upgrades.end(), same);
  }

  /// Joins names that wide blanks took apart, and splits "Luke Skywalker (Predator, R2-D2)" and "Luke Skywalker with
  /// Predator and R2-D2" into their cards.
  std::vector<ListItem> settled(const std::vector<ListItem>& items) const {
    std::vector<ListItem> out;
    for (const ListItem& item : items) {
      if (!out.empty() && out.back().behind == ' ' && is_name(out.back().text + item.text)) {
        out.back().text += " " + item.text;
        if (item.points) out.back().points = item.points;
        out.back().behind = item.behind;
        continue;
      }
      split(item, out);
    }
    return out;
  }

  void split(ListItem item, std::vector<ListItem>& out) const {
    const std::string text = item.text;
    const auto begin_with = [&](std::string_view pilot, std::string_view rest, bool bracketed) {
      ListItem first = item;
      first.text = base::trimmed(pilot, kAroundNames);
      if (pilots(first.text).empty()) return false;
      first.behind = bracketed ? '[' : '+';
      first.points = std::nullopt;
      out.push_back(first);
      item.text = base::trimmed(rest, kAroundNames);
      item.before = bracketed ? '[' : '+';
      item.bracketed = bracketed;
      item.times = 1;
      return true;
    };
    const auto cut = [&](std::string_view words) {
      const std::size_t at = is_card(item.text) ? std::string::npos : base::lower_case(item.text).find(words);
      return at == std::string::npos ? std::pair(std::string(), std::string())
                                     : std::pair(item.text.substr(0, at), item.text.substr(at + words.size()));
    };
    const std::size_t open = text.find('('), end = text.rfind(')');
    if (open != std::string::npos && end == text.size() - 1 && open > 0) {
      const std::string inside = text.substr(open + 1, end - open - 1);
      const std::size_t comma = std::min(inside.find_first_of(",;+"), inside.size());
      if (!is_slot(inside) && !whole("upgrade", inside.substr(0, comma)).empty())
        begin_with(text.substr(0, open), inside, true);
    }
    for (const std::string_view words : {" with ", " w/ ", " in "}) {
      const auto [pilot, rest] = cut(words);
      if (pilot.empty() || (words == " in " && ship_id(rest, false).empty()) || begin_with(pilot, rest, false))
        continue;
      const std::size_t in = pilot.find(" in ");  // "Luke Skywalker in X-wing with R2-D2"
      if (in == std::string::npos || !begin_with(pilot.substr(0, in), pilot.substr(in + 4), false)) continue;
      out.push_back(item);
      item.text = base::trimmed(rest, kAroundNames);
    }
    const std::size_t close = open == std::string::npos ? open : text.find(')', open);
    if (item.text == text && close < text.size() - 1 && open > 0)
      begin_with(text.substr(0, close + 1), text.substr(close + 1), false);
    while (!out.empty() && item.text != text) {
      std::size_t comma = item.text.find_first_of(",;+"), width = 1;
      if (comma == std::string::npos && !is_card(item.text)) comma = item.text.find(" and "), width = 5;
      if (comma == std::string::npos) break;
      ListItem one = item;
      one.text = base::trimmed(std::string_view(item.text).substr(0, comma), kAroundNames);
      one.points = std::nullopt;
      out.push_back(std::move(one));
      item.text = base::trimmed(std::string_view(item.text).substr(comma + width), kAroundNames);
    }
    out.push_back(std::move(item));
  }

  void read_line(const ListLine& line) {
    if (line.items.empty() || read_remark(line)) return;
    bool upgrades_only = false;
    for (std::size_t i = 0; i < line.items.size(); ++i) {
      ListItem item = line.items[i];
      if (item.behind == ':' && is_slot(item.text)) {
        upgrades_only = true;
        continue;
      }
      read_item(line, item, i, upgrades_only);
    }
    give_points_to_ship(line);
  }

  /// In "Han Solo + Predator + Gunner (54)", the points are those of the ship.
  void give_points_to_ship(const ListLine& line) {
    if (ships_.empty() || ships_.back().line != line.number || ships_.back().points) return;
    TextShip& ship = ships_.back();
    const auto stated = std::count_if(ship.upgrades.begin(), ship.upgrades.end(),
                                      [](const TextUpgrade& one) { return one.points.has_value(); });
    const bool enough = std::any_of(ship.choices.begin(), ship.choices.end(), [&](const PilotChoice& one) {
      return !ship.upgrades.empty() && one.spec->cost <= ship.upgrades.back().points.value_or(-1);
    });
    if (stated == 1 && enough) ship.points = std::exchange(ship.upgrades.back().points, std::nullopt);
  }

  static bool is_slot(const std::string& text) {
    static constexpr std::string_view kSlots[] = {
        "talent", "elite",      "ept",     "torpedo",  "missile",  "cannon",  "turret",    "crew",
        "gunner", "astromech",  "sensor",  "system",   "tech",     "device",  "bomb",      "illicit",
        "mod",    "title",      "config",  "force",    "tactical", "command", "hardpoint", "team",
        "cargo",  "hyperdrive", "upgrade", "salvaged", "payload"};
    const std::string key = base::name_key(text);
    return std::any_of(std::begin(kSlots), std::end(kSlots), [&](std::string_view x) { return key.starts_with(x); });
  }

  void read_item(const ListLine& line, ListItem& item, std::size_t at, bool upgrades_only) {
    const bool start = at == 0 || ((item.before == '/' || item.before == ';' || item.before == '|') && !upgrades_only);
    std::vector<PilotChoice> as_pilot = pilots(item.text);
    std::vector<const NameEntry*> as_upgrade = known("upgrade", item.text);
    if (as_pilot.empty() && as_upgrade.empty()) shorten(item, as_pilot, as_upgrade);
    const std::string ship = ship_id(item.text, as_pilot.empty() && as_upgrade.empty());
    const bool open = !ships_.empty();
    if (!ship.empty() && (as_pilot.empty() || !start) && as_upgrade.empty()) {
      if (open && ships_.back().ship.empty() && (!start || line.indent > 0 || !line.after_blank) && at <= 1 &&
          ships_.back().upgrades.empty()) {
        ships_.back().ship = ship;
        ships_.back().ship_key = base::name_key(item.text);
        ships_.back().ship_points = item.points;
      } else {
        pending_ship_ = ship;
        pending_key_ = base::name_key(item.text);
      }
      return;
    }
    const bool fits = open && std::any_of(as_upgrade.begin(), as_upgrade.end(),
                                          [&](const NameEntry* one) { return can_equip(ships_.back(), one->id); });
    const bool pilot = !as_pilot.empty() && !upgrades_only &&
                       (as_upgrade.empty() || !open || !pending_ship_.empty() ||
                        reads_as_pilot(line, item, at, start, fits, as_pilot, as_upgrade));
    if (pilot) return begin_ship(line, item, std::move(as_pilot));
    if (!as_upgrade.empty() && open) return add_upgrade(line, item, std::move(as_upgrade));
    const std::string faction = faction_of(item.text);
    if (!open && !faction.empty()) {
      stated_faction_ = faction;
    } else if (!open && as_upgrade.empty() && is_header(line) &&
               ((titled_ && item.text.find(' ') == std::string::npos) || guess_pilot(item.text).empty())) {
      if (name.empty())
        name = base::printable(item.text, 100);
      else
        notes.push_back(fmt::format("line {}: {} is no ship, and left out", line.number, base::in_quotes(item.text)));
    } else if (open && (!start || line.indent > ships_.back().indent || (vertical_ && !line.after_blank))) {
      add_upgrade(line, item, {});
    } else {
      begin_ship(line, item, {});
    }
  }

  /// Tries a name without a number at its ends, in the singular, and as a part of a name.
  void shorten(ListItem& item, std::vector<PilotChoice>& as_pilot, std::vector<const NameEntry*>& as_upgrade) {
    const std::string full = item.text;
    const auto attempt = [&](std::string_view text) {
      if (!as_pilot.empty() || !as_upgrade.empty()) return false;
      text = base::trimmed(text, kAroundNames);
      for (const std::size_t plural : {0u, 1u}) {
        if (!text.ends_with('s') && plural > 0) break;
        item.text = text.substr(0, text.size() - plural);
        as_pilot = pilots(item.text);
        as_upgrade = known("upgrade", item.text);
        if (!as_pilot.empty() || !as_upgrade.empty()) return true;
      }
      return false;
    };
    const std::size_t first = full.find(' '), last = full.rfind(' ');
    constexpr int kMostShips = 8;  // a larger number in front is that of points
    if (last != std::string::npos) {
      if (const auto number = points_in(std::string_view(full).substr(last)); number && attempt(full.substr(0, last)))
        item.points = number;
      if (const auto number = points_in(std::string_view(full).substr(0, first));
          number && attempt(full.substr(first))) {
        if (*number > kMostShips)
          item.points = number;
        else
          item.times = std::max(1, *number);
      }
    }
    attempt(full);
    if (as_pilot.empty() && as_upgrade.empty()) item.text = full;
  }

  bool reads_as_pilot(const ListLine& line, const ListItem& item, std::size_t at, bool start, bool fits,
                      const std::vector<PilotChoice>& as_pilot, const std::vector<const NameEntry*>& as_upgrade) const {
    if (item.before == '+' || item.bracketed) return false;
    if (!start) return !fits && pilot_lines_ < 2;
    if (line.indent > ships_.back().indent) return false;
    if (!fits) return true;
    if (at + 1 < line.items.size()) return true;
    if (item.points) {
      const bool of_pilot = std::any_of(as_pilot.begin(), as_pilot.end(),
                                        [&](const PilotChoice& one) { return one.spec->cost <= *item.points; });
      const bool of_upgrade = std::any_of(as_upgrade.begin(), as_upgrade.end(), [&](const NameEntry* one) {
        const auto cost = catalogue_.upgrade_cost(one->id, cards_);
        return cost && cost->fixed == item.points;
      });
      if (of_pilot != of_upgrade) return of_pilot;
    }
    return !vertical_ || line.after_blank;
  }

  /// Whether a line before the first ship names no card.
  bool is_header(const ListLine& line) const {
    return std::none_of(line.items.begin(), line.items.end(), [&](const ListItem& item) {
      return item.before == '+' || !known("upgrade", item.text).empty() || !pilots(item.text).empty();
    });
  }

  void begin_ship(const ListLine& line, const ListItem& item, std::vector<PilotChoice> choices) {
    if (choices.empty()) choices = guess_pilot(item.text);
    TextShip ship;
    ship.text = item.text;
    ship.ship = std::exchange(pending_ship_, "");
    ship.ship_key = std::exchange(pending_key_, "");
    ship.choices = std::move(choices);
    ship.points = item.points;
    ship.times = item.times;
    ship.line = line.number;
    ship.indent = line.indent;
    if (ship.choices.empty()) ++unknown_;
    cards_read_ += ship.times;
    ships_.push_back(std::move(ship));
  }

  /// The card that a part of its name or a slip of the pen means, if it can only be one.
  const NameEntry* guess(const char* kind, const std::string& text) const {
    const std::string bare = without_hint(text).first;
    const std::string words = bare.starts_with("Lt. ") ? "Lieutenant " + bare.substr(4) : bare;
    const NameMatch match = find_name(catalogue_, kind, words, cards_);
    if (match.sense == NameMatchKind::Likely || match.sense == NameMatchKind::Exact)
      return index_.find(kind, match.found.id);
    const bool near = match.sense == NameMatchKind::Unknown && match.candidates.size() == 1;
    return near ? index_.find(kind, match.candidates[0].id) : nullptr;
  }

  std::vector<PilotChoice> guess_pilot(const std::string& text) const {
    const NameEntry* const entry = guess("pilot", text);
    return entry == nullptr ? std::vector<PilotChoice>() : pilots(std::string(entry->name));
  }

  void add_upgrade(const ListLine& line, const ListItem& item, std::vector<const NameEntry*> choices) {
    if (choices.empty()) {
      const NameEntry* const entry = guess("upgrade", item.text);
      if (entry != nullptr) choices.push_back(entry);
    }
    if (choices.empty()) ++unknown_;
    cards_read_ += item.times * ships_.back().times;
    for (int i = 0; i < item.times && cards_read_ <= kMostCards; ++i)
      ships_.back().upgrades.push_back({item.text, choices, item.points, line.number});
  }

  bool can_equip(const TextShip& ship, std::string_view upgrade) const {
    return std::any_of(ship.choices.begin(), ship.choices.end(), [&](const PilotChoice& one) {
      return slots_.can_equip(one.ship, std::string(one.entry->id), std::string(upgrade), "");
    });
  }

  /// Whether the pilot meets the restrictions of all upgrades.
  bool may_carry(const PilotChoice& pilot, const std::vector<TextUpgrade>& upgrades) const {
    const ShipSpec& ship = *catalogue_.ship(pilot.ship, cards_);
    return std::all_of(upgrades.begin(), upgrades.end(), [&](const TextUpgrade& upgrade) {
      return upgrade.choices.empty() ||
             std::any_of(upgrade.choices.begin(), upgrade.choices.end(), [&](const NameEntry* one) {
               return slots_.unmet(std::string(one->id), ship, pilot.spec).empty();
             });
    });
  }

  // ---- the choice among cards of one name ----

  void choose_all() {
    choose_faction();
    int all = 0;
    for (TextShip& ship : ships_) {
      if (ship.choices.empty()) continue;
      const auto [bare, hint] = without_hint(ship.text);
      if (const std::string wrong = wrong_ship(ship, hint); !wrong.empty()) {
        ship.text = bare;
        ship.ship = wrong;
        ship.choices.clear();
        ++unknown_;
        grounded_ = true;
        continue;
      }
      const std::string key = base::name_key(bare);
      const bool hinted = !hint.empty();
      put_best(ship.choices, [&](const PilotChoice& one) {
        const bool usual = !hinted && (one.entry->id_key == key || one.entry->id_key == key + one.ship);
        const bool named = one.ship == ship.ship || (!ship.ship_key.empty() && is_called(one.ship, ship.ship_key));
        return 16 * named + 8 * (side(*one.spec) == faction_) + 4 * (ship.points == one.spec->cost) +
               2 * may_carry(one, ship.upgrades) + usual;
      });
      const PilotChoice chosen = ship.choices[0];
      ship.choices = {chosen};
      note(ship.line, ship.text, *chosen.entry);
      for (TextUpgrade& one : ship.upgrades) {
        if (one.choices.empty()) continue;
        put_best(one.choices, [&](const NameEntry* entry) { return 2 * can_equip(ship, entry->id); });
        note(one.line, one.text, *one.choices[0]);
        variants_ += one.choices[0]->id.find('-') != std::string_view::npos ? 1 : 0;
        if (one.points && one.points == cost(one, ship)) ++agreeing_;
      }
      const int full = total_cost(ship);
      all += full * ship.times;
      if (ship.points && (ship.points == chosen.spec->cost || ship.points == full)) ++agreeing_;
    }
    if (points == all) ++agreeing_;
  }

  /// Moves the best to the front; of equals the first. A hint in parentheses has put its choice first.
  template <typename T, typename Score>
  static void put_best(std::vector<T>& choices, Score score) {
    const auto best =
        std::max_element(choices.begin(), choices.end(), [&](const T& a, const T& b) { return score(a) < score(b); });
    std::rotate(choices.begin(), best, best + 1);
  }

  /// The faction that a squad with the pilot has: two of the first edition are parts of others.
  std::string side(const PilotSpec& pilot) const {
    if (!cards_.starts_with(kFirstEdition)) return pilot.faction;
    return pilot.faction == "resistance"   ? "rebelalliance"
           : pilot.faction == "firstorder" ? "galacticempire"
                                           : pilot.faction;
  }

  /// The faction stated, else the one that most ships can have.
  void choose_faction() {
    std::map<std::string, int> many;
    for (const TextShip& ship : ships_) {
      std::vector<std::string> own;
      for (const PilotChoice& one : ship.choices) {
        base::add_once(own, side(*one.spec));
      }
      for (const std::string& faction : own) ++many[faction];
    }
    for (const auto& [faction, number] : many) {
      const bool stated = stated_faction_ == faction;
      if (faction_.empty() || number + 100 * stated > many[faction_]) {
        faction_ = faction;
        many[faction] += 100 * stated;
      }
    }
  }

  void note(int line, const std::string& text, const NameEntry& entry) {
    const std::string key = base::name_key(without_hint(text).first);
    if (key == entry.key || key == entry.id_key || base::name_key(text) == entry.key) return;
    ++guessed_;
    notes.push_back(fmt::format("line {}: {} is read as {} ({})", line, base::in_quotes(text), entry.id, entry.name));
  }

  // ---- points ----

  std::optional<int> cost(const TextUpgrade& one, const TextShip& ship) const {
    return upgrade_cost_on(catalogue_, std::string(one.choices[0]->id), cards_, ship.choices[0].spec,
                           catalogue_.ship(ship.choices[0].ship, cards_));
  }

  int total_cost(const TextShip& ship) const {
    const PilotSpec& pilot = *ship.choices[0].spec;
    int out = pilot.cost;
    if (pilot.loadout || !pilot.standard_loadout.empty()) return out;
    for (const TextUpgrade& one : ship.upgrades) {
      if (!one.choices.empty()) out += cost(one, ship).value_or(0);
    }
    return out;
  }

  /// What the ship costs with its upgrades, if the list says so: the number behind a pilot may be that of the pilot
  /// alone.
  std::optional<int> total(const TextShip& ship) const {
    if (!ship.points || ship.choices.empty() || (ship.ship_points && ship.ship_points != ship.points))
      return ship.points;
    const PilotSpec& pilot = *ship.choices[0].spec;
    if (pilot.loadout || *ship.points != pilot.cost || ship.upgrades.empty()) return ship.points;
    int out = *ship.points;
    for (const TextUpgrade& one : ship.upgrades) {
      if (!one.points) return std::nullopt;
      out += *one.points;
    }
    return out;
  }

  const Catalogue& catalogue_;
  const std::string cards_;
  const NameIndex& index_;
  SlotRules slots_;
  std::vector<TextShip> ships_;
  std::string pending_ship_, pending_key_, stated_faction_, faction_;
  int pilot_lines_ = 0;    ///< lines that begin with a pilot
  bool vertical_ = false;  ///< upgrades stand on lines of their own
  bool grounded_ = false;  ///< the ship named beside a pilot is another's
  bool titled_ = true;     ///< a single word before the first ship is the title of the list
  int unknown_ = 0, agreeing_ = 0, guessed_ = 0, cards_read_ = 0;
  int skipped_ = 0;   ///< lines without a card, such as titles
  int variants_ = 0;  ///< upgrades whose plain name is the id of another one
};

/// The card sets that a list may be of, the usual one first.
std::vector<std::string> possible_sets(const Catalogue& catalogue, const std::optional<std::string>& cards,
                                       const std::optional<std::string>& rules) {
  if (cards) return {*cards};
  std::vector<std::string> out{catalogue.card_set("", rules.value_or(kSecondEdition))};
  const Edition* const edition = rules ? catalogue.edition(*rules) : nullptr;
  for (const std::string& set : Catalogue::card_sets()) {
    if (!base::contains(out, set) && (!rules || (edition != nullptr && base::contains(edition->card_sets, set))))
      out.push_back(set);
  }
  return out;
}

std::string ruleset_of_set(const std::string& cards) {
  return cards == "legacy" ? "2.0" : cards == "2025" ? "2.5" : cards == "xwa" ? "XWA" : "";
}

}  // namespace

bool is_squad_text(std::string_view words) {
  words = base::trimmed(words);
  if (words.find('\n') != std::string_view::npos) return true;
  const std::size_t digits = words.find_first_not_of("0123456789");
  const bool of_dice = digits != 0 && digits != std::string_view::npos && words[digits] == ' ';  // "3 focus + lock"
  if (of_dice || words.find('=') != std::string_view::npos) return false;
  if (words.find_first_of("[+") != std::string_view::npos || words.find(" / ") != std::string_view::npos) return true;
  const std::size_t open = words.rfind('(');
  return open != std::string_view::npos && words.ends_with(')') && points_in(words.substr(open)).has_value();
}

Squad parse_squad_text(const Catalogue& catalogue, std::string_view text, const std::string& source,
                       const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  text = data::check_text(text, source);
  if (text.size() > kLongestList) {
    data::fail(source, "", 0,
               fmt::format("a list of ships has at most {} characters, this text has {}; cut it into squads",
                           kLongestList, text.size()));
  }
  std::string link;
  const std::vector<ListLine> lines = lines_of(text, link);
  std::vector<TextReader> readers;
  for (const std::string& set : possible_sets(catalogue, cards, rules))
    readers.emplace_back(catalogue, set).read(lines);
  const TextReader* best = &readers.front();
  bool tied = false;
  for (const TextReader& one : readers) {
    if (&one == best || one.empty()) continue;
    tied = tied || one.misfit() == best->misfit();
    if (!best->empty() && one.misfit() >= best->misfit()) continue;
    best = &one;
    tied = false;
  }
  if (best->empty() && !link.empty()) return parse_squad_link(catalogue, link, cards, rules);
  if (!best->any_known() && !best->any_grounded()) {
    const std::string first =
        lines.empty() ? "it has no name" : base::in_quotes(lines.front().items.front().text) + " is none";
    data::fail(
        source, "", lines.empty() ? 0 : lines.front().number,
        fmt::format("no pilot is found, {}; a squad is XWS (JSON, as builders export it), a link, or a list with a "
                    "ship on each line, as Luke Skywalker [Predator] (62)",
                    first));
  }
  if (best->cards_read() > kMostCards) {
    data::fail(
        source, "", 0,
        fmt::format("the list has {} cards, more than any squad ({}); cut it into squads, and check numbers such "
                    "as 2x",
                    best->cards_read(), kMostCards));
  }
  std::map<std::string, int> places;
  Value tree = best->tree(places);
  const std::string ruleset = ruleset_of_set(best->cards());
  if (!ruleset.empty() && (!cards || best->points)) tree.add("ruleset", Value::of(ruleset));
  Squad out = read_squad(catalogue, tree, source, best->cards(), rules);
  out.notes.insert(out.notes.begin(), best->notes.begin(), best->notes.end());
  for (UnknownId& unknown : out.unknown) {
    std::string path = unknown.path;
    while (!path.empty() && !places.contains(path)) path.resize(std::min(path.rfind('.'), path.size() - 1));
    if (const auto at = places.find(path); at != places.end()) unknown.path = fmt::format("line {}", at->second);
  }
  if (tied && !cards && !rules) {
    out.notes.push_back(fmt::format(
        "nothing in the list says its edition or points; it is read with the card set {} (--rules or --cards decides)",
        best->cards()));
  }
  return out;
}

}  // namespace salvo::load
