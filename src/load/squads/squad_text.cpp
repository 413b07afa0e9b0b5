#include "load/squads/squad_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#ifdef SALVO_FIRST_VISIT
#include "base/complete_module.h"
#endif
#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "load/catalogue.h"
#include "load/profile.h"
#include "load/spec_words.h"
#include "load/squads/list_lines.h"
#include "load/squads/list_names.h"
#include "load/squads/list_squad.h"
#include "load/squads/squad_game.h"
#include "load/squads/squad_ids.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_tree.h"

namespace salvo::load {

#ifndef SALVO_FIRST_VISIT  // the first of two modules in WebAssembly leaves lists to the complete one
namespace {

using data::Value;

constexpr std::size_t kLongestList = 20'000;
constexpr int kMostCards = 500;

/// Reads the lines with the names of one card set.
class TextReader {
 public:
  TextReader(const Catalogue& catalogue, const std::string& cards) : names_(catalogue, cards) {}

  void read(std::vector<ListLine> lines) {
    for (ListLine& line : lines) {
      line.items = settled(line.items);
      if (!line.items.empty() && is_ship_label(line.items.front())) drop_label(line.items);
      if (line.items.empty()) continue;
      const std::string& first = line.items.front().text;
      const bool of_pilot = !names_.pilots(first).empty();
      pilot_lines_ += of_pilot;
      vertical_ = vertical_ || (line.indent == 0 && !names_.upgrades(first).empty() && !of_pilot);
    }
    read_lines(lines);
    if (!squad_.any_known()) {  // no title, but parts of names
      titled_ = false;
      squad_.ships.clear();
      squad_.notes.clear();
      squad_.name.clear();
      squad_.unknown = squad_.cards_read = 0;
      read_lines(lines);
    }
    squad_.choose(names_);
    note_numbers(lines);
    if (title_line_ > 0 && !squad_.ships.empty()) {
      squad_.notes.push_back(fmt::format("line {}: {} beside a link names no card, and is the name of the squad",
                                         title_line_, base::in_quotes(squad_.name)));
    }
  }

  const ListSquad& squad() const { return squad_; }
  const std::string& cards() const { return names_.cards(); }

 private:
  void read_lines(const std::vector<ListLine>& lines) {
    squad_.skipped = 0;
    pending_ = {};
    title_line_ = 0;
    for (const ListLine& line : lines) {
      if (squad_.cards_read > kMostCards) return;
      const std::tuple before(squad_.ships.size(), squad_.cards_read, squad_.unknown);
      read_line(line);
      squad_.skipped += before == std::tuple(squad_.ships.size(), squad_.cards_read, squad_.unknown);
    }
    set_pending({});
  }

  void note_numbers(const std::vector<ListLine>& lines) {
    if (std::any_of(lines.begin(), lines.end(), [](const ListLine& line) { return line.counts; }))
      squad_.notes.push_back("the numbers at the starts of lines are those of the lines; write 2x for two ships");
  }

  /// Lines with totals, and with other things that builders print besides cards.
  bool read_remark(const ListLine& line) {
    static constexpr std::string_view kRemarks[] = {
        "total",           "points",    "squadtotal", "squadpoints", "shiptotal", "shipcost", "halfpoints", "loadout",
        "damagethreshold", "threshold", "obstacles",  "viewin",      "pts",       "gesamt",   "punkte",     "puntos"};
    const ListItem& first = line.items.front();
    const std::string key = base::name_key(first.text);
    const auto at = std::find_if(std::begin(kRemarks), std::end(kRemarks),
                                 [&](std::string_view one) { return key.starts_with(one); });
    if (at == std::end(kRemarks) || !names_.pilots(first.text).empty() || !names_.upgrades(first.text).empty())
      return false;
    const std::size_t digit = first.text.find_first_of("0123456789");
    const auto number = first.points                 ? first.points
                        : digit == std::string::npos ? std::nullopt
                                                     : points_in(std::string_view(first.text).substr(digit));
    if (number && (key.starts_with("total") || key.starts_with("squad"))) squad_.points = number;
    if (number && !squad_.ships.empty() && (key == "points" || key.starts_with("ship")))
      squad_.ships.back().points = number;
    return true;
  }

