// Checks the literal reference against hand calculations, and against cases in a plain text file if one is named.
// In: check_literal [CASES] [--random N]. Out: the differences, counts and seconds; exit status 1 if anything differs.
// A case in the file is lines of words: `case ID MEAN`, `ship NAME ATTACK AGILITY N (TOKEN COUNT)*N M (LOCKED)*M`,
// `attack BY ON`, `joint HITS CRITS PROBABILITY`, `end`. MEAN and joint are those of the ship named d.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "literal.h"

namespace {

using literal::Attack;
using literal::Result;
using literal::Scenario;
using literal::Ship;

using Tokens = std::map<std::string, int>;

int failures = 0;

void expect(const std::string& what, double got, double want) {
  if (std::abs(got - want) <= 1e-12 * std::max(1.0, std::abs(want))) return;
  ++failures;
  std::printf("%s: got %.17g, expected %.17g\n", what.c_str(), got, want);
}

void expect_throws(const std::string& what, const Scenario& scenario) {
  try {
    literal::solve(scenario);
  } catch (const std::invalid_argument&) {
    return;
  }
  ++failures;
  std::printf("%s: no exception\n", what.c_str());
}

Ship attacker(int dice, const Tokens& tokens = {}, const std::vector<std::string>& locks = {}) {
  Ship ship;
  ship.name = "a";
  ship.attack = dice;
  ship.tokens = tokens;
  ship.locks = locks;
  return ship;
}

Ship defender(int agility, const Tokens& tokens = {}, int hull = -1, int shields = 0) {
  Ship ship;
  ship.name = "d";
  ship.agility = agility;
  ship.tokens = tokens;
  ship.hull = hull;
  ship.shields = shields;
  return ship;
}

Scenario duel(const Ship& a, const Ship& d, int attacks = 1) {
  Scenario scenario;
  scenario.ships = {a, d};
  for (int i = 0; i < attacks; ++i) {
    Attack attack;
    attack.by = a.name;
    attack.on = d.name;
    scenario.attacks.push_back(attack);
  }
  return scenario;
}

double value(const Scenario& scenario) { return literal::solve(scenario).value; }

// One attack die without defense dice: hit or crit on 4 of 8 faces, 6 of 8 with a focus token.
void check_attack_tokens() {
  const double h = 1.0 / 2, f = 3.0 / 4;
  expect("plain", value(duel(attacker(1), defender(0))), h);
  expect("three dice", value(duel(attacker(3), defender(0))), 3 * h);
  expect("focus", value(duel(attacker(3, {{"focus", 1}}), defender(0))), 3 * f);
  expect("lock", value(duel(attacker(1, {}, {"d"}), defender(0))), h + (1 - h) * h);
  expect("focus and lock", value(duel(attacker(1, {{"focus", 1}}, {"d"}), defender(0))), f + (1 - f) * f);
  // Two dice, one calculate: two focus results give only one hit: 2 * 3/4 - P(two focus results).
  expect("calculate", value(duel(attacker(2, {{"calculate", 1}}), defender(0))), 2 * f - 1.0 / 16);
  expect("calculate and force", value(duel(attacker(2, {{"calculate", 1}, {"force", 1}}), defender(0))), 2 * f);
  const Result tie = literal::solve(duel(attacker(1, {{"calculate", 1}, {"focus", 1}, {"force", 1}}), defender(0)));
  expect("calculate goes first", tie.ships.at("a").tokens_left.at("calculate"), f);
  expect("focus stays", tie.ships.at("a").tokens_left.at("focus"), 1.0);
  expect("force stays", tie.ships.at("a").tokens_left.at("force"), 1.0);
  const Result both = literal::solve(duel(attacker(2, {{"calculate", 2}, {"focus", 1}}), defender(0)));
  // Two focus results: spending one focus token leaves more tokens than spending two calculate tokens.
  expect("fewest tokens first", both.ships.at("a").tokens_left.at("focus"), 15.0 / 16);
  expect("one focus result", both.ships.at("a").tokens_left.at("calculate"), 2 - 2.0 / 4 * 3 / 4);
  const Result lock = literal::solve(duel(attacker(1, {}, {"d"}), defender(0)));
  expect("lock left", lock.ships.at("a").tokens_left.at("lock"), h);
}

// Most cases use one attack die, a hit or crit with 1/2, and one defense die.
void check_defense_tokens() {
  expect("agility", value(duel(attacker(1), defender(1))), 0.5 * 5 / 8);
  expect("focus", value(duel(attacker(1), defender(1, {{"focus", 1}}))), 0.5 * 3 / 8);
  expect("evade", value(duel(attacker(1), defender(1, {{"evade", 1}}))), 0.0);
  expect("evade without dice", value(duel(attacker(1), defender(0, {{"evade", 3}}))), 0.5);
  const Tokens one_each = {{"evade", 1}, {"focus", 1}, {"calculate", 1}, {"force", 1}};
  const Result order = literal::solve(duel(attacker(1), defender(1, one_each)));
  expect("a hit against a focus result", order.ships.at("d").tokens_left.at("calculate"), 1 - 0.5 * 2 / 8);
  expect("a hit against a blank", order.ships.at("d").tokens_left.at("evade"), 1 - 0.5 * 3 / 8);
  expect("focus left", order.ships.at("d").tokens_left.at("focus"), 1.0);
  const Result two = literal::solve(duel(attacker(2), defender(0, {{"reinforce", 1}})));
  expect("reinforce", two.value, 2 * 0.5 - 0.25);
  // One crit is left after a crit and nothing (2 * 1/8 * 1/2), a hit and a crit (2 * 3/8 * 1/8), or two crits (1/64).
  const double one_crit = 2 * 1.0 / 8 * 0.5 + 2 * 3.0 / 8 / 8 + 1.0 / 64;
  expect("reinforce cancels the hit", two.ships.at("d").joint.at({0, 1}), one_crit);
  expect("reinforce stays", two.ships.at("d").tokens_left.at("reinforce"), 1.0);
  // Three dice, two tokens: 3 left -> 1, 2 left -> 1, 1 left -> 1.
  expect("two reinforce", value(duel(attacker(3), defender(0, {{"reinforce", 2}}))), 7.0 / 8);
  Scenario outside = duel(attacker(2), defender(0, {{"reinforce", 1}}));
  outside.attacks[0].reinforced = false;
  expect("not in the reinforced arc", value(outside), 1.0);
}

void check_dice(const std::string& what, const Scenario& scenario, double attack, double defense) {
  const Result result = literal::solve(scenario);
  expect(what + ", attack dice", result.attacks.back().attack_dice, attack);
  expect(what + ", defense dice", result.attacks.back().defense_dice, defense);
}

void check_dice_counts() {
  for (int range = 0; range <= 5; ++range) {
    Scenario scenario = duel(attacker(2), defender(1));
    scenario.attacks[0].range = range;
    const int bonus[] = {0, 0, 0, 1, 2, 2};
    check_dice("range " + std::to_string(range), scenario, range == 1 ? 3 : 2, 1 + bonus[range]);
    scenario.attacks[0].ordnance = true;
    scenario.attacks[0].obstructed = true;
    check_dice("ordnance, obstructed", scenario, 2, 2);
  }
  const Tokens orange = {{"strain", 2}, {"tractor", 2}};
  for (const auto& [size, fewer] : std::map<std::string, int>{{"small", 2}, {"medium", 2}, {"large", 1}, {"huge", 1}}) {
    Scenario scenario = duel(attacker(3, {{"deplete", 1}}), defender(3, orange));
    scenario.ships[1].size = size;
    check_dice(size, scenario, 2, 3 - fewer);
    expect("strain left", literal::solve(scenario).ships.at("d").tokens_left.at("strain"), 1.0);
    expect("tractor left", literal::solve(scenario).ships.at("d").tokens_left.at("tractor"), 2.0);
    expect("deplete left", literal::solve(scenario).ships.at("a").tokens_left.at("deplete"), 0.0);
  }
  check_dice("cloak", duel(attacker(1), defender(1, {{"cloak", 1}})), 1, 3);
  check_dice("limits after all modifiers", duel(attacker(0, {{"deplete", 1}}), defender(0, orange)), 0, 0);
  const Result no_dice = literal::solve(duel(attacker(0), defender(0, orange)));
  expect("strain at no dice", no_dice.ships.at("d").tokens_left.at("strain"), 1.0);
  Scenario many = duel(attacker(7, {{"deplete", 1}}), defender(6, orange));
  many.attacks[0].range = 1;
  many.attacks[0].obstructed = true;
  many.attacks.push_back(many.attacks[0]);
  many.attacker_policy = many.defender_policy = "hold";
  check_dice("seven and one", many, 6, 5);
  Scenario touching = duel(attacker(2, {{"focus", 1}}, {"d"}), defender(1, {{"strain", 1}, {"evade", 1}}));
  touching.attacks[0].range = 0;
  check_dice("range 0", touching, 2, 0);
  expect("range 0, no modifying", value(touching), 1.0);
}

// Defender with agility 1 and a focus token against two attacks of one die each; the recursion by hand:
// last attack 0.5 * 5/8 without, 0.5 * 3/8 with the token.
void check_sequences() {
  const double without = 0.5 * 5 / 8, with = 0.5 * 3 / 8;
  const double use = 0.5 * 2 / 8, hit = 0.5 * 3 / 8;
  Scenario scenario = duel(attacker(1), defender(1, {{"focus", 1}}), 2);
  expect("two attacks", value(scenario), use * without + hit * (1 + with) + (1 - use - hit) * with);
  // Here greedy spends as optimal does: the token saves a whole hit now.
  scenario.defender_policy = "greedy";
  expect("greedy", value(scenario), use * without + hit * (1 + with) + (1 - use - hit) * with);
  scenario.defender_policy = "hold";
  expect("hold", value(scenario), 2 * without);
  scenario.attacker_policy = "hold";
  scenario.ships[0].tokens["focus"] = 1;
  expect("both hold", value(scenario), 2 * without);
  // One focus token for two attacks of 1 die: optimal and greedy both spend it on the first focus result.
  scenario.defender_policy = "optimal";
  scenario.attacker_policy = "optimal";
  scenario.ships[1] = defender(0);
  expect("attacker's focus", value(scenario), 2 * 0.5 + 0.25 + 0.75 * 0.25);
}

// kill, health and exchange with one hull, one die a shot.
void check_destruction() {
  Scenario scenario = duel(attacker(1), defender(0, {}, 1, 0), 2);
  scenario.objective = "kill";
  Result result = literal::solve(scenario);
  expect("kill", result.value, 0.75);
  expect("destroyed", result.ships.at("d").destroyed, 0.75);
  expect("second attack happens", result.attacks[1].happens, 0.5);
  expect("no excess", result.ships.at("d").joint.at({1, 0}), 0.375 + 0.5 * 0.375);
  for (Attack& attack : scenario.attacks) attack.initiative = 4;
  result = literal::solve(scenario);
  expect("simultaneous", result.value, 0.75);
  expect("excess damage", result.ships.at("d").joint.at({2, 0}), 0.375 * 0.375);
  expect("still shot", result.attacks[1].happens, 1.0);
  scenario.attacks[1].initiative = 3;
  expect("gone", literal::solve(scenario).attacks[1].happens, 0.5);
  scenario = duel(attacker(3), defender(0, {}, 1, 1));
  scenario.objective = "health";
  expect("health", value(scenario), 3 * 0.125 + 2 * 0.5);
  scenario.objective = "exchange";
  expect("exchange", value(scenario), (3 * 0.125 + 2 * 0.5) / 2);
  scenario.objective = "damage";
  expect("damage", value(scenario), 1.5);
  expect("destroyed", literal::solve(scenario).ships.at("d").destroyed, 0.5);
}

// Both shoot once with one die; a ship destroyed first cannot shoot back, unless they fire simultaneously.
void check_duels() {
  Ship a = attacker(1), d = defender(0, {}, 1);
  a.hull = 1;
  d.attack = 1;
  Scenario scenario = duel(a, d);
  scenario.objective = "kill";
  scenario.attacks.push_back({"d", "a", 2, false, true, std::nullopt, false});
  expect("shoots first", value(scenario), 0.5 - 0.25);
  for (Attack& attack : scenario.attacks) attack.initiative = 1;
  expect("simultaneous", value(scenario), 0.0);
  expect("mine lost", literal::solve(scenario).ships.at("a").destroyed, 0.5);
  scenario.objective = "damage";
  expect("damage", value(scenario), 0.0);
  // A focus token of d: save it for the attack (worth 1/4 of a hit) or spend it on the defense die.
  scenario.ships[1].agility = 1;
  scenario.ships[1].tokens["focus"] = 1;
  // a hits a focus result with 1/2 * 1/4: the token saves 1 there and would gain only 1/4 later, so d spends it.
  expect("focus in a duel", value(scenario), 0.5 * 3 / 8 - (0.5 * 0.25 * 0.5 + (1 - 0.5 * 0.25) * 0.75));
  scenario.ships[0].side = -1;
  expect("other side", value(scenario), -(0.5 * 3 / 8 - (0.5 * 0.25 * 0.5 + (1 - 0.5 * 0.25) * 0.75)));
}

// Without sides: the first attacker is mine, and each attack opposes its two ships.
void check_sides() {
  Scenario scenario = duel(attacker(1), defender(0));
  scenario.ships[1].attack = 2;
  scenario.ships.push_back(defender(0));
  scenario.ships[2].name = "b";
  scenario.attacks.push_back({"d", "b", 2, false, true, std::nullopt, false});
  expect("a and b against d", value(scenario), 0.5 - 1.0);
  scenario.ships[2].side = -1;
  expect("b is theirs", value(scenario), -0.5 + 1.0);
}

void check_wrong_input() {
  const Scenario good = duel(attacker(1), defender(1));
  const auto changed = [&](const std::string& what, const std::function<void(Scenario&)>& change) {
    Scenario bad = good;
    change(bad);
    expect_throws(what, bad);
  };
  changed("cloaked", [](Scenario& s) { s.ships[0].tokens["cloak"] = 1; });
  changed("disarmed", [](Scenario& s) { s.ships[0].tokens["disarm"] = 1; });
  changed("range", [](Scenario& s) { s.attacks[0].range = 6; });
  changed("ship", [](Scenario& s) { s.attacks[0].on = "x"; });
  changed("itself", [](Scenario& s) { s.attacks[0].on = "a"; });
  changed("token", [](Scenario& s) { s.ships[0].tokens["luck"] = 1; });
  changed("size", [](Scenario& s) { s.ships[0].size = "tiny"; });
  changed("policy", [](Scenario& s) { s.attacker_policy = "lazy"; });
  changed("objective", [](Scenario& s) { s.objective = "fun"; });
  changed("hull", [](Scenario& s) { s.objective = "kill"; });
  changed("sides", [](Scenario& s) { s.ships[0].side = s.ships[1].side = 1; });
  changed("locked twice", [](Scenario& s) { s.ships[0].locks = {"d", "d"}; });
  changed("unclaimed", [](Scenario& s) { s.ships.push_back(s.ships[0]), s.ships[2].name = "b"; });
  changed("same name", [](Scenario& s) { s.ships.push_back(s.ships[0]); });
  changed("rising", [](Scenario& s) {
    s.attacks.push_back(s.attacks[0]);
    s.attacks[0].initiative = 1, s.attacks[1].initiative = 2;
  });
  changed("one initiative", [](Scenario& s) { s.attacks.push_back(s.attacks[0]), s.attacks[0].initiative = 1; });
}

struct Case {
  std::string id;
  double mean = 0.0;
  Scenario scenario;
  std::map<std::pair<int, int>, double> joint;
};

Ship read_ship(std::istringstream& words) {
  Ship ship;
  std::size_t tokens = 0, locks = 0;
  words >> ship.name >> ship.attack >> ship.agility >> tokens;
  std::string name;
  for (int number = 0; tokens > 0 && words >> name >> number; --tokens) ship.tokens[name] = number;
  words >> locks;
  for (; locks > 0 && words >> name; --locks) ship.locks.push_back(name);
  return ship;
}

void check_case(const Case& test) {
  const auto begin = std::chrono::steady_clock::now();
  const Result result = literal::solve(test.scenario);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (elapsed.count() > 1.0) std::printf("%s took %.1f s\n", test.id.c_str(), elapsed.count());
  expect(test.id + " value", result.value, test.mean);
  double mean = 0.0, sum = 0.0;
  for (const auto& [taken, probability] : result.ships.at("d").joint) {
    mean += (taken.first + taken.second) * probability;
    sum += probability;
    const auto found = test.joint.find(taken);
    if (!test.joint.empty()) expect(test.id + " joint", probability, found == test.joint.end() ? 0.0 : found->second);
  }
  for (const auto& [taken, probability] : test.joint)
    if (probability > 0 && !result.ships.at("d").joint.contains(taken)) expect(test.id + " joint", 0.0, probability);
  expect(test.id + " mean", mean, test.mean);
  expect(test.id + " sum", sum, 1.0);
}

void check_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Case test;
  int cases = 0, joints = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "case") test = {}, words >> test.id >> test.mean;
    if (word == "ship") test.scenario.ships.push_back(read_ship(words));
    if (word == "attack") {
      Attack attack;
      words >> attack.by >> attack.on;
      test.scenario.attacks.push_back(attack);
    }
    int hits = 0, crits = 0;
    double probability = 0.0;
    if (word == "joint" && words >> hits >> crits >> probability) test.joint[{hits, crits}] = probability;
    if (word == "end") check_case(test), ++cases, joints += test.joint.empty() ? 0 : 1;
  }
  std::printf("%d cases, %d with joint\n", cases, joints);
}

