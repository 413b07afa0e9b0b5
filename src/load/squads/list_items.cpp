#include "load/squads/list_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/spec_words.h"

namespace salvo::load {
namespace {

/// Whether all of its words are of slots, as in "Elite Pilot Talents" and "Crew Slot 2".
bool is_slot(const std::string& text) {
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

/// Where the first of the words in a text begins, and its length with the blanks around it.
template <typename Words>
std::pair<std::size_t, std::size_t> find_any(std::string_view text, const Words& words) {
  const std::string lower = base::lower_case(text);
  std::pair<std::size_t, std::size_t> out{std::string::npos, 0};
  for (const std::string_view word : words) {
    if (const std::size_t at = lower.find(fmt::format(" {} ", word)); at < out.first) out = {at, word.size() + 2};
  }
  return out;
}

std::pair<std::size_t, std::size_t> find_and(std::string_view text) { return find_any(text, kAndWords); }

/// Whether it is a name only without its number or its plural, as "Academy Pilots x4".
bool is_shortened_name(const ListNames& names, const std::string& text) {
  ListItem item{.text = text};
  std::vector<PilotChoice> as_pilot;
  ListNames::Upgrades as_upgrade;
  shorten(names, item, as_pilot, as_upgrade);
  return item.text != text;
}

/// Whether a text is several names with "and" between them, each alone, with a number or with a hint in parentheses;
/// the last may have upgrades.
bool are_names(const ListNames& names, std::string_view text) {
  std::size_t found = 0;
  while (true) {
    const auto [at, width] = find_and(text);
    const bool last = at == std::string_view::npos && found > 0;
    const std::string name(text.substr(0, last ? find_any(text, kWithWords).first : at));
    if (!names.is_name(name) && !names.is_name(without_hint(name).first) && !is_shortened_name(names, name))
      return false;
    ++found;
    if (at == std::string_view::npos) return found > 1;
    text.remove_prefix(at + width);
  }
}

/// The names of a text that nothing, or only points, separates: "Luke Skywalker R2-D2 Proton Torpedoes", "Luke
/// Skywalker 62 R2-D2 8"; empty: not all of it is names of one pilot, his ship and upgrades.
std::vector<ListItem> names_in(const ListNames& names, const std::string& text) {
  constexpr std::size_t kMostWords = 20, kLongestName = 6;
  const std::vector<std::string> words = base::words_between(text, " ");
  std::vector<ListItem> out;
  bool pilot = false;
  for (std::size_t at = 0; at < words.size() && words.size() <= kMostWords;) {
    const auto points = out.empty() || out.back().points ? std::nullopt : points_in(words[at]);
    const bool once = pilot && times_of(base::lower_case(words[at])) == 1;  // "Kavil x1"
    if (once || (points && !names.is_card(words[at]))) {
      if (points) out.back().points = points;
      ++at;
      continue;
    }
    std::size_t n = std::min(kLongestName, words.size() - at);
    std::string name;
    for (; n > 0; --n) {
      const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
      name = base::joined({begin, begin + static_cast<std::ptrdiff_t>(n)}, " ");
      if (names.is_card(name) || !names.ships_named(name).empty()) break;
    }
    const bool other = n > 0 && !names.is_upgrade(name) && names.ships_named(name).empty();
    if (n == 0 || (other && pilot)) return {};
    pilot = pilot || other;
    out.push_back({.text = name});
    at += n;
  }
  return out;
}

/// Splits names that nothing separates.
void split_run(const ListNames& names, ListItem item, std::vector<ListItem>& out) {
  const std::vector<ListItem> run = names_in(names, item.text);
  for (std::size_t i = 0; i + 1 < run.size(); ++i) {
    ListItem one = item;
    one.text = run[i].text;
    one.points = run[i].points;
    one.behind = item.before = '+';
    item.times = 1;
    out.push_back(std::move(one));
  }
  if (run.size() > 1) {
    item.text = run.back().text;
    if (run.back().points) item.points = run.back().points;
  }
  out.push_back(std::move(item));
}

/// The words after "the", "a" or "his".
std::string_view without_article(std::string_view text) {
  const auto [first, rest] = base::cut(text, ' ');
  return is_article(first) && !rest.empty() ? rest : text;
}

/// Whether it is the skill of a pilot: "I5", "Initiative 5". If its number stands apart: "I", "Initiative".
bool is_skill(std::string_view text, bool number_apart = false) {
  static constexpr std::array<std::string_view, 6> kWords{"i", "init", "ini", "initiative", "ps", "pilotskill"};
  const std::string key = base::name_key(text);
  const std::size_t digits = key.find_last_not_of("0123456789") + 1;
  return (number_apart ? digits == key.size() : digits < key.size() && digits + 2 >= key.size()) &&
         base::contains(kWords, std::string_view(key).substr(0, digits));
}

/// The words after those that begin a sentence about a list, or a skill: "I fly two Academy Pilots", "my list is
/// Howlrunner", "Init 5 Howlrunner".
std::string without_lead(const ListNames& names, const std::string& text) {
  static constexpr std::array<std::string_view, 7> kFirst{"i", "i'm", "im", "we", "my", "our", "mine"};
  static constexpr std::array<std::string_view, 16> kNext{"list",    "squad", "team",    "fly", "flying", "play",
                                                          "playing", "run",   "running", "is",  "are",    "was",
                                                          "brought", "bring", "took",    "use"};
  const auto is_in = [](const auto& words, std::string_view word) {
    const std::string lower = base::lower_case(word);
    return base::contains(words, std::string_view(lower));
  };
  static constexpr std::array<std::string_view, 4> kSkills{"init", "ini", "initiative", "ps"};
  auto [word, rest] = base::cut(text, ' ');
  if (const auto skill = base::cut(rest, ' '); is_in(kSkills, word) && base::whole_number(skill.first))
    return std::string(skill.second.empty() ? std::string_view(text) : skill.second);
  if (is_skill(word) && !rest.empty() && !names.is_card(text)) return std::string(rest);
  if (!is_in(kFirst, word) || names.is_card(text)) return text;
  std::size_t begin = 0;
  for (std::tie(word, rest) = base::cut(rest, ' '); is_in(kNext, word); std::tie(word, rest) = base::cut(rest, ' ')) {
    if (rest.empty()) return text;
    begin = text.size() - rest.size();
  }
  return text.substr(begin);
}

/// Whether words that are no part of the card's name are its box.
bool is_box_of(const NameEntry& card, const std::string& words) {
  return is_variant(card, words) && card.key.find(base::name_key(words)) == std::string_view::npos;
}

/// Whether the box of an upgrade is behind its name, even if that is the name of a card: "Ghost (Phantom II)".
bool is_in_box(const ListNames& names, const std::string& text) {
  const auto [name, box] = without_hint(text);
  const ListNames::Upgrades named = names.upgrades(name);
  return std::any_of(named.begin(), named.end(),
                     [&, words = box](const NameEntry* one) { return is_box_of(*one, words); });
}

/// Splits "Luke Skywalker (Predator, R2-D2)" and "Luke Skywalker with Predator and R2-D2" into their cards.
void split(const ListNames& names, ListItem item, std::vector<ListItem>& out) {
  const std::string text = item.text;
  if (is_in_box(names, text)) return out.push_back(std::move(item));
  const auto begin_with = [&](std::string_view pilot, std::string_view rest, bool bracketed) {
    ListItem first = item;
    first.text = base::trimmed(pilot, kAroundNames);
    std::vector<PilotChoice> as_pilot = names.pilots(first.text);
    ListNames::Upgrades as_upgrade;
    if (as_pilot.empty()) shorten(names, first, as_pilot, as_upgrade);  // "2 Blue Squadron Rookies with Heroic"
    if (as_pilot.empty()) return false;
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
    const std::size_t at = names.is_card(item.text) ? std::string::npos : base::lower_case(item.text).find(words);
    return at == std::string::npos ? std::pair(std::string(), std::string())
                                   : std::pair(item.text.substr(0, at), item.text.substr(at + words.size()));
  };
  const std::size_t open = text.find('('), end = text.rfind(')');
  if (open != std::string::npos && end == text.size() - 1 && open > 0) {
    const std::string inside = text.substr(open + 1, end - open - 1);
    const std::vector<std::string> inner = base::words_between(inside, ",;+");
    const auto is_upgrade = [&](const std::string& one) {
      return names.is_upgrade(std::string(base::trimmed(one, kAroundNames)));
    };
    if (!is_slot(inside) && std::any_of(inner.begin(), inner.end(), is_upgrade))
      begin_with(text.substr(0, open), inside, true);
  }
  std::vector<std::string_view> before_cards(kWithWords.begin(), kWithWords.end());
  before_cards.emplace_back("in");
  for (const std::string_view word : before_cards) {
    const auto [pilot, rest] = cut(fmt::format(" {} ", word));
    if (pilot.empty()) continue;
    const std::string_view cards = word == "in" ? without_article(rest) : std::string_view(rest);
    const auto is_place = [&](const std::string& name) {
      return !names.ship_id(name, {}).empty() || names.is_upgrade(name);
    };
    if ((word == "in" && !is_place(std::string(cards))) || begin_with(pilot, cards, false)) continue;
    const std::size_t in = base::lower_case(pilot).find(" in ");  // "Luke Skywalker in X-wing with R2-D2"
    if (in == std::string::npos ||
        !begin_with(pilot.substr(0, in), without_article(std::string_view(pilot).substr(in + 4)), false))
      continue;
    out.push_back(item);
    item.text = base::trimmed(rest, kAroundNames);
  }
  const std::size_t close = open == std::string::npos ? open : text.find(')', open);
  if (item.text == text && close < text.size() - 1 && open > 0)
    begin_with(text.substr(0, close + 1), text.substr(close + 1), false);
  while (item.text != text) {
    std::size_t comma = item.text.find_first_of(",;+"), width = 1;
    if (comma == std::string::npos && !names.is_card(item.text)) std::tie(comma, width) = find_and(item.text);
    if (comma == std::string::npos) break;
    ListItem one = item;
    one.text = base::trimmed(std::string_view(item.text).substr(0, comma), kAroundNames);
    one.points = std::nullopt;
    split(names, std::move(one), out);
    item.times = 1;
    item.text = base::trimmed(std::string_view(item.text).substr(comma + width), kAroundNames);
  }
  if (names.is_card(item.text)) return out.push_back(std::move(item));
  if (item.text == text) return split_run(names, std::move(item), out);
  split(names, std::move(item), out);
}

/// Splits "Luke Skywalker (Predator) and Wedge Antilles", too. Nicknames, as in "Han and Luke", are the title of a
/// list.
void split_names(const ListNames& names, ListItem item, std::vector<ListItem>& out) {
  constexpr std::size_t kLongest = 2000;  // longer ones are slow to split, and no lines of a list
  if (item.text.size() > kLongest) return out.push_back(std::move(item));
  const std::size_t last = std::min(item.text.rfind(')'), item.text.size() - 1) + 1;
  if (const auto points = points_in(std::string_view(item.text).substr(last))) {  // "Luke Skywalker (Predator) 46"
    item.points = points;
    item.text.resize(last);
  }
  if (names.is_card(item.text) || !are_names(names, item.text)) return split(names, std::move(item), out);
  const std::optional<int> points = std::exchange(item.points, std::nullopt);
  const std::string text = item.text;
  std::string_view rest = text;
  while (true) {
    const auto [at, width] = find_and(rest);
    item.text = base::trimmed(rest.substr(0, at), kAroundNames);
    if (at == std::string_view::npos) break;
    split(names, item, out);
    item.before = ',';
    item.times = 1;
    rest.remove_prefix(at + width);
  }
  item.points = points;
  split(names, std::move(item), out);
}

/// Whether words after a pilot name no card, but the box of a pilot of that name.
bool is_box(const ListNames& names, const std::string& pilot, const std::string& words) {
  constexpr std::size_t kShortest = 3;
  const std::string key = base::name_key(words);
  if (key.size() < kShortest || names.is_card(words) || !names.ships_named(words).empty()) return false;
  const std::vector<PilotChoice> choices = names.pilots(pilot);
  return std::any_of(choices.begin(), choices.end(),
                     [&](const PilotChoice& one) { return is_box_of(*one.entry, words); });
}

/// Splits "Luke Skywalker/Wedge Antilles" into its names. "TIE/ln" is one.
std::vector<ListItem> at_slashes(const ListNames& names, const ListItem& item) {
  std::vector<ListItem> out;
  const bool whole = item.text.find('/') == std::string::npos || names.is_card(item.text);
  for (const std::string_view part : base::split(item.text, '/')) {
    const std::string name(base::trimmed(part, kAroundNames));
    if (whole || (!names.is_card(name) && !names.is_card(without_hint(name).first))) return {item};
    out.push_back(item);
    out.back().text = name;
    out.back().points = std::nullopt;
    if (out.size() > 1) out.back().before = '/', out.back().times = 1;
  }
  out.back().points = item.points;
  return out;
}

}  // namespace

std::vector<ListItem> settled(const ListNames& names, std::vector<ListItem> items) {
  std::vector<ListItem> out;
  for (ListItem& item : items) {
    item.text = without_lead(names, item.text);
    if (!out.empty() && is_box(names, out.back().text, item.text)) {  // "Darth Vader - Battle of Yavin"
      out.back().text += fmt::format(" ({})", item.text);
      out.back().behind = item.behind;
      continue;
    }
    if (!out.empty() && out.back().behind == ' ' && names.is_name(out.back().text + item.text)) {
      out.back().text += " " + item.text;
      if (item.points) out.back().points = item.points;
      out.back().behind = item.behind;
      continue;
    }
    for (ListItem& one : at_slashes(names, item)) split_names(names, std::move(one), out);
  }
  return out;
}

bool is_table_head(const std::vector<ListItem>& items) {
  static constexpr std::array<std::string_view, 27> kColumns{
      "pilot",  "pilots", "pilotname", "name", "ship",   "ships",      "shiptype", "chassis",     "upgrade",
      "points", "pts",    "cost",      "pp",   "init",   "initiative", "i",        "ps",          "pilotskill",
      "skill",  "qty",    "quantity",  "lv",   "number", "upgrades",   "loadout",  "squadpoints", "total"};
  return items.size() > 1 && std::all_of(items.begin(), items.end(), [&](const ListItem& one) {
           return base::contains(kColumns, std::string_view(base::name_key(one.text)));
         });
}

void drop_skills(const ListNames& names, std::vector<ListItem>& items) {
  std::erase_if(items, [&](const ListItem& one) {
    return is_skill(one.text, one.points.has_value()) && !names.is_card(one.text);
  });
}

void drop_ship_label(std::vector<ListItem>& items) {
  if (items.empty()) return;
  const ListItem label = items.front();
  const std::string key = base::name_key(label.text);
  const std::string_view word = std::string_view(key).substr(0, key.find_last_not_of("0123456789") + 1);
  if (label.behind != ':' || (word != "ship" && word != "pilot" && word != "id")) return;
  items.erase(items.begin());
  if (items.empty()) return;
  if (label.times != 1) items.front().times = label.times;
  if (!items.front().points) items.front().points = label.points;
}

std::string drop_label(const ListNames& names, std::vector<ListItem>& items, bool stamped) {
  const auto last = std::find_if(items.begin(), items.end(), [](const ListItem& one) { return one.behind == ':'; });
  if (last == items.end()) return {};
  const auto is_any = [&](const auto& test) { return std::any_of(items.begin(), last + 1, test); };
  if (is_any([&](const ListItem& one) { return is_slot(one.text) || !names.ships_named(one.text).empty(); })) return {};
  const bool cards =
      is_any([&](const ListItem& one) { return names.is_card(one.text) || is_shortened_name(names, one.text); });
  const auto next = last + 1;
  const bool pilot = next != items.end() && !names.pilots(next->text).empty() && !names.is_upgrade(next->text);
  // Behind a speaker or a faction anything may follow.
  const bool speaker = stamped || (next != items.end() && !faction_of(items.front().text).empty());
  if (speaker ? cards && !pilot : cards || !pilot) return {};
  const ListItem label = items.front();
  if (next != items.end() && next->times == 1) next->times = label.times;
  items.erase(items.begin(), next);
  return label.text;
}

bool has_slot(const ListNames& names, const std::string& upgrade, const std::string& slot) {
  const auto entries = names.upgrades(upgrade);
  return std::any_of(entries.begin(), entries.end(), [&](const NameEntry* one) { return names.has_slot(*one, slot); });
}

bool is_label(const ListNames& names, const ListItem& item) {
  return (item.behind == ':' || (item.bracketed && !names.is_card(item.text))) && is_slot(item.text);
}

void shorten(const ListNames& names, ListItem& item, std::vector<PilotChoice>& as_pilot,
             ListNames::Upgrades& as_upgrade) {
  const std::string full = item.text;
  bool found = false;
  const auto attempt = [&](std::string_view text) {
    if (found) return false;
    text = base::trimmed(text, kAroundNames);
    for (const std::size_t plural : {0u, 1u}) {
      if (!text.ends_with('s') && plural > 0) break;
      item.text = text.substr(0, text.size() - plural);
      as_pilot = names.pilots(item.text);
      as_upgrade = names.upgrades(item.text);
      found = !as_pilot.empty() || !as_upgrade.empty() || !names.ships_named(item.text).empty();
      if (found) return true;
    }
    return false;
  };
  const std::size_t first = full.find(' '), last = full.rfind(' ');
  constexpr int kMostShips = 8;  // a larger number in front is that of points
  if (last != std::string::npos) {
    for (const bool front : {true, false}) {
      const std::string word = base::lower_case(front ? full.substr(0, first) : full.substr(last + 1));
      const int times = times_of(word, word.size());
      const bool one = times == 1 && names.ships_named(full).empty();  // "x1" ends names of ships
      if ((times > 1 || one) && attempt(front ? full.substr(first) : full.substr(0, last))) item.times = times;
    }
    if (const auto number = points_in(std::string_view(full).substr(last)); number && attempt(full.substr(0, last)))
      item.points = number;
    if (const auto number = points_in(std::string_view(full).substr(0, first)); number && attempt(full.substr(first))) {
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

}  // namespace salvo::load
