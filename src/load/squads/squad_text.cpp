#include "load/squads/squad_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#ifdef SALVO_FIRST_VISIT
#include "base/complete_module.h"
#endif
#include "base/index.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "data/order_mark.h"
#include "load/catalogue.h"
#include "load/profile.h"
#include "load/squads/list_lines.h"
#include "load/squads/list_reader.h"
#include "load/squads/squad_game.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_tree.h"

namespace salvo::load {

#ifndef SALVO_FIRST_VISIT  // the first of two modules in WebAssembly leaves lists to the complete one
namespace {

using data::Value;

constexpr std::size_t kLongestList = 20'000;

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

/// The list as the card set reads it that fits best, of equal ones the first. `tied`: another one fits as well.
ListSquad best_reading(const Catalogue& catalogue, const std::vector<ListLine>& lines,
                       const std::vector<std::string>& sets, bool& tied) {
  ListSquad best;
  for (const std::string& set : sets) {
    ListSquad one = read_list(ListNames(catalogue, set), lines);
    if (!best.cards.empty() && one.ships.empty()) continue;
    tied = tied || (!best.cards.empty() && one.misfit() == best.misfit());
    if (!best.ships.empty() && one.misfit() >= best.misfit()) continue;
    best = std::move(one);
    tied = false;
  }
  return best;
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

/// The squad in a link, if all ships of the text are beside the link; empty if the link has no squad.
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

}  // namespace
#endif

bool begins_export(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kMarks{"{", "[{", "\"{", "```", "<"};
  const std::string_view body = base::trimmed(data::without_order_mark(text));
  return std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) { return body.starts_with(mark); });
}

bool is_squad_text(std::string_view words) {
  words = base::trimmed(words);
  if (begins_export(words)) return true;
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
  bool tied = false;
  std::vector<std::string> sets = possible_sets(catalogue, cards, rules);
  const std::string ruleset = links.size() == 1 && !cards ? ruleset_in_link(links.front()) : "";
  const std::string usual = ruleset.empty() ? "" : card_set_of_ruleset(ruleset);
  if (const auto at = std::find(sets.begin(), sets.end(), usual); at != sets.end())
    std::rotate(sets.begin(), at, at + 1);
  const ListSquad best = best_reading(catalogue, lines, sets, tied);
  if (best.ships.empty() && !links.empty()) {
    if (links.size() > 1)
      data::fail(source, "", 0, fmt::format("holds {} links; give the squads one by one", links.size()));
    return squad_of_link(catalogue, links.front(), best, cards, rules);
  }
  if (links.size() == 1 && !best.ships.empty()) {
    auto linked = squad_of_link_beside(catalogue, links.front(), lines, best, cards, rules);
    if (linked) return *std::move(linked);
  }
  if (!best.any_known() && !best.any_refused()) {
    const std::string first =
        lines.empty() ? "it has no name" : base::in_quotes(lines.front().items.front().text) + " is none";
    data::fail(
        source, "", lines.empty() ? 0 : lines.front().number,
        fmt::format("no pilot is found, {}; a squad is XWS (JSON, as builders export it), a link, or a list with a "
                    "ship on each line, such as Luke Skywalker [Predator] (62)",
                    first));
  }
  if (best.cards_read > kMostCards) fail_many(source);
  std::map<std::string, std::string> refusals;
  for (const ListShip& ship : best.ships) {
    if (!ship.refusal.empty()) refusals[ship.text] = ship.refusal;
  }
  std::map<std::string, int> places;
  Value tree = best.tree(places);
  const std::string points = ruleset_of_set(best.cards);
  if (points != kFirstEdition && (!cards || best.points)) tree.add("ruleset", Value::of(points));
  Squad out = read_squad(catalogue, tree, source, best.cards, rules);
  out.notes.insert(out.notes.begin(), best.notes.begin(), best.notes.end());
  for (UnknownId& unknown : out.unknown) {
    if (const auto why = refusals.find(unknown.id); why != refusals.end()) unknown.reason = why->second;
    std::string path = unknown.path;
    while (!path.empty() && !places.contains(path)) path.resize(std::min(path.rfind('.'), path.size() - 1));
    if (const auto at = places.find(path); at != places.end()) unknown.path = fmt::format("line {}", at->second);
  }
  if (tied && !cards && !rules && best.cards != usual) {
    out.notes.push_back(
        fmt::format("nothing in the list says its edition or points; it is read with the card set {}, {}", best.cards,
                    kUnlessStated));
  }
  return out;
}
#endif

}  // namespace salvo::load