// A small random scenario of the kind the engines are judged on.
Scenario random_scenario(std::mt19937& generator) {
  const auto pick = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
  const std::vector<std::string> words = {"damage", "kill", "health", "exchange", "optimal", "greedy", "hold"};
  const std::vector<std::string> kinds = {"focus", "calculate", "evade", "force"};
  Scenario scenario;
  scenario.objective = words[static_cast<std::size_t>(pick(4))];
  scenario.attacker_policy = words[static_cast<std::size_t>(4 + pick(3))];
  scenario.defender_policy = words[static_cast<std::size_t>(4 + pick(3))];
  const int attacks = 1 + pick(10) / 4, most = attacks == 3 ? 2 : 3;
  for (const char* name : {"a", "d"}) {
    Ship ship;
    ship.name = name;
    ship.attack = 1 + pick(most);
    ship.agility = pick(4);
    ship.hull = 1 + pick(4);
    ship.shields = pick(3);
    for (int n = pick(4); n > 0; --n) ship.tokens[kinds[static_cast<std::size_t>(pick(4))]] += 1;
    if (pick(3) == 0) ship.locks.push_back(name[0] == 'a' ? "d" : "a");
    if (pick(4) == 0) ship.tokens["reinforce"] = 1 + pick(2);
    if (pick(4) == 0) ship.tokens["strain"] = 1;
    scenario.ships.push_back(ship);
  }
  const bool simultaneous = pick(3) == 0, both = pick(3) == 0;
  for (int i = 0; i < attacks; ++i) {
    Attack attack;
    attack.by = both && i % 2 == 1 ? "d" : "a";
    attack.on = attack.by == "a" ? "d" : "a";
    if (simultaneous) attack.initiative = 4 - i / 2;
    attack.range = pick(6);
    scenario.attacks.push_back(attack);
  }
  return scenario;
}

void time_random(int number) {
  std::mt19937 generator(7);
  double total = 0.0, slowest = 0.0;
  for (int n = 0; n < number; ++n) {
    const Scenario scenario = random_scenario(generator);
    const auto begin = std::chrono::steady_clock::now();
    const Result result = literal::solve(scenario);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    total += elapsed.count();
    slowest = std::max(slowest, elapsed.count());
    for (const auto& [name, ship] : result.ships) {
      double sum = 0.0;
      for (const auto& [taken, probability] : ship.joint) sum += probability;
      expect("random sum of " + name, sum, 1.0);
    }
  }
  std::printf("%d random scenarios in %.2f s, slowest %.3f s\n", number, total, slowest);
}

}  // namespace

int main(int argc, char** argv) {
  check_attack_tokens();
  check_defense_tokens();
  check_dice_counts();
  check_sequences();
  check_destruction();
  check_duels();
  check_sides();
  check_wrong_input();
  std::printf("hand calculations: %d differ\n", failures);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--random" && i + 1 < argc)
      time_random(std::stoi(argv[++i]));
    else
      check_file(word);
  }
  std::printf("%d differ\n", failures);
  return failures == 0 ? 0 : 1;
}
