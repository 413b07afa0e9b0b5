// Compares segments with the graph of the whole attack: values, distributions and decisions, for the scenario of every
// modelled card and ruling.
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "compile/compile.h"
#include "exact/attack_ends.h"
#include "exact/exact.h"
#include "exact/graph/graph.h"
#include "exact/segments/segments.h"
#include "exact/segments/state_merging.h"
#include "exact/tables/token_plan.h"
#include "load/load.h"
#include "support/cases.h"
#include "support/exact_plans.h"

namespace {

using namespace salvo;

bool same(const Eigen::ArrayXXd& a, const Eigen::ArrayXXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a.size() == 0 || (a - b).abs().maxCoeff() < 1e-12);
}

bool same_numbers(const std::map<std::size_t, Eigen::ArrayXd>& a, const std::map<std::size_t, Eigen::ArrayXd>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
}

bool same(double a, double b) { return std::abs(a - b) < 1e-12; }

bool same(const salvo::game::Distribution& a, const salvo::game::Distribution& b) {
  return same(a.value, b.value) &&
         std::equal(a.ships.begin(), a.ships.end(), b.ships.begin(), b.ships.end(),
                    [](const salvo::game::ShipDistribution& x, const salvo::game::ShipDistribution& y) {
                      return same(x.joint, y.joint) && same(x.damage, y.damage) && same(x.tokens_left, y.tokens_left) &&
                             same_numbers(x.tokens_pmf, y.tokens_pmf) && same(x.hull, y.hull) &&
                             same(x.shields, y.shields) && same(x.faceup, y.faceup);
                    }) &&
         std::equal(a.attacks.begin(), a.attacks.end(), b.attacks.begin(), b.attacks.end(),
                    [](const salvo::game::AttackDistribution& x, const salvo::game::AttackDistribution& y) {
                      return same(x.happens, y.happens) && same(x.attack_dice, y.attack_dice) &&
                             same(x.defense_dice, y.defense_dice) && same(x.hit_probability, y.hit_probability) &&
                             same(x.mean_hits, y.mean_hits) && same(x.mean_crits, y.mean_crits);
                    });
}

/// The number of positions, among every `every`-th one of the graph, in which the two policies decide differently.
int different_decisions(const game::Plan& plan, const salvo::game::Policy& a, const salvo::game::Policy& b, int every) {
  std::vector<exact::States> states(plan.attacks.size() + 1);
  states[0].number(plan.start.masked(plan.attacks[0].readable));
  std::vector<game::Option> left, right;
  int out = 0;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const exact::Graph graph = exact::build_graph(plan, k, states[k], states[k + 1], 5e6);
    for (std::size_t n = 0; n < graph.nodes.size(); n += static_cast<std::size_t>(every)) {
      if (graph.nodes[n].kind != exact::Node::Kind::Decision) continue;
      const salvo::game::Position& position = graph.positions[static_cast<int>(n)];
      a.decide(plan, k, plan.start, position, left);
      b.decide(plan, k, plan.start, position, right);
      out += left == right ? 0 : 1;
    }
  }
  return out;
}

void compare(const game::Plan& plan, int every) {
  const exact::Solution by_parts = exact::solve(plan);
  const exact::Solution whole = exact::solve(plan, {.solver = exact::Solver::Graph});
  CHECK(by_parts.value == Approx(whole.value).margin(1e-12));
  CHECK(by_parts.second_value == Approx(whole.second_value).margin(1e-12));
  CHECK(same(exact::enumerate(plan, by_parts), exact::enumerate(plan, whole)));
  CHECK(different_decisions(plan, by_parts.policy, whole.policy, every) == 0);
}

/// The states after attack k from the start of the plan.
using Ends =
    std::map<std::tuple<std::array<std::uint64_t, 2>, int, int, std::array<std::int8_t, salvo::game::kVictims>>,
             double>;
std::optional<Ends> ends_of(const game::Plan& plan, std::size_t k, exact::Solver solver) {
  const auto found = exact::attack_ends(plan, k, plan.start, {.solver = solver});
  if (!found) return std::nullopt;
  Ends out;
  for (const exact::AttackEnd& end : *found)
    out[{end.resources.words, end.hits, end.crits, end.extra}] += end.probability;
  return out;
}

