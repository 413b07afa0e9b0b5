// Attacks cut into segments against the graph of the whole attack: the same values, distributions and decisions, for
// the scenario of every modelled card and ruling.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "exact/exact.h"
#include "exact/graph.h"
#include "exact/segments.h"
#include "exact/state_merging.h"
#include "exact/token_plan.h"
#include "load/load.h"
#include "rules/compile.h"

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

bool same(const Distribution& a, const Distribution& b) {
  return same(a.value, b.value) &&
         std::equal(a.ships.begin(), a.ships.end(), b.ships.begin(), b.ships.end(),
                    [](const ShipDistribution& x, const ShipDistribution& y) {
                      return same(x.joint, y.joint) && same(x.damage, y.damage) && same(x.tokens_left, y.tokens_left) &&
                             same_numbers(x.tokens_pmf, y.tokens_pmf) && same(x.hull, y.hull) &&
                             same(x.shields, y.shields);
                    }) &&
         std::equal(a.attacks.begin(), a.attacks.end(), b.attacks.begin(), b.attacks.end(),
                    [](const AttackDistribution& x, const AttackDistribution& y) {
                      return same(x.happens, y.happens) && same(x.attack_dice, y.attack_dice) &&
                             same(x.defense_dice, y.defense_dice) && same(x.hit_probability, y.hit_probability) &&
                             same(x.mean_hits, y.mean_hits) && same(x.mean_crits, y.mean_crits);
                    });
}

/// Positions of the graph, of those that `every` picks, in which the two policies decide differently.
int different_decisions(const Plan& plan, const Policy& a, const Policy& b, int every) {
  std::vector<exact::States> states(plan.attacks.size() + 1);
  states[0].number(plan.start.masked(plan.attacks[0].readable));
  std::vector<Option> left, right;
  int out = 0;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const exact::Graph graph = exact::build_graph(plan, k, states[k], states[k + 1], 5e6);
    for (std::size_t n = 0; n < graph.nodes.size(); n += static_cast<std::size_t>(every)) {
      if (graph.nodes[n].kind != exact::Node::Kind::Decision) continue;
      const Position& position = graph.positions[static_cast<int>(n)];
      a.decide(plan, k, plan.start, position, left);
      b.decide(plan, k, plan.start, position, right);
      out += left == right ? 0 : 1;
    }
  }
  return out;
}

void compare(const Plan& plan, int every) {
  const exact::Solution by_parts = exact::solve(plan);
  const exact::Solution whole = exact::solve(plan, {.solver = exact::Solver::Graph});
  CHECK(by_parts.value == Approx(whole.value).margin(1e-12));
  CHECK(by_parts.second_value == Approx(whole.second_value).margin(1e-12));
  CHECK(same(exact::enumerate(plan, by_parts), exact::enumerate(plan, whole)));
  CHECK(different_decisions(plan, by_parts.policy, whole.policy, every) == 0);
}

/// Every scenario of a file of cases that is not solved by tables of tokens alone; there are more than `least`.
void compare_all(const char* name, const char* key, int least) {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  std::ifstream file(std::string(SALVO_SOURCE_DIR "/tests/data/") + name);
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    const auto test = nlohmann::json::parse(line);
    if (!test.contains(key)) continue;
    INFO(line);
    const Plan plan = compile(catalogue, parse_scenario(test.at(key).dump(), "case")).plan;
    if (exact::token_plan(plan)) continue;
    const exact::Solution whole = exact::solve(plan, {.solver = exact::Solver::Graph});
    if (whole.edges > 100'000) continue;
    compare(plan, 1);
    ++compared;
    if (compared % 4 != 0 || whole.edges > 20'000) continue;
    Plan greedy = plan;
    greedy.attacker_policy = PolicyKind::Greedy;
    compare(greedy, 1);
    greedy.attacker_policy = PolicyKind::Optimal;
    greedy.defender_policy = PolicyKind::Greedy;
    compare(greedy, 1);
    greedy.defender_policy = PolicyKind::Hold;
    compare(greedy, 1);
  }
  CHECK(compared > least);
}

}  // namespace

