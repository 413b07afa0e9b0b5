#include "load/squads/squad_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "load/catalogue.h"
#include "load/index_file.h"
#include "load/name_index.h"
#include "load/profile.h"
#include "load/squads/squad_game.h"

namespace salvo::load {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLink = 20'000;
constexpr std::string_view kFirstHost = "geordanr.github.io";  ///< a builder of the first edition
// Version 4 is of either edition: the host decides.
constexpr int kLastOfFirst = 4;    ///< version of the links of that builder
constexpr int kFirstVersion = 4;   ///< of the second edition
constexpr int kFirstLettered = 8;  ///< version with letters as separators
constexpr int kNewest = 10;
constexpr std::string_view kLaunchBay = "launchbaynext.app";

/// A site that writes such links, and the points of its squads; empty: by version and points of the link.
struct Host {
  std::string_view name, ruleset;
};
constexpr Host kHosts[]{
    {"yasb.app", ""}, {"raithos.github.io", ""}, {"xwing-legacy.com", "2.0"}, {"lorenzosanti359-beep.github.io", "2.0"},
    {kLaunchBay, ""}, {kFirstHost, ""}};

/// A card as the builder knows it.
struct BuilderCard {
  std::string id, ship, name;  ///< id: the XWS id; empty: none
};

/// By kind and number.
using BuilderCards = std::map<std::pair<std::string, int>, BuilderCard>;

std::optional<int> number_of(std::string_view text) {
  const std::optional<int> value = base::whole_number(text);
  return value && *value >= 0 ? value : std::nullopt;
}

BuilderCards builder_cards(const Catalogue& catalogue, const char* file) {
  BuilderCards out;
  for (const auto [kind, row] : catalogue.index(fmt::format("builders/{}", file))) {
    std::vector<std::string_view> fields = base::split(row, '\t');
    const auto number = fields.size() >= 2 ? number_of(fields[0]) : std::nullopt;
    if (!number)
      data::fail(fmt::format("builders/{}", file), "", 0,
                 base::in_quotes(row) + std::string(" is not a row; run scripts/import_names"));
    fields.resize(4);
    out.emplace(std::pair(std::string(kind), *number),
                BuilderCard{std::string(fields[1]), std::string(fields[2]), std::string(fields[3])});
  }
  return out;
}

/// Decodes "%20" and "+".
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const bool code = text[i] == '%' && i + 2 < text.size() &&
                      std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3;
    if (code) i += 2;
    out += code ? static_cast<char>(byte) : text[i] == '+' ? ' ' : text[i];
  }
  return base::printable(out, kLongestLink);
}

/// The parameters of a link. In links copied from a page's source, they are separated by "&amp;".
std::map<std::string, std::string> query_of(std::string_view link) {
  std::map<std::string, std::string> out;
  const std::string_view query = base::cut(base::cut(link, '?').second, '#').first;
  for (std::string_view part : base::split(query, '&')) {
    if (part.starts_with("amp;")) part.remove_prefix(4);
    const auto [name, value] = base::cut(part, '=');
    if (name.size() < part.size()) out[std::string(name)] = decoded(value);
  }
  return out;
}

/// The link that a text holds encoded, as links of redirects do; else the text.
std::string inner_link(std::string_view text) {
  constexpr int kMostTimes = 3;
  std::string out(text);
  for (int i = 0; i < kMostTimes && !has_squad(out); ++i) {
    const std::string lower = base::lower_case(out);
    const std::size_t at = std::min(lower.find("%3a%2f%2f"), lower.find("%253a%252f%252f"));
    if (at == std::string::npos) break;
    const std::size_t begin = out.find_last_of("=?&/<( ", at) + 1;
    out = decoded(std::string_view(out).substr(begin, out.find_first_of("&>) ", at) - begin));
  }
  return out;
}

std::string host_of(std::string_view link) {
  if (const std::size_t at = link.find("://"); at != std::string_view::npos) link.remove_prefix(at + 3);
  if (base::lower_case(link.substr(0, 4)) == "www.") link.remove_prefix(4);
  return base::lower_case(link.substr(0, link.find_first_of("/?#")));
}

const Host* known_host(std::string_view link) {
  const std::string name = host_of(link);
  const auto at = std::find_if(std::begin(kHosts), std::end(kHosts), [&](const Host& one) { return one.name == name; });
  return at == std::end(kHosts) ? nullptr : at;
}

[[noreturn]] void fail_link(const std::string& why) { data::fail("the link", "", 0, why); }

/// The squad in the parameter d: "v8ZsZ200Z179X126W164Y..." or, in older versions, "v7!s=200!278:,5,201,:;...". Of the
/// first edition: "v4!s!0:1,2:-1:3:U.4;...", without "s!" in version 2, and without "v2!" in version 1.
struct Payload {
  int version = 0, points = 0;
  std::string_view ships;
  bool first = false;  ///< of the first edition
};