void compare_ends(const game::Plan& plan) {
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const std::optional<Ends> by_parts = ends_of(plan, k, exact::Solver::Best);
    const std::optional<Ends> whole = ends_of(plan, k, exact::Solver::Graph);
    REQUIRE(by_parts.has_value() == whole.has_value());
    if (!whole) continue;
    CHECK(std::equal(by_parts->begin(), by_parts->end(), whole->begin(), whole->end(),
                     [](const auto& a, const auto& b) { return a.first == b.first && same(a.second, b.second); }));
  }
}

/// The plan of a scenario. `deck`: gives its ships hull and deals damage cards; nothing if that is impossible.
std::optional<game::Plan> plan_of(const Catalogue& catalogue, nlohmann::json scenario, bool deck) {
  if (!deck) return compile::compile_scenario(catalogue, parse_scenario(scenario.dump(), "case")).plan;
  scenario["damage_deck"] = "core";
  for (auto& ship : scenario.at("ships")) {
    if (!ship.contains("ship") && !ship.contains("pilot") && !ship.contains("hull")) ship["hull"] = 2;
  }
  try {
    return compile::compile_scenario(catalogue, parse_scenario(scenario.dump(), "case")).plan;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

/// Compares every scenario of a file of cases that dense tables cannot solve; there must be more than `least`.
void compare_all(const char* name, const char* key, int least, bool deck = false) {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  int compared = 0;
  for (const nlohmann::json& test : tests::read_cases(name, SALVO_CASES_STEP)) {
    if (!test.contains(key)) continue;
    INFO(test.dump());
    const std::optional<game::Plan> known = plan_of(catalogue, test.at(key), deck);
    if (!known || exact::token_plan(*known) || !exact::has_segments(*known)) continue;
    const game::Plan& plan = *known;
    std::optional<exact::Solution> whole_game;
    try {
      whole_game = exact::solve(plan, {.edges = 100'000, .solver = exact::Solver::Graph});
    } catch (const PlanTooLarge&) {
      continue;
    }
    const exact::Solution& whole = *whole_game;
    compare(plan, 1);
    compare_ends(plan);
    ++compared;
    if (compared % 4 != 0 || whole.edges > 20'000) continue;
    game::Plan greedy = plan;
    greedy.attacker_policy = salvo::game::PolicyKind::Greedy;
    compare(greedy, 1);
    greedy.attacker_policy = salvo::game::PolicyKind::Optimal;
    greedy.defender_policy = salvo::game::PolicyKind::Greedy;
    compare(greedy, 1);
    greedy.defender_policy = salvo::game::PolicyKind::Hold;
    compare(greedy, 1);
    compare_ends(greedy);
    std::swap(greedy.attacker_policy, greedy.defender_policy);
    compare_ends(greedy);
  }
  CHECK(compared > least / SALVO_CASES_STEP);
}

}  // namespace

TEST_CASE("Segments and whole attacks agree on every card", "[exact][segments][cards]") {
  compare_all("cards.jsonl", "with", 80);
  compare_all("cards-xwa.jsonl", "with", 60);
}

TEST_CASE("Segments and whole attacks agree on every ruling", "[exact][segments][rulings]") {
  compare_all("rulings.jsonl", "scenario", 80);
}

TEST_CASE("Segments and whole attacks deal damage cards alike", "[exact][segments][deck]") {
  compare_all("cards.jsonl", "with", 80, true);
  compare_all("rulings.jsonl", "scenario", 60, true);
}

TEST_CASE("Segments carry health and the resources that several attackers left", "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  for (const char* objective : {"damage", "kill", "health"}) {
    INFO(objective);
    Scenario scenario;
    scenario.source = "test";
    scenario.objective = objective;
    scenario.ships["d"].agility = 2;
    scenario.ships["d"].hull = 3;
    scenario.ships["d"].tokens = {{"focus", 1}, {"evade", 1}};
    scenario.ships["d"].upgrades = {"elusive"};
    for (const char* name : {"a", "b", "a"}) {
      scenario.ships[name].attack = 2;
      scenario.ships[name].tokens = {{"focus", 1}};
      scenario.ships[name].locks = {"d"};
      scenario.ships[name].upgrades = {"predator"};
      ScenarioAttack attack;
      attack.by = name;
      attack.on = "d";
      scenario.attacks.push_back(attack);
    }
    compare(compile::compile_scenario(catalogue, scenario).plan, 7);
  }
}

TEST_CASE("An attack is cut where the defense dice begin and where they are compared", "[exact][segments]") {
  const std::vector<exact::Segment> segments = exact::split_into_segments(plan_with({"predator"}, 3, false), 0);
  REQUIRE(segments.size() == 3);
  CHECK_FALSE(segments[1].reads_attack_dice);
  CHECK(segments[1].results_only);
  CHECK(segments[2].neutralizes);
  for (std::size_t i = 1; i < segments.size(); ++i) CHECK(segments[i].begin == segments[i - 1].end);
}

TEST_CASE("The difference of two masks, in both words", "[exact][segments]") {
  const salvo::game::Resources all{{0b1110, 0b0111}}, some{{0b0110, 0b1010}};
  CHECK(exact::difference(all, some).words == std::array<std::uint64_t, 2>{0b1000, 0b0101});
}

TEST_CASE("Dice that nothing in a segment distinguishes are one position", "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Scenario scenario = one_attack(3);
  scenario.ships["a"].upgrades = {"predator"};
  scenario.attacks[0].facts = {"bullseye"};
  const game::Plan plan = compile::compile_scenario(catalogue, scenario).plan;
  const salvo::game::AttackPlan& attack = plan.attacks[0];
  const std::vector<exact::Segment> segments = exact::split_into_segments(plan, 0);
  const exact::StateMerging merging(plan, attack, segments[0], &segments[1]);
  const game::Die& die = plan.attack_die;

  salvo::game::Position position;
  position.resources = plan.start;
  while (attack.steps[position.step].kind != game::Step::Kind::Window) ++position.step;
  for (const int face : {die.hit, die.focus, die.blank}) position.attack_pool.add(face, false, 1);
  const auto merged = [&] {
    game::Position out = position;
    merging.merge(plan, attack, out);
    return out.attack_pool;
  };
  CHECK(merged() == position.attack_pool);  // the focus token distinguishes focus and blank

  position.resources = salvo::game::Resources();
  const game::Pool without_token = merged();
  const int plain = std::min(die.focus, die.blank), other = std::max(die.focus, die.blank);
  CHECK(without_token.count(plain) == 2);
  CHECK(without_token.count(die.hit) == 1);
  std::vector<game::Option> options;
  game::legal_options(plan, attack, position, options);
  const auto rerolls =
      std::find_if(options.begin(), options.end(), [](const salvo::game::Option& o) { return o.effect >= 0; });
  REQUIRE(rerolls != options.end());
  game::Option option{rerolls->effect, game::Pool()};
  option.dice.add(plain, false, 1);
  const salvo::game::Option real = merging.unmerged(attack, position, option);
  CHECK(real.effect == option.effect);
  CHECK(real.dice.size() == 1);
  CHECK(real.dice.count(other) == 1);  // the first that legal_options names

  for (const salvo::game::Effect& effect : attack.effects) {
    if (effect.used_bit >= 0) position.used |= 1u << effect.used_bit;
  }
  position.attack_pool = game::Pool();
  position.attack_pool.add(die.hit, true, 2);
  CHECK(merged() == position.attack_pool.unmarked());  // no reroll remains
}

TEST_CASE("Limits to once per attack that no longer matter are merged, and the graph agrees", "[exact][segments]") {
  // Agent Kallus and Fanatical are equivalent; Advanced Optics costs the focus token; Heroic requires only blanks.
  const std::vector<std::string> cards{"agentkallus",    "fanatical", "marksmanship", "heroic",
                                       "advancedoptics", "finn",      "predator",     "lonewolf"};
  for (unsigned subset = 1; subset < 1u << cards.size(); ++subset) {
    if (std::popcount(subset) > 5 || (subset % 3 != 0 && std::popcount(subset) > 3)) continue;
    std::vector<std::string> upgrades;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if ((subset >> i & 1u) != 0) upgrades.push_back(cards[i]);
    }
    INFO(subset);
    compare(plan_with(upgrades, 2, subset % 2 == 0), 1);
  }
}

TEST_CASE("Of equivalent effects it does not matter which is used", "[exact][segments]") {
  const game::Plan plan = plan_with({"agentkallus", "fanatical", "heroic"}, 3, false);
  const salvo::game::AttackPlan& attack = plan.attacks[0];
  const std::vector<exact::Segment> segments = exact::split_into_segments(plan, 0);
  const exact::StateMerging merging(plan, attack, segments[0], &segments[1]);
  const game::Die& die = plan.attack_die;
  salvo::game::Position position;
  position.resources = plan.start;
  while (attack.steps[position.step].kind != game::Step::Kind::Window) ++position.step;
  std::vector<std::uint32_t> alike;  // bits of the two
  std::vector<int> effects;
  std::uint32_t heroic = 0;
  for (const int e : attack.steps[position.step].effects) {
    const salvo::game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
    if (effect.used_bit < 0) continue;
    const bool changes = effect.operations[0].kind == salvo::game::Operation::Kind::Change;
    if (!changes) heroic = 1u << effect.used_bit;
    if (!changes) continue;
    alike.push_back(1u << effect.used_bit);
    effects.push_back(e);
  }
  REQUIRE(alike.size() == 2);
  REQUIRE(heroic != 0);
  const auto merged = [&](std::uint32_t used, std::initializer_list<int> faces) {
    game::Position out = position;
    out.used = used;
    for (const int face : faces) out.attack_pool.add(face, false, 1);
    merging.merge(plan, attack, out);
    return out;
  };
  CHECK(merged(alike[0], {die.hit, die.focus, die.blank}) == merged(alike[1], {die.hit, die.focus, die.blank}));
  CHECK_FALSE(merged(0, {die.hit, die.focus, die.blank}) == merged(alike[1], {die.hit, die.focus, die.blank}));
  // The remaining effect is used.
  position.used = alike[1];
  for (const int face : {die.hit, die.focus, die.blank}) position.attack_pool.add(face, false, 1);
  game::Option option{static_cast<std::int16_t>(effects[1]), game::Pool()};
  option.dice.add(die.focus, false, 1);
  CHECK(merging.unmerged(attack, position, option).effect == effects[0]);
  position.used = 0;
  position.attack_pool = game::Pool();

  // A hit never becomes a blank here, so Heroic counts as used; if all dice are blank, it does not.
  CHECK((merged(0, {die.hit, die.focus, die.blank}).used & heroic) != 0);
  CHECK((merged(0, {die.blank, die.blank, die.blank}).used & heroic) == 0);
  // Without focus results there is nothing to change, except what Heroic may still roll.
  CHECK((merged(0, {die.hit, die.blank, die.blank}).used & alike[0]) != 0);
  CHECK((merged(0, {die.blank, die.blank, die.blank}).used & alike[0]) == 0);
}

namespace {

struct Wing {
  std::vector<std::map<std::string, int>> tokens;  ///< by attacker
  std::vector<std::vector<std::string>> upgrades;
};

/// Attackers with two dice each, one after the other, on a ship with a focus and an evade token.
game::Plan wing_plan(const Catalogue& catalogue, const Wing& wing, const char* objective) {
  Scenario scenario;
  scenario.source = "test";
  scenario.objective = objective;
  ScenarioShip& defender = scenario.ships["z"];
  defender.agility = 1;
  defender.hull = 4;
  defender.tokens = {{"focus", 1}, {"evade", 1}};
  for (std::size_t i = 0; i < wing.tokens.size(); ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    ScenarioShip& ship = scenario.ships[name];
    ship.attack = 2;
    ship.tokens = wing.tokens[i];
    ship.upgrades = wing.upgrades[i];
    ScenarioAttack attack;
    attack.by = name;
    attack.on = "z";
    scenario.attacks.push_back(attack);
  }
  return compile::compile_scenario(catalogue, scenario).plan;
}

}  // namespace

TEST_CASE("Attacks of a wing that differ only in labels are solved as if each were built separately",
          "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const std::vector<std::map<std::string, int>> tokens{
      {{"focus", 1}}, {{"focus", 1}}, {{"calculate", 1}}, {{"focus", 1}, {"evade", 1}}, {{"focus", 2}}};
  const std::vector<std::vector<std::string>> upgrades{
      {"predator"}, {"predator"}, {"predator", "juke"}, {"lonewolf"}, {"zuckuss"}};
  std::uint32_t drawn = 1;
  const auto pick = [&](std::size_t n) {
    drawn = drawn * 1664525u + 1013904223u;
    return static_cast<std::size_t>(drawn >> 16) % n;
  };
  for (int round = 0; round < 40; ++round) {
    Wing wing;
    for (std::size_t i = 0, n = 2 + pick(3); i < n; ++i) {
      wing.tokens.push_back(tokens[pick(tokens.size())]);
      wing.upgrades.push_back(upgrades[pick(upgrades.size())]);
    }
    INFO(round);
    compare(wing_plan(catalogue, wing, round % 2 == 0 ? "damage" : "kill"), 3);
  }
}

TEST_CASE("Segments that differ only in labels", "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  // The first two are equal; the third has one more token, the fourth one more card.
  const game::Plan plan = wing_plan(catalogue,
                                    {{{{"focus", 1}}, {{"focus", 1}}, {{"focus", 2}}, {{"focus", 1}}},
                                     {{"predator"}, {"predator"}, {"predator"}, {"predator", "marksmanship"}}},
                                    "damage");
  std::vector<std::vector<exact::Segment>> segments;
  for (std::size_t k = 0; k < 4; ++k) segments.push_back(exact::split_into_segments(plan, k));
  const auto place = [&](std::size_t k, std::size_t i) {
    const exact::Segment* next = i + 1 < segments[k].size() ? &segments[k][i + 1] : nullptr;
    return exact::SegmentRef{plan.attacks[k], segments[k][i], next};
  };
  REQUIRE(segments[0].size() > 1);
  CHECK_FALSE(exact::same_play(plan, place(1, 0), place(0, 0)));
  const auto relabeling = exact::isomorphic_play(plan, place(1, 0), place(0, 0));
  REQUIRE(relabeling);
  CHECK((*relabeling)(plan.start.masked(segments[0][0].active)) == plan.start.masked(segments[1][0].active));
  CHECK_FALSE(exact::isomorphic_play(plan, place(2, 0), place(0, 0)));
  CHECK_FALSE(exact::isomorphic_play(plan, place(3, 0), place(0, 0)));
}

TEST_CASE("Where damage is suffered, a destructible ship attacks differently from an indestructible one",
          "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  for (const bool attacked : {false, true}) {
    Scenario scenario;
    scenario.source = "test";
    scenario.objective = "kill";
    for (const char* name : {"a", "b"}) scenario.ships[name] = {.attack = 2, .hull = 3, .tokens = {{"focus", 1}}};
    scenario.ships["z"] = {.attack = 2, .agility = 1, .hull = 4};
    scenario.attacks = {{.by = "a", .on = "z"}, {.by = "b", .on = "z"}};
    if (attacked) scenario.attacks.push_back({.by = "z", .on = "b"});
    const game::Plan plan = compile::compile_scenario(catalogue, scenario).plan;
    const std::vector<exact::Segment> first = exact::split_into_segments(plan, 0),
                                      second = exact::split_into_segments(plan, 1);
    REQUIRE(first.size() > 1);
    const auto alike = [&](std::size_t i) {
      return exact::isomorphic_play(plan, exact::segment_ref(plan.attacks[1], second, i),
                                    exact::segment_ref(plan.attacks[0], first, i))
          .has_value();
    };
    CHECK(alike(0));
    CHECK(alike(first.size() - 1) == !attacked);
  }
}

