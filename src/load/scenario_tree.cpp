// The keys of a scenario, their types and ranges (docs/format.md: Scenarios).
#include "load/scenario_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "data/node.h"
#include "load/chances.h"
#include "load/synonyms.h"
#include "load/token_kind.h"

namespace salvo::load {

namespace {

constexpr int kMaxDice = 20;  // docs/format.md: Keys of a ship
constexpr int kMaxHealth = 99;
constexpr int kMaxTokens = 99;
constexpr int kMaxCloak = 1;
constexpr int kMaxRange = 5;
constexpr int kMaxInitiative = 99;  // only the order matters, so any value is allowed

using Names = std::vector<std::string>;

const Names& top_keys() {
  static const Names keys{"rules",           "cards", "objective", "damage_deck", "attacker_policy",
                          "defender_policy", "ships", "attacks",   "rounds",      "roll"};
  return keys;
}

const Names& ship_keys() {
  static const Names keys{"side", "ship",    "pilot", "upgrades", "conditions", "attack", "agility",
                          "hull", "shields", "size",  "tokens",   "docked",     "faceup", "facedown"};
  return keys;
}

const Names& attack_keys() {
  static const Names keys{"by",         "on",    "weapon", "range",   "obstructed",     "reinforced",     "facts",
                          "initiative", "bonus", "rolled", "results", "defense_rolled", "defense_results"};
  return keys;
}

const Names& round_keys() {
  static const Names keys{"attacks", "tokens", "again"};
  return keys;
}

/// The remedy for a misplaced key, or for a word that stands for another key. `here`: the keys of its table; `ship`:
/// the name of another ship.
std::string unknown_key_remedy(const std::string& key, const Names& here, const std::string& ship) {
  const WordContext where = &here == &top_keys()    ? WordContext::Scenario
                            : &here == &ship_keys() ? WordContext::Ship
                                                    : WordContext::Attack;
  if (std::string hint = &here == &round_keys() ? std::string() : remedy(where, key, ship); !hint.empty()) return hint;
  const auto has = [&key](const Names& names) { return base::contains(names, key); };
  if (&here != &top_keys() && has(top_keys())) return " it belongs to the scenario, before the first ship";
  if (&here != &ship_keys() && has(ship_keys())) return " it belongs to a ship, as in ships.NAME." + key;
  if (&here != &attack_keys() && has(attack_keys())) return " it belongs to an attack";
  if (&here == &top_keys() && (key == "engine" || key == "trials" || key == "seed")) {
    return fmt::format(" a scenario does not choose how it is computed: use the option --{}", key);
  }
  return {};
}

void allow_only(const data::Node& node, const Names& keys, const std::string& ship = "black") {
  node.allow_only(keys, [&](const std::string& key) { return unknown_key_remedy(key, keys, ship); });
}

/// The names of the locked ships. `example`: a ship that could be locked.
Names read_locks(const data::Node& node, const std::string& example) {
  if (!node.is(data::Value::Kind::Array)) {
    const std::string name = node.is(data::Value::Kind::Text) ? node.value().text : example;
    node.fail_kind(fmt::format("a list of the ships it has locked, here [{}]", base::in_quotes(name)));
  }
  return node.texts_once("a ship has at most one lock on another: name each ship once");
}

/// Locks that a ship may have, each decided on its own.
void read_uncertain_locks(const data::Node& node, ScenarioShip& ship) {
  for (const data::Node& target : node.children())
    ship.unknowns.push_back(read_chances(target, "lock", target.key(), 0, 1));
}

/// `least`: the least number of tokens of a kind; chances are read if it is 0.
void read_tokens(const data::Node& node, const std::string& example, int least, ScenarioShip& ship) {
  node.need_table("a table of kinds and numbers, such as { focus = 1 } in TOML, {\"focus\": 1} in JSON");
  Names stated;
  for (const data::Node& kind : node.children()) {
    const std::string id = token_kind(kind, stated);
    const bool uncertain = least == 0 && states_chances(kind);
    const int most = id == "cloak" ? kMaxCloak : kMaxTokens;
    if (id == "lock") {
      if (uncertain && kind.is(data::Value::Kind::Table)) {
        read_uncertain_locks(kind, ship);
      } else {
        ship.locks = read_locks(kind, example);
      }
      continue;
    }
    if (uncertain) {
      ship.unknowns.push_back(read_chances(kind, id, "", least, most));
      continue;
    }
    if (kind.is(data::Value::Kind::Array)) {
      if (const std::string hint = remedy(WordContext::Tokens, kind.key(), example); !hint.empty())
        kind.fail("unknown token;" + hint);
      kind.fail_kind(fmt::format("a whole number from {} to {} (only lock has a list of ships)", least, kMaxTokens));
    }
    ship.tokens[id] = kind.integer(least, most);
  }
}

ScenarioShip read_ship(const data::Node& node, const std::string& example, const Names& more = {}) {
  node.need_table("a table with the keys of a ship");
  Names keys = ship_keys();
  keys.insert(keys.end(), more.begin(), more.end());
  node.allow_only(keys, [&](const std::string& key) { return unknown_key_remedy(key, ship_keys(), example); });
  ScenarioShip ship;
  if (const auto side = node.get("side")) ship.side = side->one_of({"mine", "theirs"});
  node.read("ship", ship.ship);
  node.read("pilot", ship.pilot);
  node.read("upgrades", ship.upgrades);
  node.read("conditions", ship.conditions);
  node.read("attack", 0, kMaxDice, ship.attack);
  node.read("agility", 0, kMaxDice, ship.agility);
  node.read("hull", 1, kMaxHealth, ship.hull);
  node.read("shields", 0, kMaxHealth, ship.shields);
  node.read("size", ship.size);
  node.read("docked", ship.docked);
  node.read("faceup", ship.faceup);
  node.read("facedown", 0, kMaxHealth, ship.facedown);
  if (const auto tokens = node.get("tokens")) read_tokens(*tokens, example, 0, ship);
  return ship;
}

void read_ships(const data::Node& root, Scenario& scenario) {
  const data::Node node = root.need("ships", "describe at least two ships, each in a table ships.NAME");
  node.need_table("a table of ships by name, such as [ships.red] in TOML, {\"red\": {}} in JSON");
  const std::vector<data::Node> ships = node.children();
  if (ships.size() < 2) {
    node.fail(
        fmt::format("{} ship here; an attack needs at least two, attacker and defender", ships.empty() ? "no" : "one"));
  }
  for (const data::Node& ship : ships) {
    if (ship.key().empty()) ship.fail("a ship has an empty name; name it, as in ships.red");
    if (base::printable(ship.key(), std::string::npos) != ship.key()) {
      ship.fail("the name of the ship has control characters; write plain text");
    }
    const std::string& other = (&ship == &ships[0] ? ships[1] : ships[0]).key();
    scenario.ships.emplace(ship.key(), read_ship(ship, other));
  }
}

/// A ship, or a list of ships among which the attacker chooses.
void read_targets(const data::Node& node, ScenarioAttack& attack) {
  if (!node.is(data::Value::Kind::Array)) {
    attack.on = node.text();
    return;
  }
  attack.targets = node.texts_once("name each possible target only once");
  if (attack.targets.empty()) node.fail("the list is empty; name the ships that may be attacked");
  attack.on = attack.targets.front();
  attack.targets.erase(attack.targets.begin());
}

/// The faces of dice, as a list or as words.
void read_faces(const data::Node& attack, const char* key, ScenarioAttack::Faces& faces) {
  const auto member = attack.get(key);
  if (!member) return;
  const bool words = member->is(data::Value::Kind::Text);
  faces = words ? base::words_between(member->value().text, " ,") : member->texts();
  for (std::string& face : *faces) face = base::lower_case(face);
}

/// Reads the chances of a key of an attack; false: it has one value, or none.
bool read_unknown(const data::Node& node, const char* key, int most, ScenarioAttack& attack) {
  const auto given = node.get(key);
  const bool stated = given && (given->is(data::Value::Kind::Table) || (most == 1 && states_chances(*given)));
  if (!stated) return false;
  attack.unknowns.push_back(read_chances(*given, key, "", 0, most));
  return true;
}

/// Texts, and tables of facts with their chances: {"bullseye": 0.3}.
void read_attack_facts(const data::Node& node, ScenarioAttack& attack) {
  const std::vector<data::Node> facts = node.children();
  const auto is_table = [](const data::Node& fact) { return fact.is(data::Value::Kind::Table); };
  if (!node.is(data::Value::Kind::Array) || std::none_of(facts.begin(), facts.end(), is_table)) {
    attack.facts = node.texts_once("state each fact once");
    return;
  }
  std::set<std::string> seen;
  const auto once = [&seen](const data::Node& at, const std::string& fact) {
    if (!seen.insert(fact).second)
      at.fail(fmt::format("{} is given twice; state each fact once", base::in_quotes(fact)));
  };
  for (const data::Node& fact : facts) {
    if (!is_table(fact)) {
      once(fact, attack.facts.emplace_back(fact.text()));
      continue;
    }
    for (const data::Node& chance : fact.children()) {
      once(chance, chance.key());
      const char* key = is_table(chance) ? "count" : "fact";
      attack.unknowns.push_back(read_chances(chance, key, chance.key(), 0, kMaxTokens));
    }
  }
}

ScenarioAttack read_attack(const data::Node& node) {
  node.need_table("a table with the keys of an attack, at least by and on");
  allow_only(node, attack_keys());
  ScenarioAttack attack;
  attack.by = node.need("by", "name the ship that attacks").text();
  read_targets(node.need("on", "name the ship that is attacked"), attack);
  node.read("weapon", attack.weapon);
  if (!read_unknown(node, "range", kMaxRange, attack)) node.read("range", 0, kMaxRange, attack.range);
  if (!read_unknown(node, "obstructed", 1, attack)) node.read("obstructed", attack.obstructed);
  if (!read_unknown(node, "reinforced", 1, attack)) node.read("reinforced", attack.reinforced);
  node.read("initiative", 0, kMaxInitiative, attack.initiative);
  node.read("bonus", attack.bonus);
  read_faces(node, "rolled", attack.rolled);
  read_faces(node, "results", attack.results);
  read_faces(node, "defense_rolled", attack.defense_rolled);
  read_faces(node, "defense_results", attack.defense_results);
  if (const auto facts = node.get("facts")) read_attack_facts(*facts, attack);
  return attack;
}

/// Adds the attacks of the scenario or of one of its rounds. `toml`: the TOML header of an attack.
void read_attacks(const data::Node& table, const char* toml, int round, Scenario& scenario) {
  const data::Node node = table.need(
      "attacks", fmt::format("list at least one attack, as {} in TOML, \"attacks\": [{{...}}] in JSON", toml));
  node.need_array(fmt::format("a list of attacks: each begins with {} in TOML; in JSON the list is in [...]", toml));
  const std::vector<data::Node> attacks = node.children();
  if (attacks.empty()) node.fail("the list is empty; list at least one attack");
  scenario.attacks.reserve(scenario.attacks.size() + attacks.size());
  for (const data::Node& attack : attacks) {
    ScenarioAttack& read = scenario.attacks.emplace_back(read_attack(attack));
    read.round = round;
    const auto by = scenario.ships.find(read.by);
    if (!attack.get("weapon") && by != scenario.ships.end() && !by->second.upgrades.empty())
      read.unnamed = UnnamedWeapon::Primary;
  }
}

/// The tokens that ships gain or lose at the start of a round.
std::map<std::string, GainedTokens> read_gains(const data::Node& node, const Scenario& scenario) {
  node.need_table("a table of ships and what they gain, such as { red = { focus = 1 } }");
  std::map<std::string, GainedTokens> out;
  for (const data::Node& ship : node.children()) {
    if (!scenario.ships.contains(ship.key())) {
      Names known;
      for (const auto& [name, unused] : scenario.ships) known.push_back(name);
      ship.fail(base::unknown("ship", ship.key(), known));
    }
    const auto other = std::find_if(scenario.ships.begin(), scenario.ships.end(),
                                    [&ship](const auto& one) { return one.first != ship.key(); });
    ScenarioShip gained;
    read_tokens(ship, other->first, -kMaxTokens, gained);
    out[ship.key()] = {gained.tokens, gained.locks};
  }
  return out;
}

/// A list of rounds, or the number of rounds in which the attacks of the scenario are repeated.
void read_rounds(const data::Node& root, const data::Node& node, Scenario& scenario) {
  if (node.is(data::Value::Kind::Integer)) {
    read_attacks(root, "[[attacks]]", 0, scenario);
    return repeat_attacks(scenario, node.integer(1, kMaxRounds));
  }
  node.need_array(
      "a number of rounds, or a list of them: each begins with [[rounds]] in TOML; in JSON the list is in [...]");
  if (const auto attacks = root.get("attacks"))
    attacks->fail("attacks belong to the rounds, as [[rounds.attacks]]; leave this list out");
  const std::vector<data::Node> rounds = node.children();
  if (rounds.empty()) node.fail("the list is empty; list at least one round");
  if (rounds.size() > static_cast<std::size_t>(kMaxRounds))
    node.fail(fmt::format("{} rounds; at most {} are allowed", rounds.size(), kMaxRounds));
  for (const data::Node& round : rounds) {
    round.need_table("a table with the attacks of a round");
    allow_only(round, round_keys());
    const auto number = static_cast<int>(scenario.rounds.size());
    ScenarioRound& out = scenario.rounds.emplace_back();
    round.read("again", out.again);
    if (out.again && number == 0)
      round.get("again")->fail("in the first round ships have their initial tokens anyway; leave it out");
    if (const auto tokens = round.get("tokens")) out.gains = read_gains(*tokens, scenario);
    read_attacks(round, "[[rounds.attacks]]", number, scenario);
  }
}

/// The path from the root of a tree to item `index` of `in`, as a linked list.
struct PathStep {
  const PathStep* before;
  const data::Value* in;
  std::size_t index;

