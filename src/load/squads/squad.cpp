// Reads XWS files. Builders deviate from the schema and from each other, so only the list of pilots is required.
// Everything that is not understood is listed with its path.
#include "salvo/squad.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "load/profile.h"
#include "load/squads/list_lines.h"
#include "load/squads/pilot_reader.h"
#include "load/squads/squad_game.h"
#include "load/squads/squad_ids.h"
#include "load/squads/squad_keys.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"
#include "load/squads/squad_tree.h"
#include "load/squads/squad_yaml.h"
#include "load/squads/wrapped_squad.h"

namespace salvo {
namespace {

using data::Node;
using data::Value;

/// A squad as read with one card set.
struct SquadReading {
  Squad squad;
  std::size_t doubts = 0;  ///< guessed ids, and twice the unknown ones
};

SquadReading read_with(const Catalogue& catalogue, const Node& root, const std::vector<Node>& pilots, Squad head,
                       const std::string& cards) {
  head.cards = cards;
  const DataSet data = catalogue.data_set(cards);
  head.cards_from = data.name;
  head.cards_date = data.date;
  head.faction = load::loose_text(root.get("faction"));
  const std::size_t guesses = load::read_pilots(catalogue, pilots, head);
  std::vector<std::string> notes;
  for (const std::string& note : head.notes) base::add_once(notes, note);  // copies of a ship repeat them
  head.notes = std::move(notes);
  head.name = load::loose_text(root.get("name"));
  head.points = load::loose_number(root.get("points"));
  const bool missing =
      std::any_of(head.pilots.begin(), head.pilots.end(), [](const SquadPilot& pilot) { return !pilot.points; });
  if (!load::is_priced_by(head.ruleset, cards)) {
    head.notes.push_back(fmt::format("the card set {} has no points for {}; costs are those that the squad states{}",
                                     cards, head.ruleset, missing ? ", and unknown where it states none" : ""));
  }
  const std::size_t doubts = 2 * head.unknown.size() + guesses;
  return {std::move(head), doubts};
}

/// Candidate card sets, most likely first: that of the squad's ruleset, then the others of its edition.
std::vector<std::string> likely_sets(const Catalogue& catalogue, const Squad& squad) {
  if (squad.ruleset == load::kFirstEdition) return {catalogue.card_set("", squad.rules)};
  std::vector<std::string> sets = catalogue.edition(squad.rules)->card_sets;
  if (sets.empty()) sets = Catalogue::card_sets();
  const auto likely = std::find(sets.begin(), sets.end(), load::card_set_of_ruleset(squad.ruleset));
  if (likely != sets.end()) std::rotate(sets.begin(), likely, likely + 1);
  return sets;
}

/// Sets edition and ruleset of the squad: those given by the user, else inferred from the file.
void find_head(const Catalogue& catalogue, const Node& root, const std::vector<Node>& pilots,
               const std::optional<std::string>& cards, const std::optional<std::string>& rules, Squad& head) {
  if (rules && catalogue.edition(*rules) == nullptr) {
    throw LoadError(fmt::format("--rules: {} is not one of {}", base::in_quotes(*rules),
                                base::joined(catalogue.edition_ids(), ", ")));
  }
  load::SquadGame game;
  if (cards || rules) {
    const std::string of_cards = cards ? load::rules_of_cards(catalogue, *cards) : *rules;
    game.rules = rules.value_or(of_cards);
    const std::vector<std::string>& own = catalogue.edition(game.rules)->card_sets;
    if (cards && !own.empty() && !base::contains(own, *cards)) {
      throw LoadError(fmt::format("--cards: the rules {} have no card set {}; allowed are {}", game.rules, *cards,
                                  base::joined(own, ", ")));
    }
    const bool first = load::is_first_edition(cards ? *cards : catalogue.card_set("", game.rules));
    game.ruleset = first ? load::kFirstEdition : load::find_second_edition_game(catalogue, root, pilots).ruleset;
  } else {
    game = load::find_game(catalogue, root, pilots);
  }
  head.rules = game.rules;
  head.ruleset = game.ruleset;
  head.notes = game.notes;
}

std::size_t count_items(const Node& node) {
  if (!node.is(Value::Kind::Array)) return 1;
  std::size_t out = 0;
  for (const Node& item : node.children()) out += count_items(item);
  return out;
}

/// How many identical ships the entry means: some exports write them once.
std::size_t copies_of(const Node& pilot) {
  if (!pilot.is(Value::Kind::Table)) return 1;
  for (const char* const key : {"multiplier", "count"}) {
    const auto node = pilot.get(key);
    if (load::loose_text(node).empty()) continue;
    const auto stated = load::loose_number(node);
    if (!stated || *stated < 1)
      node->fail(fmt::format("is {}, and a number of ships at least 1 and whole", load::loose_text(node)));
    return static_cast<std::size_t>(*stated);
  }
  return 1;
}

/// The pilots of the list, each as often as it says.
std::vector<Node> each_pilot(const Node& list) {
  std::size_t ships = 0;
  for (const Node& pilot : list.children()) ships += copies_of(pilot);
  if (ships > load::kMaxSquadShips) {
    list.fail(fmt::format("has {} ships, but a squad has at most {}; split it, or leave out ships that do not fight",
                          ships, load::kMaxSquadShips));
  }
  std::vector<Node> out;
  for (const Node& pilot : list.children()) out.insert(out.end(), copies_of(pilot), pilot);
  return out;
}

/// Refuses at once what would take long to answer.
void check_size(const std::vector<Node>& pilots) {
  for (const Node& pilot : pilots) {
    const auto upgrades = pilot.is(Value::Kind::Table) ? pilot.get("upgrades") : std::nullopt;
    if (!upgrades || (!upgrades->is(Value::Kind::Table) && !upgrades->is(Value::Kind::Array))) continue;
    std::size_t cards = 0;
    for (const Node& slot : upgrades->children()) cards += count_items(slot);
    if (cards > load::kMaxShipUpgrades) {
      upgrades->fail(fmt::format("holds {} cards, and a ship at most {}; write each card that it has once", cards,
                                 load::kMaxShipUpgrades));
    }
  }
}

/// The line of `whole` on which its part begins.
int line_of(std::string_view part, std::string_view whole) {
  return 1 + static_cast<int>(std::count(whole.data(), part.data(), '\n'));
}

/// The text inside a block of code, as forums and chats mark it: ```json ... ```.
std::string_view without_fence(std::string_view text) {
  constexpr std::string_view kFence = "```";
  if (!text.starts_with(kFence)) return text;
  text.remove_prefix(std::min(text.find_first_of("\n{[", kFence.size()), text.size()));
  if (text.ends_with(kFence)) text.remove_suffix(kFence.size());
  return base::trimmed(text);
}

/// Whether a text is JSON rather than a list, which may begin with "[b]Han Solo" or "[46] Han Solo".
bool is_json(std::string_view text) {
  if (text.starts_with('{')) return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n", 1);
  return text.starts_with('[') && (first == text.npos || std::string_view("{[\"]").find(text[first]) != text.npos);
}

/// Wraps a list of pilots, or a single pilot, that has no squad around it; empty if the value is neither.
std::optional<Value> squad_of_pilots(const Value& value) {
  Value list = Value::array();
  list.items = value.kind == Value::Kind::Array ? value.items : std::vector{value};
  const bool pilots = std::all_of(list.items.begin(), list.items.end(), [](const Value& one) {
    const auto has_text = [&](const char* key) {
      const Value* const id = one.find(key);
      return id != nullptr && id->kind == Value::Kind::Text;
    };
    return one.kind == Value::Kind::Table && one.find("ship") &&
           (one.find("id") || one.find("name") || has_text("xws") || has_text("pilot"));
  });
  if (!pilots || list.items.empty()) return std::nullopt;
  Value out = Value::table();
  out.add("pilots", std::move(list));
  return out;
}

/// The text with plain quotation marks in place of those of web pages and word processors.
std::string with_plain_quotes(std::string_view text) {
  std::string out = load::without_html(text);
  for (const std::string_view mark : {"\u201c", "\u201d", "\u201e", "\u201f", "\u2033"}) {
    for (std::size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at))
      out.replace(at, mark.size(), "\"");
  }
  return out;
}

bool has_pilots(std::string_view export_text) {
  const std::string text = base::lower_case(export_text);
  return text.find("\"pilots\"") != text.npos || text.find("\\\"pilots\\\"") != text.npos;
}

/// An export whose quotation marks a table in CSV doubles, or another JSON escapes, as it was; empty: they are plain.
std::optional<std::string> without_escapes(std::string_view text) {
  constexpr std::string_view kMark = "\"", kTwoMarks = "\"\"";
  const std::size_t first = text.find(kMark);
  if (first == text.npos || first == 0) return std::nullopt;
  if (text[first - 1] == '\\') {
    std::string inside = fmt::format("{0}{1}{0}", kMark, text);
    std::replace(inside.begin(), inside.end(), '\n', ' ');  // which JSON texts cannot contain
    std::replace(inside.begin(), inside.end(), '\r', ' ');
    try {
      return data::parse_json(inside, "").text;
    } catch (const LoadError&) {
      return std::nullopt;
    }
  }
  if (!text.substr(first).starts_with(kTwoMarks) || base::lower_case(text).find("\"\"pilots\"\"") == std::string::npos)
    return std::nullopt;
  std::string out;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.starts_with(kTwoMarks)) text.remove_prefix(1);
    out += text[0];
  }
  return out;
}