TEST_CASE("Attacks of a wing that begin in the same states share all segments", "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const char* objective = GENERATE("damage", "kill", "health");
  const std::vector<std::string> upgrades =
      GENERATE(std::vector<std::string>{"predator"}, std::vector<std::string>{"zuckuss"});
  CAPTURE(objective, upgrades);
  const std::map<std::string, int> focus{{"focus", 1}};
  Wing wing{std::vector(5, focus), std::vector(5, upgrades)};
  REQUIRE_FALSE(exact::token_plan(wing_plan(catalogue, wing, objective)));
  compare(wing_plan(catalogue, wing, objective), 2);
  // One attack is of another kind.
  wing.tokens[2] = {{"calculate", 1}};
  compare(wing_plan(catalogue, wing, objective), 2);
}

TEST_CASE("Attacks that differ only in labels", "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const game::Plan plan = wing_plan(catalogue,
                                    {{{{"focus", 1}}, {{"focus", 1}}, {{"focus", 2}}, {{"focus", 1}}},
                                     {{"predator"}, {"predator"}, {"predator"}, {"predator"}}},
                                    "damage");
  std::vector<std::vector<exact::Segment>> segments;
  for (std::size_t k = 0; k < 4; ++k) segments.push_back(exact::split_into_segments(plan, k));
  const auto relabeling = exact::isomorphic_attack(plan, 0, segments[0], 1, segments[1], {});
  REQUIRE(relabeling);
  // The start state that the second attack can read, in the labels of the first, and back. The first also reads its own
  // token.
  const salvo::game::Resources second = plan.start.masked(plan.attacks[1].readable);
  CHECK(relabeling->back((*relabeling)(second), plan.attacks[1].readable) == second);
  CHECK((*relabeling)(second).masked(segments[0][0].active) == plan.start.masked(segments[0][0].active));
  CHECK_FALSE(exact::isomorphic_attack(plan, 1, segments[1], 2, segments[2], {}));
  // Nothing reads the state after the last attack.
  CHECK_FALSE(exact::isomorphic_attack(plan, 0, segments[0], 3, segments[3], {}));
}