TEST_CASE("Segments and whole attacks agree on every card", "[exact][segments][cards]") {
  compare_all("cards.jsonl", "with", 80);
  compare_all("cards-xwa.jsonl", "with", 60);
}

TEST_CASE("Segments and whole attacks agree on every ruling", "[exact][segments][rulings]") {
  compare_all("rulings.jsonl", "scenario", 80);
}

TEST_CASE("Segments carry what several attackers left, and health", "[exact][segments]") {
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
    compare(compile(catalogue, scenario).plan, 7);
  }
}

TEST_CASE("An attack is cut where the defense dice begin and where they are compared", "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Scenario scenario;
  scenario.source = "test";
  scenario.ships["d"].agility = 2;
  scenario.ships["d"].tokens = {{"focus", 1}};
  scenario.ships["a"].attack = 3;
  scenario.ships["a"].tokens = {{"focus", 1}};
  scenario.ships["a"].upgrades = {"predator"};
  ScenarioAttack attack;
  attack.by = "a";
  attack.on = "d";
  scenario.attacks.push_back(attack);
  const std::vector<exact::Segment> segments = exact::cut(compile(catalogue, scenario).plan, 0);
  REQUIRE(segments.size() == 3);
  CHECK_FALSE(segments[1].reads_attack_dice);
  CHECK(segments[1].results_only);
  CHECK(segments[2].neutralizes);
  for (std::size_t i = 1; i < segments.size(); ++i) CHECK(segments[i].begin == segments[i - 1].end);
}

TEST_CASE("Dice that nothing in a segment tells apart are one position", "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Scenario scenario;
  scenario.source = "test";
  scenario.ships["d"].agility = 2;
  scenario.ships["a"].attack = 3;
  scenario.ships["a"].tokens = {{"focus", 1}};
  scenario.ships["a"].upgrades = {"predator"};
  ScenarioAttack attack_listed;
  attack_listed.by = "a";
  attack_listed.on = "d";
  attack_listed.facts = {"bullseye"};
  scenario.attacks.push_back(attack_listed);
  const Plan plan = compile(catalogue, scenario).plan;
  const AttackPlan& attack = plan.attacks[0];
  const std::vector<exact::Segment> segments = exact::cut(plan, 0);
  const exact::StateMerging merging(plan, attack, segments[0], &segments[1]);
  const Die& die = plan.attack_die;

  Position position;
  position.resources = plan.start;
  while (attack.steps[position.step].kind != Step::Kind::Window) ++position.step;
  for (const int face : {die.hit, die.focus, die.blank}) position.attack_pool.add(face, false, 1);
  const auto merged = [&] {
    Position out = position;
    merging.merge(plan, attack, out);
    return out.attack_pool;
  };
  CHECK(merged() == position.attack_pool);  // the focus token tells focus and blank apart

  position.resources = Resources();
  const Pool without_token = merged();
  const int plain = std::min(die.focus, die.blank), other = std::max(die.focus, die.blank);
  CHECK(without_token.count(plain) == 2);
  CHECK(without_token.count(die.hit) == 1);
  std::vector<Option> options;
  rules::legal_options(plan, attack, position, options);
  const auto rerolls = std::find_if(options.begin(), options.end(), [](const Option& o) { return o.effect >= 0; });
  REQUIRE(rerolls != options.end());
  Option option{rerolls->effect, Pool()};
  option.dice.add(plain, false, 1);
  const Option real = merging.unmerged(attack, position, option);
  CHECK(real.effect == option.effect);
  CHECK(real.dice.size() == 1);
  CHECK(real.dice.count(other) == 1);  // the first that legal_options names

  for (const Effect& effect : attack.effects) {
    if (effect.used_bit >= 0) position.used |= 1u << effect.used_bit;
  }
  position.attack_pool = Pool();
  position.attack_pool.add(die.hit, true, 2);
  CHECK(merged() == position.attack_pool.unmarked());  // no reroll is left
}