/// The export of a builder in a text with words around it; else the text.
std::string_view without_words(std::string_view text) {
  const std::size_t first = text.find('{'), last = text.rfind('}');
  if (is_json(text) || first >= last || last == text.npos || !has_pilots(with_plain_quotes(text))) return text;
  return text.substr(first, last + 1 - first);
}

/// The number of squads side by side in a text.
int count_exports(std::string_view text) {
  int out = 0, depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && depth++ == 0) begin = i;
    if (text[i] == '}' && depth > 0 && --depth == 0) out += has_pilots(text.substr(begin, i - begin));
  }
  return out;
}

data::Value parse_export(std::string_view text, const std::string& source, int line) {
  try {
    return data::parse_json(text, source, line);
  } catch (const LoadError&) {
    const std::string plain = with_plain_quotes(text);
    if (const int squads = count_exports(plain); squads > 1)
      data::fail(source, "", line, fmt::format("holds {} squads; give one of them at a time", squads));
    try {
      return data::parse_json(plain, source, line);
    } catch (const LoadError&) {
      for (const std::string_view one : {text, std::string_view(plain)}) {
        if (auto other = load::parse_flow_yaml(one)) return *std::move(other);
      }
      if (text.find('"') == text.npos) throw;
    }
    throw;
  }
}

}  // namespace