Payload read_payload(std::string_view text, std::string_view host) {
  constexpr const char* kExport = "copy the whole link again, or export the squad as XWS";
  const std::string_view head = text.substr(0, text.find_first_of("Z!"));
  const bool old = host == kFirstHost && number_of(text.substr(0, text.find(':')));
  const auto version = head.starts_with('v') ? number_of(head.substr(1)) : old ? std::optional(1) : std::nullopt;
  if (!version) {
    fail_link(
        "has no squad after d=, such as v10ZsZ50Z and the ships; put the link in quotes, since & ends a word in a "
        "shell, or export the squad as XWS");
  }
  if (host == kFirstHost && *version <= kLastOfFirst) {
    const std::string_view ships = text.substr(std::min(text.rfind('!') + 1, text.size()));
    const auto marks = std::count(text.begin(), text.end(), '!');
    if (ships.empty() || marks < std::min(*version - 1, 2)) {
      fail_link(fmt::format("is cut off: {}, a link of {} for the first edition, has no ships; {}",
                            base::in_quotes(text), host, kExport));
    }
    return {*version, 0, ships, true};
  }
  if (*version < kFirstVersion) {
    fail_link(
        fmt::format("is of the first edition ({} of {}), whose numbers are not known here; open it there, and "
                    "export the squad as XWS or as text",
                    head, host));
  }
  const bool lettered = *version >= kFirstLettered;
  const std::vector<std::string_view> fields = base::split(text, lettered ? 'Z' : '!');
  if (fields.size() < (lettered ? 4u : 3u) || fields.back().empty()) {
    fail_link(fmt::format("is cut off: {}{} has no ships after {}; {}", base::in_quotes(head),
                          lettered ? "" : ", an old form of the builder's links,",
                          lettered ? fmt::format("{}ZsZ200Z", head) : fmt::format("{}!s=200!", head), kExport));
  }
  if (fields[1].starts_with('q'))
    fail_link("has quick builds, whose numbers are not those of pilots; export the squad as XWS or as text");
  const std::string_view points = lettered ? fields[2] : base::cut(fields[1], '=').second;
  return {*version, number_of(points).value_or(0), fields[lettered ? 3 : 2]};
}

/// Converts the ships of a link to the format of an export.
class LinkReader {
 public:
  LinkReader(const Catalogue& catalogue, const char* file) : cards_(builder_cards(catalogue, file)) {}

  std::map<std::string, std::string> names;  ///< names by id, for messages about unknown ids
  Json pilots = Json::array();

  void ships(const Payload& payload) {
    const bool lettered = payload.version >= kFirstLettered;
    for (const std::string_view text : base::split(payload.ships, lettered ? 'Y' : ';')) {
      if (text.empty()) continue;
      const std::vector<std::string_view> parts = base::split(text, lettered ? 'X' : ':');
      if (parts.size() < 2) {
        fail_link(fmt::format("{} is not a ship: a pilot's number, {}, upgrades; the link may be cut off there",
                              base::in_quotes(text), lettered ? 'X' : ':'));
      }
      const BuilderCard pilot = card("pilot", parts[0]);
      Json out{{"id", pilot.id}, {"ship", pilot.ship}, {"upgrades", Json::array()}};
      if (payload.first) {
        first_edition_upgrades(payload, parts, out);
      } else {
        for (const std::string_view one : base::split(parts[1], lettered ? 'W' : ',')) upgrade(one, out);
        if (!lettered && parts.size() > 2) {  // upgrades in slots that other upgrades give, as "U.168,U.-1"
          for (const std::string_view one : base::split(parts.back(), ',')) upgrade(base::cut(one, '.').second, out);
        }
      }
      pilots.push_back(std::move(out));
    }
  }

  BuilderCard card(const char* kind, std::string_view text) {
    const auto number = number_of(text);
    if (!number) fail_link(fmt::format("{} is not a valid {} number", base::in_quotes(text), kind));
    const auto found = cards_.find({kind, *number});
    if (found == cards_.end()) return {fmt::format("number {}", *number), "", ""};
    BuilderCard out = found->second;
    if (out.id.empty()) out.id = out.name;
    if (!out.name.empty()) names.emplace(out.id, out.name);
    return out;
  }

 private:
  /// Three numbers were not cards, but the hardpoints of a Scyk.
  void upgrade(std::string_view text, Json& pilot) {
    if (text != "168" && text != "169" && text != "170") add("upgrade", text, pilot);
  }