  const data::Value& value() const { return in->items[index]; }
};

std::string path_of(const PathStep* step) {
  if (step == nullptr) return {};
  std::string path = path_of(step->before);
  if (step->in->kind == data::Value::Kind::Array) return fmt::format("{}[{}]", path, step->index);
  if (!path.empty()) path += '.';
  return path + step->value().key;
}

bool looks_like_path(const std::string& key) {
  return std::any_of(key.begin(), key.end(), [](char c) { return c == '.' || c == '['; });
}

/// Collects the lines of everything below `parent`, which is on `line`. Paths on the line of their parent are left out,
/// since lookups fall back to it, unless the name itself looks like a path.
void collect_lines(const data::Value& parent, const PathStep* parent_step, int line,
                   std::map<std::string, int>& lines) {
  PathStep step{parent_step, &parent, 0};
  for (; step.index < parent.items.size(); ++step.index) {
    const data::Value& child = step.value();
    const int own = child.line > 0 ? child.line : line;
    if (own > 0 && (own != line || looks_like_path(child.key))) {
      if (std::string path = path_of(&step); !path.empty()) lines.emplace(std::move(path), own);
    }
    collect_lines(child, &step, own, lines);
  }
}

}  // namespace

ScenarioShip read_scenario_ship(const data::Node& node, const Names& more) { return read_ship(node, "another", more); }

FightingShip read_fighting_ship(const data::Node& node) {
  constexpr int kMaxPoints = 999;
  FightingShip out{read_scenario_ship(node, {"initiative", "points"})};
  for (const Unknown& unknown : out.ship.unknowns) {
    node.get("tokens")
        ->get(unknown.key)
        ->fail(
            "chances are not weighted here; write the number of tokens (run, compare, durability, squad and sweep "
            "weight "
            "them)");
  }
  node.read("initiative", 0, kMaxInitiative, out.initiative);
  node.read("points", 0, kMaxPoints, out.points);
  return out;
}

Scenario read_scenario(const data::Value& value, const std::string& source) {
  const data::Node root(value, source);
  root.need_table("a scenario: an object with ships and attacks");
  allow_only(root, top_keys());
  Scenario scenario;
  scenario.source = source;
  root.read("rules", scenario.rules);
  root.read("cards", scenario.cards);
  root.read("objective", scenario.objective);
  root.read("damage_deck", scenario.damage_deck);
  root.read("attacker_policy", scenario.attacker_policy);
  root.read("defender_policy", scenario.defender_policy);
  if (const auto roll = root.get("roll")) scenario.roll = roll->one_of({"attack", "defense"});
  read_ships(root, scenario);
  if (const auto rounds = root.get("rounds")) {
    read_rounds(root, *rounds, scenario);
  } else {
    read_attacks(root, "[[attacks]]", 0, scenario);
  }
  collect_lines(value, nullptr, 0, scenario.lines);
  return scenario;
}

}  // namespace salvo::load