Squad parse_squad(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  text = data::check_text(text, source);
  const std::string_view body = without_words(without_fence(base::trimmed(text)));
  if (load::is_toml_squad(body)) {
    // Messages state lines of the text.
    const std::string above(static_cast<std::size_t>(line_of(body, text) - 1), '\n');
    return load::read_squad(catalogue, data::parse_toml(above + std::string(body), source), source, cards, rules);
  }
  if (is_json(body)) {
    const std::optional<std::string> plain = without_escapes(body);
    const Value tree = parse_export(plain ? std::string_view(*plain) : body, source, line_of(body, text));
    return load::read_squad(catalogue, tree, source, cards, rules);
  }
  if (const auto yaml = load::parse_squad_yaml(body)) return load::read_squad(catalogue, *yaml, source, cards, rules);
  return load::is_only_link(body) ? load::parse_squad_link(catalogue, body, cards, rules)
                                  : load::parse_squad_text(catalogue, text, source, cards, rules);
}

bool load::is_toml_squad(std::string_view text) {
  const auto lines = base::split(text, '\n');
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    const auto [key, value] = base::cut(line, '=');
    return base::lower_case(base::trimmed(line).substr(0, 10)) == "[[pilots]]" ||
           (base::lower_case(base::trimmed(key)) == "pilots" && base::trimmed(value).starts_with('['));
  });
}