  /// After the upgrades: title, modification, cards in slots that others give ("U.4,M.-1"); in version 1 title,
  /// upgrades of the title, modification.
  void first_edition_upgrades(const Payload& payload, const std::vector<std::string_view>& parts, Json& pilot) {
    static constexpr std::array<const char*, 5> kOld{"", "upgrade", "title", "upgrade", "modification"};
    static constexpr std::array<const char*, 5> kUsual{"", "upgrade", "title", "modification", "upgrade"};
    const auto& kinds = payload.version == 1 ? kOld : kUsual;
    for (std::size_t i = 1; i < std::min(parts.size(), kinds.size()); ++i) {
      for (std::string_view text : base::split(parts[i], ',')) {
        const char* kind = kinds[i];
        if (text.size() > 2 && text[1] == '.') {
          kind = text[0] == 'T' ? "title" : text[0] == 'M' ? "modification" : "upgrade";
          text.remove_prefix(2);
        }
        add(kind, text, pilot);
      }
    }
  }

  /// Empty slots are empty or -1.
  void add(const char* kind, std::string_view number, Json& pilot) {
    if (!number.empty() && number != "-1") pilot["upgrades"].push_back(card(kind, number).id);
  }

  BuilderCards cards_;
};

/// Converts a link of Launch Bay Next: 'Name'.200.1.0.ll33.3.l18.333rr.l33.'id'.l1.239.l14.297rrr, lists in l and r, or
/// in brackets, with name, points, faction, format and ships: ship, pilot, lists of a slot and its upgrades.
class LaunchBayReader {
 public:
  LaunchBayReader(const Catalogue& catalogue, std::string_view text) : cards_(catalogue, "lbn.tsv"), text_(text) {
    const Json all = list(0);
    if (!text_.empty() || all.size() < 5 || !all[0].is_string())
      fail_link("has no squad of Launch Bay Next after lbx=, or is cut off; export the squad as XWS");
    const bool nested = all[4].is_array() && !all[4].empty() && all[4][0].is_array();
    const Json& ships = nested ? all[4] : all;
    for (std::size_t i = nested ? 0 : 4; i < ships.size(); ++i) ship(ships[i]);
    xws["name"] = decoded(all[0].get<std::string>());
    xws["faction"] = id("faction", all[2]);
    if (const int points = all[1].is_number() ? all[1].get<int>() : 0; points > 0) {
      xws["points"] = points;
      xws["ruleset"] = ruleset_of_points(points);
    }
    xws["pilots"] = std::move(cards_.pilots);
  }

  Json xws;

 private:
  /// An entry that is not a ship is a list of obstacles.
  void ship(const Json& one) {
    if (!one.is_array() || one.size() < 2 || one[0].is_array() || one[1].is_array()) return;
    Json out{{"ship", id("ship", one[0])}, {"id", id("pilot", one[1])}, {"upgrades", Json::array()}};
    for (std::size_t i = 2; i < one.size(); ++i) {
      if (!one[i].is_array()) return;
      for (std::size_t j = 1; j < one[i].size(); ++j) out["upgrades"].push_back(id("upgrade", one[i][j]));
    }
    cards_.pilots.push_back(std::move(out));
  }

  std::string id(const char* kind, const Json& one) {
    if (one.is_string()) return one.get<std::string>();
    return one.is_number() ? cards_.card(kind, std::to_string(one.get<int>())).id : "";
  }

  bool take(std::string_view any) {
    if (text_.empty() || any.find(text_[0]) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }

  Json list(int depth) {
    constexpr int kDeepest = 4;
    Json out = Json::array();
    while (!(depth > 0 && take("r)]"))) {
      if (text_.empty() && depth > 0)
        fail_link("is cut off: a list of Launch Bay Next has no end; export the squad as XWS");
      if (text_.empty()) break;
      if (take(".")) continue;
      if (depth < kDeepest && take("l([")) {
        out.push_back(list(depth + 1));
        continue;
      }
      const bool quoted = take("'");
      const std::size_t end = quoted ? text_.find('\'') : text_.find_first_not_of("0123456789");
      const std::string_view word = text_.substr(0, end);
      const auto number = quoted ? std::nullopt : number_of(word);
      if (!quoted && !number)
        fail_link(fmt::format("{} is not a number, list or id of Launch Bay Next; export the squad as XWS",
                              base::in_quotes(text_)));
      out.push_back(number ? Json(*number) : Json(std::string(word)));
      text_.remove_prefix(std::min(word.size() + (quoted ? 1 : 0), text_.size()));
    }
    return out;
  }

  LinkReader cards_;
  std::string_view text_;
};

/// The builder's id "fanatical-talent" means "fanatical" if the card set has that upgrade for the slot talent.
std::string without_slot(const Catalogue& catalogue, const std::string& id, const std::string& cards) {
  const std::size_t hyphen = id.rfind('-');
  if (hyphen == std::string::npos || catalogue.upgrade_exists(id, cards)) return id;
  const auto cost = catalogue.upgrade_cost(id.substr(0, hyphen), cards);
  const auto slot = [&](const std::string& one) { return one == id.substr(hyphen + 1); };
  return cost && std::any_of(cost->slots.begin(), cost->slots.end(), slot) ? id.substr(0, hyphen) : id;
}

void drop_slots(const Catalogue& catalogue, const std::string& cards, Json& pilots) {
  for (Json& pilot : pilots) {
    for (Json& id : pilot["upgrades"]) id = without_slot(catalogue, id.get<std::string>(), cards);
  }
}

/// The ruleset of the squad in a link.
std::string ruleset_of(const Host* host, const Payload& payload) {
  if (payload.first) return kFirstEdition;
  return host != nullptr && !host->ruleset.empty() ? std::string(host->ruleset)
                                                   : ruleset_of_link(payload.version, payload.points);
}

}  // namespace