  /// Joins names that wide blanks split, and splits "Luke Skywalker (Predator, R2-D2)" and "Luke Skywalker with
  /// Predator and R2-D2" into their cards.
  std::vector<ListItem> settled(const std::vector<ListItem>& items) const {
    std::vector<ListItem> out;
    for (const ListItem& item : items) {
      if (!out.empty() && out.back().behind == ' ' && names_.is_name(out.back().text + item.text)) {
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
    const std::size_t last = std::min(item.text.rfind(')'), item.text.size() - 1) + 1;
    if (const auto points = points_in(std::string_view(item.text).substr(last))) {  // "Luke Skywalker (Predator) 46"
      item.points = points;
      item.text.resize(last);
    }
    const std::string text = item.text;
    const auto begin_with = [&](std::string_view pilot, std::string_view rest, bool bracketed) {
      ListItem first = item;
      first.text = base::trimmed(pilot, kAroundNames);
      if (names_.pilots(first.text).empty()) return false;
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
      const std::size_t at = names_.is_card(item.text) ? std::string::npos : base::lower_case(item.text).find(words);
      return at == std::string::npos ? std::pair(std::string(), std::string())
                                     : std::pair(item.text.substr(0, at), item.text.substr(at + words.size()));
    };
    const std::size_t open = text.find('('), end = text.rfind(')');
    if (open != std::string::npos && end == text.size() - 1 && open > 0) {
      const std::string inside = text.substr(open + 1, end - open - 1);
      const std::size_t comma = std::min(inside.find_first_of(",;+"), inside.size());
      if (!is_slot(inside) && names_.is_upgrade(inside.substr(0, comma)))
        begin_with(text.substr(0, open), inside, true);
    }
    for (const std::string_view words : {" with ", " w/ ", " mit ", " avec ", " con ", " in "}) {
      const auto [pilot, rest] = cut(words);
      if (pilot.empty() || (words == " in " && names_.ship_id(rest, {}).empty()) || begin_with(pilot, rest, false))
        continue;
      const std::size_t in = base::lower_case(pilot).find(" in ");  // "Luke Skywalker in X-wing with R2-D2"
      if (in == std::string::npos || !begin_with(pilot.substr(0, in), pilot.substr(in + 4), false)) continue;
      out.push_back(item);
      item.text = base::trimmed(rest, kAroundNames);
    }
    const std::size_t close = open == std::string::npos ? open : text.find(')', open);
    if (item.text == text && close < text.size() - 1 && open > 0)
      begin_with(text.substr(0, close + 1), text.substr(close + 1), false);
    while (true) {
      const bool begun = item.text != text;
      std::size_t comma = begun ? item.text.find_first_of(",;+") : std::string::npos, width = 1;
      for (const std::string_view word : {" and ", " und ", " et ", " y "}) {
        if (comma == std::string::npos && !names_.is_card(item.text))
          comma = base::lower_case(item.text).find(word), width = word.size();
      }
      if (comma == std::string::npos) break;
      // Nicknames, as in "Han and Luke", are the title of a list.
      if (!begun && !(names_.is_name(item.text.substr(0, comma)) && names_.is_name(item.text.substr(comma + width))))
        break;
      ListItem one = item;
      one.text = base::trimmed(std::string_view(item.text).substr(0, comma), kAroundNames);
      one.points = std::nullopt;
      out.push_back(std::move(one));
      if (!begun) item.before = ',';
      item.times = 1;
      item.text = base::trimmed(std::string_view(item.text).substr(comma + width), kAroundNames);
    }
    out.push_back(std::move(item));
  }

  void read_line(const ListLine& line) {
    if (line.items.empty() || read_remark(line) || (line.beside_link && read_title(line))) return;
    // "R2-D2 [Astromech]"
    bool upgrades_only =
        line.items.size() == 2 && line.items[1].bracketed && is_label(line.items[1]) &&
        (names_.pilots(line.items[0].text).empty() || has_slot(line.items[0].text, line.items[1].text));
    separates_upgrades_.clear();
    for (std::size_t i = 0; i < line.items.size() && squad_.cards_read <= kMostCards; ++i) {
      ListItem item = line.items[i];
      if (is_label(item)) {
        upgrades_only = true;
        continue;
      }
      read_item(line, item, i, upgrades_only);
    }
    give_points_to_ship(line);
  }

  /// In "Han Solo + Predator + Gunner (54)", the points are those of the ship.
  void give_points_to_ship(const ListLine& line) {
    if (squad_.ships.empty() || squad_.ships.back().line != line.number || squad_.ships.back().points) return;
    ListShip& ship = squad_.ships.back();
    const auto stated = std::count_if(ship.upgrades.begin(), ship.upgrades.end(),
                                      [](const ListUpgrade& one) { return one.points.has_value(); });
    const bool enough = std::any_of(ship.choices.begin(), ship.choices.end(), [&](const PilotChoice& one) {
      return !ship.upgrades.empty() && one.spec->cost <= ship.upgrades.back().points.value_or(-1);
    });
    if (stated == 1 && enough) ship.points = std::exchange(ship.upgrades.back().points, std::nullopt);
  }

  /// Whether all of its words are of slots, as in "Elite Pilot Talents" and "Crew Slot 2".
  static bool is_slot(const std::string& text) {
    static constexpr std::string_view kSlots[] = {
        "talent",       "elite",     "ept",    "torpedo",       "missile", "cannon",   "turret",   "crew",
        "gunner",       "astromech", "sensor", "system",        "tech",    "device",   "bomb",     "illicit",
        "modification", "mod",       "title",  "configuration", "config",  "force",    "tactical", "command",
        "hardpoint",    "team",      "cargo",  "hyperdrive",    "upgrade", "salvaged", "payload"};
    static constexpr std::string_view kBesides[] = {"slot", "pilot", "power", "relay", "droid", "member",
                                                    "card", "mine",  "es",    "s",     "and"};
    const std::string key = base::name_key(text);
    std::string_view rest = std::string_view(key).substr(0, key.find_last_not_of("0123456789") + 1);
    const auto cut = [&](const auto& words) {
      const auto at =
          std::find_if(std::begin(words), std::end(words), [&](std::string_view x) { return rest.starts_with(x); });
      if (at != std::end(words)) rest.remove_prefix(at->size());
      return at != std::end(words);
    };
    if (!cut(kSlots)) return false;
    while (cut(kSlots) || cut(kBesides)) continue;
    return rest.empty();
  }

  /// "Ship 2:", "Pilot:"
  static bool is_ship_label(const ListItem& item) {
    const std::string key = base::name_key(item.text);
    const std::string_view word = std::string_view(key).substr(0, key.find_last_not_of("0123456789") + 1);
    return item.behind == ':' && (word == "ship" || word == "pilot");
  }

  /// Removes the first item. The numbers of a line stand at its first item, and are those of the ship.
  static void drop_label(std::vector<ListItem>& items) {
    const ListItem label = items.front();
    items.erase(items.begin());
    if (items.empty()) return;
    if (label.times != 1) items.front().times = label.times;
    if (!items.front().points) items.front().points = label.points;
  }

  /// Whether an upgrade of that name takes the slot.
  bool has_slot(const std::string& upgrade, const std::string& slot) const {
    const auto entries = names_.upgrades(upgrade);
    return std::any_of(entries.begin(), entries.end(), [&, key = base::name_key(slot)](const NameEntry* one) {
      const auto cost = names_.upgrade_cost(*one);
      return cost && std::any_of(cost->slots.begin(), cost->slots.end(), [&](const std::string& x) {
               const std::string own = base::name_key(x);
               return key.starts_with(own) || own.starts_with(key);
             });
    });
  }

  /// Whether it names the slot of the card beside it: "Astromech: R2-D2", "[Astromech] R2-D2".
  bool is_label(const ListItem& item) const {
    return (item.behind == ':' || (item.bracketed && !names_.is_card(item.text))) && is_slot(item.text);
  }

  void read_item(const ListLine& line, ListItem& item, std::size_t at, bool upgrades_only) {
    const bool start = at == 0 || ((item.before == '/' || item.before == ';' || item.before == '|') && !upgrades_only);
    std::vector<PilotChoice> as_pilot = names_.pilots(item.text);
    std::vector<const NameEntry*> as_upgrade = names_.upgrades(item.text);
    if (as_pilot.empty() && as_upgrade.empty()) shorten(item, as_pilot, as_upgrade);
    const bool open = !squad_.ships.empty(), unnamed = as_pilot.empty() && as_upgrade.empty();
    const std::string ship =
        names_.ship_id(item.text, open && unnamed ? squad_.ships.back().choices : std::vector<PilotChoice>());
    if (!ship.empty() && (as_pilot.empty() || !start) && as_upgrade.empty()) {
      if (open && item.times == 1 && squad_.ships.back().ship.empty() &&
          (!start || line.indent > 0 || !line.after_blank) && at <= 1 && squad_.ships.back().upgrades.empty()) {
        squad_.ships.back().ship = ship;
        squad_.ships.back().ship_words = item.text;
        squad_.ships.back().ship_points = item.points;
      } else {
        set_pending({ship, item.text, item.times, line.number});
      }
      return;
    }
    const bool fits = open && std::any_of(as_upgrade.begin(), as_upgrade.end(), [&](const NameEntry* one) {
                        return names_.can_equip(squad_.ships.back().choices, one->id);
                      });
    const bool pilot = !as_pilot.empty() && !upgrades_only &&
                       (as_upgrade.empty() || !open || !pending_.ship.empty() ||
                        reads_as_pilot(line, item, at, start, fits, as_pilot, as_upgrade));
    if (pilot) return begin_ship(line, item, std::move(as_pilot));
    if (!as_upgrade.empty() && open) return add_upgrade(line, item, std::move(as_upgrade));
    const std::string faction = faction_of(item.text);
    if (!open && !faction.empty()) {
      squad_.stated_faction = faction;
    } else if (!open && as_upgrade.empty() && is_header(line) &&
               ((titled_ && item.text.find(' ') == std::string::npos) || names_.guess_pilot(item.text).empty())) {
      if (squad_.name.empty())
        squad_.name = base::printable(item.text, 100);
      else
        squad_.notes.push_back(
            fmt::format("line {}: {} is no ship, and left out", line.number, base::in_quotes(item.text)));
    } else if (open && (!start || line.indent > squad_.ships.back().indent || (vertical_ && !line.after_blank))) {
      add_upgrade(line, item, {});
    } else {
      begin_ship(line, item, {});
    }
  }

  /// Tries a name without a number at its ends, in the singular, and as a part of a name.
  void shorten(ListItem& item, std::vector<PilotChoice>& as_pilot, std::vector<const NameEntry*>& as_upgrade) {
    const std::string full = item.text;
    bool found = false;
    const auto attempt = [&](std::string_view text) {
      if (found) return false;
      text = base::trimmed(text, kAroundNames);
      for (const std::size_t plural : {0u, 1u}) {
        if (!text.ends_with('s') && plural > 0) break;
        item.text = text.substr(0, text.size() - plural);
        as_pilot = names_.pilots(item.text);
        as_upgrade = names_.upgrades(item.text);
        found = !as_pilot.empty() || !as_upgrade.empty() || !names_.ships_named(item.text).empty();
        if (found) return true;
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
      if (const int times = number_word(std::string_view(full).substr(0, first));
          times > 0 && attempt(full.substr(first)))
        item.times = times;
    }
    attempt(full);
    if (!found) item.text = full;
  }

  /// Whether the separator stands between upgrades of one ship: another upgrade stands behind it, and no pilot. In
  /// "| Luke Skywalker | R2-D2, Predator |" that upgrade may stand behind a comma.
  bool separates_upgrades(const ListLine& line, char separator) {
    const auto [known, is_new] = separates_upgrades_.emplace(separator, false);
    bool cell = separator == '|';
    for (std::size_t i = 1; is_new && i < line.items.size(); ++i) {
      const ListItem& one = line.items[i];
      cell = cell && (i > 1 || one.before == separator);
      if (one.before != separator && !(cell && one.before == ',')) continue;
      const bool as_pilot = !names_.pilots(one.text).empty(), as_upgrade = names_.is_upgrade(one.text);
      if (one.before == separator && as_pilot && !as_upgrade) return known->second = false;
      known->second = known->second || (as_upgrade && !as_pilot);
    }
    return known->second;
  }

  bool reads_as_pilot(const ListLine& line, const ListItem& item, std::size_t at, bool start, bool fits,
                      const std::vector<PilotChoice>& as_pilot, const std::vector<const NameEntry*>& as_upgrade) {
    if (item.before == '+' || item.bracketed) return false;
    if (!start) return !fits && pilot_lines_ < 2;
    if (line.indent > squad_.ships.back().indent) return false;
    if (!fits) return true;
    if (at > 0 && separates_upgrades(line, item.before)) return false;
    // "Luke Skywalker | Predator | R2-D2", "Luke Skywalker: Predator; R2-D2"
    const auto& upgrades = squad_.ships.back().upgrades;
    const char last = at > 0 ? line.items[at - 1].before : 0;
    const bool continues = at > 0 && (last == item.before || (item.before == ';' && last != ','));
    if (continues && !upgrades.empty() && upgrades.back().line == line.number) return false;
    if (at + 1 < line.items.size()) return true;
    if (item.points) {
      const bool of_pilot = std::any_of(as_pilot.begin(), as_pilot.end(),
                                        [&](const PilotChoice& one) { return one.spec->cost <= *item.points; });
      const bool of_upgrade = std::any_of(as_upgrade.begin(), as_upgrade.end(), [&](const NameEntry* one) {
        const auto cost = names_.upgrade_cost(*one);
        return cost && cost->fixed == item.points;
      });
      if (of_pilot != of_upgrade) return of_pilot;
    }
    return !vertical_ || line.after_blank;
  }

  /// Words beside a link that name no card: the name of the list, or a note.
  bool read_title(const ListLine& line) {
    if (!is_header(line) || hints_at_card(line)) return false;
    const std::string words = base::printable(line.items.front().text, 100);
    if (squad_.ships.empty() && squad_.name.empty()) {
      squad_.name = words;
      title_line_ = line.number;
    } else {
      squad_.notes.push_back(
          fmt::format("line {}: {} beside a link names no card, and is left out", line.number, base::in_quotes(words)));
    }
    return true;
  }

  /// Whether a number, the plural, the name of a ship or a misspelling says that the line is no title.
  bool hints_at_card(const ListLine& line) {
    return std::any_of(line.items.begin(), line.items.end(), [&](const ListItem& item) {
      ListItem shortened = item;
      std::vector<PilotChoice> as_pilot;
      std::vector<const NameEntry*> as_upgrade;
      shorten(shortened, as_pilot, as_upgrade);
      return shortened.text != item.text || !names_.ships_named(item.text).empty() ||
             (item.text.find(' ') != std::string::npos && !names_.guess_pilot(item.text).empty());
    });
  }

  /// Whether a line before the first ship names no card.
  bool is_header(const ListLine& line) const {
    return std::none_of(line.items.begin(), line.items.end(), [&](const ListItem& item) {
      return item.before == '+' || !names_.upgrades(item.text).empty() || !names_.pilots(item.text).empty();
    });
  }

  /// Counts cards, up to one more than a list may have.
  void count(int cards) { squad_.cards_read = std::min(squad_.cards_read + cards, kMostCards + 1); }

  /// A ship whose pilot is not read yet.
  struct PendingShip {
    std::string ship, words;
    int times = 1, line = 0;
  };

  void set_pending(PendingShip next) {
    const PendingShip last = std::exchange(pending_, std::move(next));
    if (last.ship.empty()) return;
    squad_.notes.push_back(fmt::format("line {}: {} is a ship without a pilot, and left out; name its pilot", last.line,
                                       base::in_quotes(last.words)));
  }

  void begin_ship(const ListLine& line, const ListItem& item, std::vector<PilotChoice> choices) {
    if (choices.empty()) choices = names_.guess_pilot(item.text);
    ListShip ship;
    ship.text = item.text;
    const PendingShip named = std::exchange(pending_, {});
    ship.ship = named.ship;
    ship.ship_words = named.words;
    ship.choices = std::move(choices);
    ship.points = item.points;
    ship.times = std::min(item.times * named.times, kMostCards + 1);
    ship.line = line.number;
    ship.indent = line.indent;
    if (ship.choices.empty()) ++squad_.unknown;
    count(ship.times);
    squad_.ships.push_back(std::move(ship));
  }

  void add_upgrade(const ListLine& line, const ListItem& item, std::vector<const NameEntry*> choices) {
    if (choices.empty()) {
      const NameEntry* const entry = names_.guess_upgrade(item.text);
      if (entry != nullptr) choices.push_back(entry);
    }
    if (choices.empty()) ++squad_.unknown;
    count(item.times * squad_.ships.back().times);
    for (int i = 0; i < item.times && squad_.cards_read <= kMostCards; ++i)
      squad_.ships.back().upgrades.push_back({item.text, choices, item.points, line.number});
  }

  ListNames names_;
  ListSquad squad_;
  PendingShip pending_;
  std::map<char, bool> separates_upgrades_;  ///< on the current line, by separator
  int title_line_ = 0;                       ///< whose words beside a link became the name of the squad
  int pilot_lines_ = 0;                      ///< lines that begin with a pilot
  bool vertical_ = false;                    ///< upgrades stand on lines of their own
  bool titled_ = true;                       ///< a single word before the first ship is the title of the list
};

[[noreturn]] void fail_many(const std::string& source) {
  data::fail(
      source, "", 0,
      fmt::format("the list has more than {} cards; cut it into squads, and check numbers such as 2x", kMostCards));
}

/// Refuses at once what would take long to read.
void check_number(const std::vector<ListLine>& lines, const std::string& source) {
  std::size_t names = 0;
  for (const ListLine& line : lines) names += line.items.size();
  if (names > 2 * kMostCards) fail_many(source);  // titles and sums are names as well
}

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

/// The squad of the only link in a text without ships.
Squad squad_of_link(const Catalogue& catalogue, const std::string& link, const ListSquad& words,
                    const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  Squad out = parse_squad_link(catalogue, link, cards, rules);
  if (out.name.empty()) {
    out.name = words.name;
  } else if (!words.name.empty() && words.name != out.name) {
    out.notes.push_back(fmt::format("the link names the squad; {} beside it is left out", base::in_quotes(words.name)));
  }
  out.notes.insert(out.notes.end(), words.notes.begin(), words.notes.end());
  return out;
}

/// The squad of a link beside which all ships of the text stand; empty if there is none in it.
std::optional<Squad> squad_of_link_beside(const Catalogue& catalogue, const std::string& link,
                                          const std::vector<ListLine>& lines, const ListSquad& words,
                                          const std::optional<std::string>& cards,
                                          const std::optional<std::string>& rules) {
  const bool beside = std::all_of(words.ships.begin(), words.ships.end(), [&](const ListShip& ship) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const ListLine& line) { return line.number == ship.line && line.beside_link; });
  });
  if (!beside) return std::nullopt;
  try {
    Squad out = parse_squad_link(catalogue, link, cards, rules);
    if (out.pilots.empty()) return std::nullopt;
    out.notes.push_back("the link holds the squad; the names beside it are left out");
    return out;
  } catch (const LoadError&) {
    return std::nullopt;
  }
}

std::string ruleset_of_set(const std::string& cards) {
  return cards == "legacy" ? "2.0" : cards == "2025" ? "2.5" : cards == "xwa" ? "XWA" : "";
}

}  // namespace
#endif

bool is_squad_text(std::string_view words) {
  words = base::trimmed(words);
  if (words.find('\n') != std::string_view::npos) return true;
  if (words.find("://") != std::string_view::npos) return true;
  const std::size_t digits = words.find_first_not_of("0123456789");
  const bool of_dice = digits != 0 && digits != std::string_view::npos && words[digits] == ' ';  // "3 focus + lock"
  if (of_dice || words.find('=') != std::string_view::npos) return false;
  if (words.find_first_of("[+;") != std::string_view::npos || words.find(" / ") != std::string_view::npos) return true;
  const std::size_t open = words.rfind('(');
  return open != std::string_view::npos && words.ends_with(')') && points_in(words.substr(open)).has_value();
}

#ifdef SALVO_FIRST_VISIT
Squad parse_squad_text(const Catalogue& /*catalogue*/, std::string_view /*text*/, const std::string& /*source*/,
                       const std::optional<std::string>& /*cards*/, const std::optional<std::string>& /*rules*/) {
  throw base::CompleteModuleNeeded();
}
#else
Squad parse_squad_text(const Catalogue& catalogue, std::string_view text, const std::string& source,
                       const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  text = data::check_text(text, source);
  if (text.size() > kLongestList) {
    data::fail(source, "", 0,
               fmt::format("a list of ships has at most {} characters, this text has {}; cut it into squads",
                           kLongestList, text.size()));
  }
  std::vector<std::string> links;
  const std::vector<ListLine> lines = lines_of(text, links);
  check_number(lines, source);
  std::vector<TextReader> readers;
  for (const std::string& set : possible_sets(catalogue, cards, rules))
    readers.emplace_back(catalogue, set).read(lines);
  const TextReader* best = &readers.front();
  bool tied = false;
  for (const TextReader& one : readers) {
    if (&one == best || one.squad().ships.empty()) continue;
    tied = tied || one.squad().misfit() == best->squad().misfit();
    if (!best->squad().ships.empty() && one.squad().misfit() >= best->squad().misfit()) continue;
    best = &one;
    tied = false;
  }
  if (best->squad().ships.empty() && !links.empty()) {
    if (links.size() > 1)
      data::fail(source, "", 0, fmt::format("holds {} links; give the squads one by one", links.size()));
    return squad_of_link(catalogue, links.front(), best->squad(), cards, rules);
  }
  if (links.size() == 1 && !best->squad().ships.empty()) {
    auto linked = squad_of_link_beside(catalogue, links.front(), lines, best->squad(), cards, rules);
    if (linked) return *std::move(linked);
  }
  if (!best->squad().any_known() && !best->squad().any_refused()) {
    const std::string first =
        lines.empty() ? "it has no name" : base::in_quotes(lines.front().items.front().text) + " is none";
    data::fail(
        source, "", lines.empty() ? 0 : lines.front().number,
        fmt::format("no pilot is found, {}; a squad is XWS (JSON, as builders export it), a link, or a list with a "
                    "ship on each line, such as Luke Skywalker [Predator] (62)",
                    first));
  }
  if (best->squad().cards_read > kMostCards) fail_many(source);
  std::map<std::string, std::string> refusals;
  for (const ListShip& ship : best->squad().ships) {
    if (!ship.refusal.empty()) refusals[ship.text] = ship.refusal;
  }
  std::map<std::string, int> places;
  Value tree = best->squad().tree(places);
  const std::string ruleset = ruleset_of_set(best->cards());
  if (!ruleset.empty() && (!cards || best->squad().points)) tree.add("ruleset", Value::of(ruleset));
  Squad out = read_squad(catalogue, tree, source, best->cards(), rules);
  out.notes.insert(out.notes.begin(), best->squad().notes.begin(), best->squad().notes.end());
  for (UnknownId& unknown : out.unknown) {
    if (const auto why = refusals.find(unknown.id); why != refusals.end()) unknown.reason = why->second;
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
#endif

}  // namespace salvo::load
