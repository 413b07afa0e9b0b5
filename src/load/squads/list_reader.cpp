#include "load/squads/list_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/pilot_stats.h"
#include "load/squads/list_items.h"

namespace salvo::load {
namespace {

/// Reads the lines with the names of one card set. One class although it is long: what a line means depends on the
/// lines before it.
class ListReader {
 public:
  ListReader(const ListNames& names, ListSquad& out) : names_(names), squad_(out) {}

  void read(std::vector<ListLine> lines) {
    std::string title;
    for (ListLine& line : lines) {
      if (is_table_head(line.items)) line.items.clear();
      line.items = settled(names_, std::move(line.items));
      drop_ship_label(line.items);
      drop_skills(names_, line.items);
      const std::string label = drop_label(names_, line.items, line.stamped);
      if (const std::string faction = faction_of(label); !faction.empty())
        squad_.stated_faction = faction;
      else if (title.empty() && !line.stamped)
        title = label;
      if (line.items.empty()) continue;
      const std::string& first = line.items.front().text;
      const bool of_pilot = !names_.pilots(first).empty();
      grouped_ = grouped_ && (pilot_lines_ == 0 || !of_pilot || line.after_blank || names_.is_upgrade(first));
      pilot_blocks_ += of_pilot && (line.after_blank || pilot_lines_ == 0);
      pilot_lines_ += of_pilot;
      sums_end_ships_ = sums_end_ships_ || is_sum_of_ship(remark_key(line));
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
    if (squad_.name.empty()) squad_.name = base::printable(title, 100);
    squad_.choose(names_);
    note_numbers(lines);
    if (title_line_ > 0 && !squad_.ships.empty()) {
      squad_.notes.push_back(fmt::format("line {}: {} beside a link names no card, and is the name of the squad",
                                         title_line_, base::in_quotes(squad_.name)));
    }
  }

 private:
  void read_lines(const std::vector<ListLine>& lines) {
    squad_.skipped = 0;
    pending_ = {};
    title_line_ = 0;
    begun_ = false;
    for (const ListLine& line : lines) {
      if (squad_.cards_read > kMostCards) return;
      const auto state = [&] {
        return std::tuple(squad_.ships.size(), squad_.cards_read, squad_.unknown, ships_beside_);
      };
      const auto before = state();
      read_line(line);
      squad_.skipped += before == state();
    }
    set_pending({});
  }

  void note_numbers(const std::vector<ListLine>& lines) {
    if (std::any_of(lines.begin(), lines.end(), [](const ListLine& line) { return line.counts; }))
      squad_.notes.push_back("the numbers at the starts of lines are those of the lines; write 2x for two ships");
  }

  /// The first words of a line, without a number before them: "123 total".
  static std::string remark_key(const ListLine& line) {
    std::string key = base::name_key(line.items.front().text);
    return key.erase(0, key.find_first_not_of("0123456789"));
  }

  /// Whether the words begin the line that ends each ship in the text of some builders: "Ship total: 48".
  static bool is_sum_of_ship(std::string_view key) {
    return key.starts_with("shiptotal") || key.starts_with("shipcost") || key.starts_with("schiffgesamt");
  }

  /// Lines with totals, and with other things that builders print besides cards.
  bool read_remark(const ListLine& line) {
    static constexpr std::string_view kRemarks[] = {
        "total",           "points",    "squadtotal", "squadpoints", "shiptotal", "shipcost", "halfpoints", "loadout",
        "damagethreshold", "threshold", "obstacles",  "viewin",      "pts",       "gesamt",   "punkte",     "puntos",
        "schiffgesamt",    "punti",     "cout",       "coste",       "costo",     "kosten"};
    const ListItem& first = line.items.front();
    const std::string key = remark_key(line);
    const auto at = std::find_if(std::begin(kRemarks), std::end(kRemarks),
                                 [&](std::string_view one) { return key.starts_with(one); });
    if (at == std::end(kRemarks) || !names_.pilots(first.text).empty() || !names_.upgrades(first.text).empty())
      return false;
    if (is_sum_of_ship(key)) begun_ = false;
    const std::size_t digit = first.text.find_first_of("0123456789");
    const auto number = first.points                 ? first.points
                        : digit == std::string::npos ? std::nullopt
                                                     : points_in(std::string_view(first.text).substr(digit));
    if (number && (key.starts_with("total") || key.starts_with("squad"))) squad_.points = number;
    if (number && !squad_.ships.empty() && (key == "points" || key.starts_with("ship")))
      squad_.ships.back().points = number;
    return true;
  }

  void read_line(const ListLine& line) {
    if (line.items.empty() || read_remark(line) || (line.beside_link && read_title(line))) return;
    // "R2-D2 [Astromech]"
    bool upgrades_only =
        line.items.size() == 2 && line.items[1].bracketed && is_label(names_, line.items[1]) &&
        (names_.pilots(line.items[0].text).empty() || has_slot(names_, line.items[0].text, line.items[1].text));
    slot_ = upgrades_only ? line.items[1].text : "";
    separates_upgrades_.clear();
    of_pilots_ = lists_pilots(line);
    pilot_at_ = 0;
    for (std::size_t i = 0; i < line.items.size() && squad_.cards_read <= kMostCards; ++i) {
      ListItem item = line.items[i];
      if (is_label(names_, item)) {
        upgrades_only = true;
        if (item.behind == ':' || i == 0) slot_ = item.text;
        continue;
      }
      read_item(line, item, i, upgrades_only);
    }
    // Not of the pilot on the next line, but perhaps a card that another card set has: "Mace Windu, R2-D2, Delta-7B".
    if (pending_.line == line.number && !squad_.ships.empty() && squad_.ships.back().line == line.number) {
      ++squad_.unknown;
      set_pending({});
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

  void read_item(const ListLine& line, ListItem& item, std::size_t at, bool upgrades_only) {
    const bool start = at == 0 || ((item.before == '/' || item.before == ';' || item.before == '|') && !upgrades_only);
    std::vector<PilotChoice> as_pilot = names_.pilots(item.text);
    std::vector<const NameEntry*> as_upgrade = names_.upgrades(item.text);
    if (as_pilot.empty() && as_upgrade.empty()) shorten(names_, item, as_pilot, as_upgrade);
    const bool open = !squad_.ships.empty(), unnamed = as_pilot.empty() && as_upgrade.empty();
    const std::string ship =
        names_.ship_id(item.text, open && unnamed ? squad_.ships.back().choices : std::vector<PilotChoice>());
    if (!ship.empty() && (as_pilot.empty() || !start) && as_upgrade.empty()) {
      const bool flown = is_flown(line, ship);
      const bool beside = !start || line.indent > 0 || !line.after_blank || flown;
      const bool next = at <= pilot_at_ + 1 && open && squad_.ships.back().upgrades.empty();
      if (open && item.times == 1 && squad_.ships.back().ship.empty() && beside &&
          (next || (flown && at + 1 == line.items.size()))) {
        ++ships_beside_;
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
    if (pilot) pilot_at_ = at;
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

  /// Whether a ship that one of the pilots flies is in parentheses behind the name: "Sabine Wren (A-wing)". A slot or a
  /// faction there says nothing.
  bool is_in_ship(const ListLine& line, std::size_t at, const std::vector<PilotChoice>& pilots) const {
    std::string hint = without_hint(line.items[at].text).second;
    if (hint.empty() && at + 1 < line.items.size() && line.items[at + 1].text.starts_with('('))
      hint = line.items[at + 1].text;
    return !hint.empty() && faction_of(hint).empty() && !has_slot(names_, line.items[at].text, hint) &&
           std::any_of(pilots.begin(), pilots.end(),
                       [&](const PilotChoice& one) { return names_.fit(hint, one.ship) != ShipFit::None; });
  }

  /// Whether the slot of an upgrade is in parentheses behind its name: "Ezra Bridger (Gunner)".
  bool is_in_slot(const ListItem& item) const {
    const auto [name, hint] = without_hint(item.text);
    return !hint.empty() && has_slot(names_, name, hint);
  }

  /// Whether the last pilot of the line flies the ship, as in "| Luke Skywalker | X-wing | R2-D2 |".
  bool is_flown(const ListLine& line, const std::string& ship) const {
    if (squad_.ships.empty()) return false;
    const ListShip& last = squad_.ships.back();
    return last.line == line.number && std::any_of(last.choices.begin(), last.choices.end(),
                                                   [&](const PilotChoice& one) { return one.ship == ship; });
  }

  /// Whether the separator divides upgrades of one ship: an upgrade follows it, not a pilot. In
  /// "| Luke Skywalker | R2-D2, Predator |" the next upgrade may follow a comma.
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

  bool lists_pilots(const ListLine& line) const {
    std::vector<ListedName> names;
    for (const ListItem& item : line.items) {
      if (item.bracketed || is_in_slot(item)) return false;
      ListedName& name = names.emplace_back();
      for (const PilotChoice& one : names_.pilots(item.text)) base::add_once(name.factions, one.spec->faction);
      if (name.factions.empty()) return false;
      name.upgrade = names_.is_upgrade(item.text);
    }
    return are_pilots(names);
  }

  bool reads_as_pilot(const ListLine& line, const ListItem& item, std::size_t at, bool start, bool fits,
                      const std::vector<PilotChoice>& as_pilot, const std::vector<const NameEntry*>& as_upgrade) {
    if (item.bracketed || is_in_slot(item)) return false;
    if (is_in_ship(line, at, as_pilot)) return true;
    if (sums_end_ships_) return !begun_;
    if (item.before == '+') return of_pilots_ && !fits;  // "Soontir Fel + Darth Vader + Howlrunner"
    if (!start) return (!fits || of_pilots_) && pilot_lines_ < 2;
    if (line.indent > squad_.ships.back().indent) return false;
    const bool before_ship = at + 1 < line.items.size() && !names_.ships_named(line.items[at + 1].text).empty();
    const bool in_row = at > 1 && (fits || item.before == '|') && is_flown(line, squad_.ships.back().ship);
    if (in_row && !before_ship) return false;  // "| Bossk | YV-666 | Greedo |"
    if (!fits) return true;
    if (at > 0 && separates_upgrades(line, item.before)) return false;
    // "Luke Skywalker | Predator | R2-D2", "Luke Skywalker: Predator; R2-D2"
    const auto& upgrades = squad_.ships.back().upgrades;
    const char last = at > 0 ? line.items[at - 1].before : 0;
    const bool continues = at > 0 && (last == item.before || (item.before == ';' && last != ',' && last != '+'));
    if (continues && !upgrades.empty() && upgrades.back().line == line.number) return false;
    if (item.points) {
      const bool of_pilot = std::any_of(as_pilot.begin(), as_pilot.end(),
                                        [&](const PilotChoice& one) { return one.spec->cost <= *item.points; });
      const int far_below = of_pilot ? 8 : 4;  // no pilot costs an eighth of another
      if (far_below * *item.points <= squad_.ships.back().points.value_or(0)) return false;
      if (of_pilot != costs_as_upgrade(as_upgrade, *item.points)) return of_pilot;
    }
    if (at + 1 < line.items.size()) return at > 0 || !lists_upgrades(line);
    return !vertical_ || line.after_blank;
  }

  /// Whether one of the upgrades costs so much on the last ship.
  bool costs_as_upgrade(const std::vector<const NameEntry*>& upgrades, int points) const {
    const auto& pilots = squad_.ships.back().choices;
    return std::any_of(upgrades.begin(), upgrades.end(), [&](const NameEntry* entry) {
      return std::any_of(pilots.begin(), pilots.end(),
                         [&](const PilotChoice& one) { return names_.cost_on(*entry, one) == points; });
    });
  }

  /// Whether blank lines part the ships, and all names of the line below a pilot are upgrades for him: "Captain
  /// Oicunn\nDarth Vader, Rebel Captive\n\n...".
  bool lists_upgrades(const ListLine& line) const {
    const ListShip& ship = squad_.ships.back();
    if (!grouped_ || pilot_blocks_ < 2 || line.after_blank || !ship.upgrades.empty()) return false;
    return std::all_of(line.items.begin(), line.items.end(), [&](const ListItem& item) {
      const auto upgrades = names_.upgrades(item.text);
      return (item.before == 0 || item.before == ',') && std::any_of(upgrades.begin(), upgrades.end(), [&](auto* one) {
               return names_.can_equip(ship.choices, one->id);
             });
    });
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
      shorten(names_, shortened, as_pilot, as_upgrade);
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
    begun_ = true;
    if (choices.empty()) choices = names_.guess_pilot(item.text);
    const bool unique =
        std::any_of(choices.begin(), choices.end(), [](const PilotChoice& one) { return is_unique(*one.spec); });
    if (pending_.times > 1 && unique) set_pending({});  // "4 TIEs and Howlrunner" are not four of her
    ListShip ship;
    ship.text = item.text;
    const PendingShip named = std::exchange(pending_, {});
    ship.ship = named.ship;
    ship.ship_words = named.words;
    ship.choices = std::move(choices);
    ship.points = item.points;
    const bool skill = unique && item.times > 1 &&
                       std::any_of(ship.choices.begin(), ship.choices.end(),
                                   [&](const PilotChoice& one) { return one.spec->initiative == item.times; });
    if (skill) {
      squad_.notes.push_back(fmt::format("line {}: {} beside {} is taken as the skill of the pilot, who is unique",
                                         line.number, item.times, base::in_quotes(item.text)));
    }
    ship.times = std::min((skill ? 1 : item.times) * named.times, kMostCards + 1);
    ship.line = line.number;
    ship.indent = line.indent;
    if (ship.choices.empty()) ++squad_.unknown;
    count(ship.times);
    squad_.ships.push_back(std::move(ship));
  }

  /// Whether capitals on the line of an upgrade may be initials. On a line of their own they may be a greeting: "GG".
  bool may_be_initials(const ListLine& line) const {
    const ListShip& ship = squad_.ships.back();
    if (ship.line == line.number) return true;
    const ListItem& first = line.items.front();
    return !line.after_blank && (line.indent > ship.indent || is_label(names_, first) || names_.is_upgrade(first.text));
  }

  void add_upgrade(const ListLine& line, const ListItem& item, std::vector<const NameEntry*> choices) {
    if (choices.empty()) {
      const NameEntry* const entry = names_.guess_upgrade(item.text);
      if (entry != nullptr)
        choices.push_back(entry);
      else
        choices = names_.guess_upgrade_of(squad_.ships.back().choices, item.text, may_be_initials(line));
    }
    if (choices.empty()) ++squad_.unknown;
    count(item.times * squad_.ships.back().times);
    for (int i = 0; i < item.times && squad_.cards_read <= kMostCards; ++i)
      squad_.ships.back().upgrades.push_back({item.text, choices, item.points, line.number, slot_});
  }

  const ListNames& names_;
  ListSquad& squad_;
  PendingShip pending_;
  std::map<char, bool> separates_upgrades_;  ///< on the current line, by separator
  std::string slot_;                         ///< the last one that the current line names
  bool of_pilots_ = false;                   ///< the current line is a list of pilots
  std::size_t pilot_at_ = 0;                 ///< the item of the current line that is its last pilot
  int ships_beside_ = 0;                     ///< ships named beside their pilots
  int title_line_ = 0;                       ///< whose words beside a link became the name of the squad
  int pilot_lines_ = 0;                      ///< lines that begin with a pilot
  int pilot_blocks_ = 0;                     ///< those after a blank line
  bool grouped_ = true;                      ///< all lines of pilots that are not upgrades, too, are after a blank line
  bool vertical_ = false;                    ///< upgrades have lines of their own
  bool sums_end_ships_ = false;              ///< "Ship total: 48" ends each ship
  bool begun_ = false;                       ///< after such a line, a ship has begun
  bool titled_ = true;                       ///< a single word before the first ship is the title of the list
};

}  // namespace

ListSquad read_list(const ListNames& names, std::vector<ListLine> lines) {
  ListSquad out;
  out.cards = names.cards();
  ListReader(names, out).read(std::move(lines));
  return out;
}

}  // namespace salvo::load