bool has_squad(std::string_view link) {
  return link.find("d=v") != std::string_view::npos || link.find("lbx=") != std::string_view::npos;
}

bool is_link(std::string_view word) {
  if (word.starts_with("http://") || word.starts_with("https://")) return true;
  return word.find("://") == std::string_view::npos && (known_host(word) != nullptr || inner_link(word) != word);
}

bool is_only_link(std::string_view text) {
  const auto [first, rest] = base::cut(text, ' ');
  const auto has = [link = first](const char* part) { return link.find(part) != std::string_view::npos; };
  const bool complete = has("://") && has_squad(first);
  const bool words_behind = complete && first.size() < text.size() && rest.find('&') == std::string_view::npos;
  return is_link(text) && text.find('\n') == std::string_view::npos && !words_behind;
}

std::string ruleset_in_link(std::string_view whole) {
  const std::string link = inner_link(whole);
  const Host* const host = known_host(link);
  if (host == nullptr || host->name == kLaunchBay) return {};
  const auto query = query_of(link);
  const auto squad = query.find("d");
  try {
    return ruleset_of(host, read_payload(squad == query.end() ? "" : squad->second, host->name));
  } catch (const LoadError&) {
    return std::string(host->ruleset);
  }
}

Squad parse_squad_link(const Catalogue& catalogue, std::string_view link, const std::optional<std::string>& cards,
                       const std::optional<std::string>& rules) {
  data::check_text(link, "the link");
  const std::string inner = inner_link(link);
  link = inner;
  link = link.substr(0, link.find_first_of("<>\"", link.find("://")));  // marks around it
  const Host* const host = known_host(link);
  std::optional<std::string> edition = rules || cards ? rules : std::optional<std::string>(kSecondEdition);
  const std::map<std::string, std::string> query = query_of(link);
  const auto part = [&](const char* name) {
    const auto at = query.find(name);
    return at == query.end() ? std::string() : at->second;
  };
  if (link.size() > kLongestLink) {
    fail_link(fmt::format("has {} characters, and a link at most {}; export the squad as XWS or as text", link.size(),
                          kLongestLink));
  }
  if (const std::string squad = part("lbx"); !squad.empty()) {
    const Json xws = LaunchBayReader(catalogue, squad).xws;
    return parse_squad(catalogue, xws.dump(), "the link", cards, edition);
  }
  const std::string squad = part("d");
  if ((host == nullptr || host->name == kLaunchBay) && !squad.starts_with('v')) {
    fail_link(
        "has no squad in it, and nothing is fetched; only links of yasb.app, raithos.github.io, xwing-legacy.com, "
        "geordanr.github.io and launchbaynext.app have one; export the squad as XWS or as text");
  }
  const Payload payload = read_payload(squad, host_of(link));
  if (payload.first && !rules && !cards) edition = kFirstEdition;
  LinkReader reader(catalogue, payload.first ? "yasb1.tsv" : "yasb.tsv");
  reader.ships(payload);
  const std::string ruleset = ruleset_of(host, payload);
  drop_slots(catalogue, cards.value_or(card_set_of_ruleset(ruleset)), reader.pilots);
  const Json xws{{"faction", part("f")},
                 {"name", base::printable(part("sn"), 200)},
                 {"ruleset", ruleset},
                 {"pilots", reader.pilots}};
  Squad out = parse_squad(catalogue, xws.dump(), "the link", cards, edition);
  for (UnknownId& unknown : out.unknown) {
    if (const auto name = reader.names.find(unknown.id); name != reader.names.end()) unknown.id = name->second;
  }
  if (payload.version > kNewest) {
    out.notes.push_back(fmt::format("links of version {} are not known here; it is read as one of version {}",
                                    payload.version, kNewest));
  }
  if (host == nullptr || (host->name == kFirstHost && !payload.first)) {
    out.notes.push_back(
        fmt::format("{} is not a builder of such links known here; its numbers are read as those of yasb.app",
                    base::in_quotes(host_of(link))));
  }
  return out;
}

}  // namespace salvo::load
