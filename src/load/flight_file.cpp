#include "load/flight_file.h"

#include <fmt/format.h>

#include <numeric>

#include "base/index.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "load/profile.h"

namespace salvo::load {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr std::size_t kMaxRules = 200;
constexpr int kMaxShips = 8;
constexpr int kMaxObjective = 100;  ///< points of a rule

bool is_numbered(const std::string& word) {
  for (const std::string side : {"mine-", "theirs-"}) {
    if (!word.starts_with(side)) continue;
    const std::string number = word.substr(side.size());
    return number.size() == 1 && number[0] >= '1' && number[0] <= '0' + kMaxShips;
  }
  return false;
}

/// Words separated by blanks.
ShipWords read_words(const data::Node& node) {
  static const Names known{"any", "mine", "theirs", "jouster", "ace", "turret", "large"};
  const std::string text = node.text();
  ShipWords out;
  for (const std::string_view part : base::split(text, ' ')) {
    const std::string word(part);
    if (word.empty()) continue;
    if (!base::contains(known, word) && !is_numbered(word)) {
      node.fail(fmt::format("{} is not a kind of ship; write {}, or mine-1 to theirs-{}", base::in_quotes(word),
                            base::joined(known, ", "), kMaxShips));
    }
    out.push_back(word);
  }
  if (out.empty()) node.fail("no ships are named; write any for all");
  return out;
}

std::optional<int> read_chance(const data::Node& node, std::string_view key) {
  std::optional<int> out;
  node.read(key, 0, kCertain, out);
  return out;
}

std::array<int, kFlightRanges> read_ranges(const data::Node& node) {
  node.need_table("a chance in percent for each range, such as { 1 = 40, 2 = 60 }");
  node.allow_only({"0", "1", "2", "3"});
  std::array<int, kFlightRanges> out{};
  for (const data::Node& one : node.children()) base::nth(out, one.key()[0] - '0') = one.integer(0, kCertain);
  const int sum = std::accumulate(out.begin(), out.end(), 0);
  if (sum > kCertain) {
    node.fail(fmt::format("the chances add up to {} percent; they may be 100 at most (what is missing is out of range)",
                          sum));
  }
  return out;
}

std::vector<data::Node> rules_of(const data::Node& round, std::string_view key) {
  const auto list = round.get(key);
  if (!list) return {};
  list->need_array(fmt::format("a list of rules, such as {} = [{{ ... }}]", key));
  std::vector<data::Node> out = list->children();
  if (out.size() > kMaxRules) list->fail(fmt::format("more than {} rules", kMaxRules));
  for (const data::Node& rule : out) rule.need_table("a rule, such as { by = \"any\", on = \"ace\", arc = 40 }");
  return out;
}

FlightShip read_ship_rule(const data::Node& node) {
  node.allow_only({"is", "no_action", "blue", "near_friends"});
  return {read_words(node.need("is", "say which ships, for example is = \"any\"")), read_chance(node, "no_action"),
          read_chance(node, "blue"), read_chance(node, "near_friends")};
}

FlightPair read_pair_rule(const data::Node& node) {
  node.allow_only({"of", "range", "obstructed"});
  const data::Node of = node.need("of", "say between which ships, for example of = [\"any\", \"ace\"]");
  of.need_array("two kinds of ships, such as [\"any\", \"ace\"]");
  const std::vector<data::Node> two = of.children();
  if (two.size() != 2) of.fail("two kinds of ships are needed, such as [\"any\", \"ace\"]");
  FlightPair out{read_words(two[0]), read_words(two[1]), std::nullopt, read_chance(node, "obstructed")};
  if (const auto range = node.get("range")) out.range = read_ranges(*range);
  return out;
}

FlightShot read_shot_rule(const data::Node& node) {
  node.allow_only({"by", "on", "arc", "bullseye"});
  return {read_words(node.need("by", "say whose shots, for example by = \"any\"")),
          read_words(node.need("on", "say at whom, for example on = \"any\"")), read_chance(node, "arc"),
          read_chance(node, "bullseye")};
}

FlightObjective read_objective(const data::Node& node) {
  node.allow_only({"by", "points"});
  return {read_words(node.need("by", "say which ships can take it, for example by = \"any\"")),
          node.need("points", "say how many points a round").integer(0, kMaxObjective)};
}

FlightRound read_round(const data::Node& node) {
  node.need_table("a [[round]] table");
  node.allow_only({"ship", "pair", "shot", "objective"});
  FlightRound out;
  for (const data::Node& rule : rules_of(node, "ship")) out.ships.push_back(read_ship_rule(rule));
  for (const data::Node& rule : rules_of(node, "pair")) out.pairs.push_back(read_pair_rule(rule));
  for (const data::Node& rule : rules_of(node, "shot")) out.shots.push_back(read_shot_rule(rule));
  for (const data::Node& rule : rules_of(node, "objective")) out.objectives.push_back(read_objective(rule));
  return out;
}

fs::path folder_of(const data::Profiles& profiles) { return profiles.root() / "flights"; }

Flight read_flight(const data::Value& value, const std::string& source) {
  const data::Node root(value, source);
  root.need_table("a flight: a table with id and [[round]]");
  root.allow_only({"format", "id", "name", "round"});
  root.need("format", "write format = 1").integer(1, 1);
  Flight out;
  out.source = source;
  out.id = root.need("id", "give it an id of lower-case letters, digits and hyphens").text();
  if (!data::is_id(out.id)) root.get("id")->fail("not an id; use lower-case letters, digits and hyphens");
  out.name = out.id;
  root.read("name", out.name);
  const data::Node rounds = root.need("round", "describe at least one round, as [[round]]");
  rounds.need_array("[[round]] tables, with two brackets");
  const std::vector<data::Node> list = rounds.children();
  if (list.empty()) rounds.fail("the list is empty; describe at least one round");
  if (list.size() > kMaxFlightRounds) rounds.fail(fmt::format("more than {} rounds", kMaxFlightRounds));
  for (const data::Node& round : list) out.rounds.push_back(read_round(round));
  return out;
}

}  // namespace

Flight parse_flight(std::string_view text, const std::string& source) {
  return read_flight(data::parse_document(text, source), source);
}

std::vector<std::string> flight_ids(const data::Profiles& profiles) { return profiles.ids(folder_of(profiles)); }

Flight load_flight(const data::Profiles& profiles, const std::string& name) {
  const fs::path path = folder_of(profiles) / (name + ".toml");
  if (data::is_id(name) && profiles.has(path)) {
    Flight out = read_flight(profiles.tree(path), path.string());
    if (out.id != name)
      data::fail(path.string(), "id", 0, fmt::format("{} in the file {}.toml; give both the same name", out.id, name));
    return out;
  }
  if (data::is_file(name)) return parse_flight(data::read_file(name), name);
  const Names known = flight_ids(profiles);
  if (known.empty())
    throw LoadError(fmt::format("no flight {}: the profiles have none; name a file", base::in_quotes(name)));
  const std::string near = base::did_you_mean(name, known);
  throw LoadError(fmt::format(
      "no flight {};{}", base::in_quotes(name),
      near.empty() ? fmt::format(" write one of {}, or the name of a file", base::joined(known, ", ")) : near));
}

}  // namespace salvo::load