Squad load::read_squad(const Catalogue& catalogue, const Value& value, const std::string& source,
                       const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  Value usual = value;
  with_usual_keys(usual);
  const Node whole(usual, source);
  const std::optional<Node> wrapped = find_squad(whole);
  if (!wrapped) {
    if (const auto alone = squad_of_pilots(usual)) return read_squad(catalogue, *alone, source, cards, rules);
  }
  if (!wrapped) whole.need_table("a squad: an object with a list of pilots, as builders export it (XWS)");
  const Node& root = wrapped ? *wrapped : whole;
  if (root.is(Value::Kind::Text)) {
    return data::within(root.path(), [&, text = root.value().text] {
      return read_squad(catalogue, data::parse_json(text, source), source, cards, rules);
    });
  }
  const Node list = root.need("pilots", "export the squad as XWS");
  if (list.is(Value::Kind::Table) && list.value().items.empty()) list.fail("has no pilot; add one");
  list.need_array("a list of pilots");
  const std::vector<Node> pilots = each_pilot(list);
  if (pilots.empty()) list.fail("has no pilot; add one");
  check_size(pilots);
  Squad head;
  head.source = source == "-" ? "standard input" : source;
  find_head(catalogue, root, pilots, cards, rules, head);
  if (cards) return read_with(catalogue, root, pilots, head, *cards).squad;
  const std::vector<std::string> sets = likely_sets(catalogue, head);
  SquadReading best = read_with(catalogue, root, pilots, head, sets[0]);
  for (std::size_t i = 1; i < sets.size() && best.doubts > 0; ++i) {
    // Ids are better evidence than a version, which builders do not always update.
    SquadReading other = read_with(catalogue, root, pilots, head, sets[i]);
    if (other.doubts >= best.doubts) continue;
    other.squad.notes.push_back(fmt::format("more of its ids are of the card set {} than of {}", sets[i], sets[0]));
    best = std::move(other);
  }
  return best.squad;
}

namespace {

/// The squad itself: a link, or the text of a file, read only once since it may be standard input.
std::string text_of(const std::string& path) { return load::is_link(path) ? path : data::read_file(path); }

}  // namespace

Squad load_squad(const Catalogue& catalogue, const std::string& path, const std::optional<std::string>& cards,
                 const std::optional<std::string>& rules) {
  return parse_squad(catalogue, text_of(path), path, cards, rules);
}

Squad load_opposing_squad(const Catalogue& catalogue, const std::string& path, const Squad& mine,
                          const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  const std::string text = text_of(path);
  return load::opposing_squad(
      [&](const auto& its_cards, const auto& its_rules) {
        return parse_squad(catalogue, text, path, its_cards, its_rules);
      },
      mine, cards || rules);
}

Squad load::opposing_squad(const SquadReader& read, const Squad& mine, bool as_mine) {
  if (as_mine) return read(mine.cards, mine.rules);
  const Squad own = read(std::nullopt, std::nullopt);
  if (own.rules != mine.rules) {
    throw LoadError(fmt::format(
        "{} is of the {}, {} of the {}; squads of two editions cannot meet; choose the edition if one is misread",
        own.source, own.rules, mine.source, mine.rules));
  }
  if (own.cards == mine.cards) return own;
  Squad out = read(mine.cards, mine.rules);
  out.notes.push_back(
      fmt::format("it is of the card set {} and read with {}, as {} is", own.cards, mine.cards, mine.source));
  return out;
}

}  // namespace salvo
