#include "load/squads/squad_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

constexpr const char* kBuilder = "yasb.app";
constexpr std::size_t kLongestLink = 20'000;
constexpr int kFirstVersion = 8;

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

BuilderCards builder_cards(const Catalogue& catalogue) {
  BuilderCards out;
  const IndexFile rows = read_index(catalogue.profiles(), catalogue.root() / "builders" / "yasb.tsv");
  for (const auto [kind, row] : rows) {
    const std::vector<std::string_view> fields = base::split(row, '\t');
    const auto number = fields.size() == 4 ? number_of(fields[0]) : std::nullopt;
    if (!number)
      data::fail("builders/yasb.tsv", "", 0,
                 base::in_quotes(row) + std::string(" is not a row; run scripts/import_names"));
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
  return base::printable(out, 200);
}

/// The parameters of a link.
std::map<std::string, std::string> query_of(std::string_view link) {
  std::map<std::string, std::string> out;
  const std::string_view query = base::cut(base::cut(link, '?').second, '#').first;
  for (const std::string_view part : base::split(query, '&')) {
    const auto [name, value] = base::cut(part, '=');
    if (name.size() < part.size()) out[std::string(name)] = decoded(value);
  }
  return out;
}

[[noreturn]] void fail_link(const std::string& why) { data::fail("the link", "", 0, why); }

/// Converts the ships of a link to the format of an export.
class LinkReader {
 public:
  explicit LinkReader(const Catalogue& catalogue) : cards_(builder_cards(catalogue)) {}

  std::map<std::string, std::string> names;  ///< names by id, for messages about unknown ids
  Json pilots = Json::array();

  void ship(std::string_view text) {
    const std::vector<std::string_view> parts = base::split(text, 'X');
    if (parts.size() < 2)
      fail_link(fmt::format("{} is not a ship: a pilot's number, X, upgrades", base::in_quotes(text)));
    const BuilderCard pilot = card("pilot", parts[0]);
    Json out{{"id", pilot.id}, {"ship", pilot.ship}, {"upgrades", Json::array()}};
    for (const std::string_view upgrade : base::split(parts[1], 'W')) {
      if (!upgrade.empty()) out["upgrades"].push_back(card("upgrade", upgrade).id);
    }
    pilots.push_back(std::move(out));
  }

 private:
  BuilderCard card(const char* kind, std::string_view text) {
    const auto number = number_of(text);
    if (!number) fail_link(fmt::format("{} is not a valid {} number", base::in_quotes(text), kind));
    const auto found = cards_.find({kind, *number});
    if (found == cards_.end()) return {fmt::format("number {}", *number), "", ""};
    BuilderCard out = found->second;
    if (out.id.empty()) out.id = out.name;
    names.emplace(out.id, out.name);
    return out;
  }

  BuilderCards cards_;
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

}  // namespace

bool is_link(std::string_view word) {
  return word.starts_with("http://") || word.starts_with("https://") || word.starts_with(kBuilder);
}

Squad parse_squad_link(const Catalogue& catalogue, std::string_view link, const std::optional<std::string>& cards,
                       const std::optional<std::string>& rules) {
  data::check_text(link, "the link");
  if (link.size() > kLongestLink || link.find(kBuilder) == std::string_view::npos) {
    fail_link(fmt::format("only links of {} are read, and nothing is fetched; export the squad as XWS", kBuilder));
  }
  const std::map<std::string, std::string> query = query_of(link);
  const auto part = [&](const char* name) {
    const auto at = query.find(name);
    return at == query.end() ? std::string() : at->second;
  };
  const std::string squad = part("d");
  const std::vector<std::string_view> fields = base::split(squad, 'Z');
  if (fields.size() < 4 || !fields[0].starts_with('v')) {
    fail_link(
        "has no squad after d=, such as v10ZsZ50Z and the ships; put the link in quotes, since & ends a word in a "
        "shell");
  }
  const auto version = number_of(fields[0].substr(1)), points = number_of(fields[2]);
  if (!version || *version < kFirstVersion) {
    fail_link(fmt::format("{} is an old form of the builder's links; open it there and copy the new link",
                          base::in_quotes(fields[0])));
  }
  LinkReader reader(catalogue);
  for (const std::string_view ship : base::split(fields[3], 'Y')) {
    if (!ship.empty()) reader.ship(ship);
  }
  const std::string ruleset = ruleset_of_points(points.value_or(0));
  drop_slots(catalogue, cards.value_or(card_set_of_ruleset(ruleset)), reader.pilots);
  const Json xws{{"faction", part("f")},
                 {"name", part("sn")},
                 {"ruleset", ruleset},
                 {"vendor", {{"yasb", {{"link", std::string(link)}}}}},
                 {"pilots", reader.pilots}};
  Squad out = parse_squad(catalogue, xws.dump(), "the link", cards, rules);
  for (UnknownId& unknown : out.unknown) {
    if (const auto name = reader.names.find(unknown.id); name != reader.names.end()) unknown.id = name->second;
  }
  return out;
}

}  // namespace salvo::load

namespace salvo {}  // namespace salvo
