// Decisions with every card mechanism (offers, friends, bonus attacks, effects before an engagement, mandatory
// effects): advice, policy files and certificates against the solved game, in the scenarios of the card cases.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "compile/compile.h"
#include "decide/advise.h"
#include "decide/order.h"
#include "exact/certificate.h"
#include "exact/exact.h"
#include "load/load.h"
#include "support/cases.h"
#include "support/catalogue.h"

using namespace salvo;
using nlohmann::json;

namespace {

using tests::catalogue;

/// The scenarios of the card cases.
std::vector<Scenario> card_scenarios() {
  std::vector<Scenario> out;
  for (const json& entry : tests::read_cases("cards.jsonl", SALVO_CASES_STEP))
    out.push_back(parse_scenario(entry["with"].dump(), entry["card"].get<std::string>()));
  REQUIRE(out.size() >= 200 / SALVO_CASES_STEP);
  return out;
}

void check_close(double a, double b) { CHECK(a == Approx(b).margin(1e-11).epsilon(1e-11)); }

/// No two options of a decision have the same description.
void check_words(const Advice& advice) {
  std::set<std::string> words;
  for (const PlayOption& option : advice.options) {
    INFO(option.play);
    CHECK(words.insert(option.play).second);
  }
}

/// The scenario with this policy for both players.
Scenario with_policy(Scenario scenario, const std::string& name) {
  scenario.attacker_policy = scenario.defender_policy = name;
  return scenario;
}

Scenario with_rules(Scenario scenario, const std::string& rules) {
  scenario.attacker_rules = std::make_shared<const PolicySpec>(parse_policy(rules, "test.toml"));
  scenario.defender_rules = scenario.attacker_rules;
  return scenario;
}

double value_of(const Scenario& scenario) {
  return exact::solve(compile::compile_scenario(catalogue(), scenario).plan).value;
}

}  // namespace

TEST_CASE("with every card, advice before the first roll is the value of the solved game", "[cards][decide]") {
  for (const Scenario& scenario : card_scenarios()) {
    INFO(scenario.source);
    for (const std::string policy : {"optimal", "greedy", "hold"}) {
      INFO(policy);
      const salvo::compile::CompiledScenario question =
          compile::compile_scenario(catalogue(), with_policy(scenario, policy));
      if (question.plan.attacks.front().engagement) continue;  // advice begins after these effects
      check_close(decide::advise(question, {}).value, exact::solve(question.plan).value);
    }
  }
}

TEST_CASE("with every card, every attack has advice and a description for each option", "[cards][decide]") {
  int bonus = 0;
  for (const Scenario& scenario : card_scenarios()) {
    INFO(scenario.source);
    const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
    REQUIRE(question.labels.effects.size() == question.plan.attacks.size());
    for (std::size_t k = 0; k < question.plan.attacks.size(); ++k)
      CHECK(question.labels.effects[k].size() == question.plan.attacks[k].effects.size());
    for (std::size_t n = 1; n <= question.labels.attacks.size(); ++n) {
      INFO("attack " << n);
      DecisionSpec point;
      point.attack = static_cast<int>(n);
      Advice advice;
      try {
        advice = decide::advise(question, point);
      } catch (const DecisionError&) {  // bonus attacks, and those of disarmed ships, may need effects before them
        const std::string& by = scenario.attacks[n - 1].by;
        bool disarmed = scenario.ships.at(by).tokens.contains("disarm");
        for (const ScenarioRound& round : scenario.rounds) {
          const auto gained = round.gains.find(by);
          disarmed = disarmed || (gained != round.gains.end() && gained->second.tokens.contains("disarm"));
        }
        CHECK((!question.labels.attacks[n - 1].bonus.empty() || disarmed));
        continue;
      }
      CHECK(advice.by == question.labels.ships[static_cast<std::size_t>(question.labels.attacks[n - 1].by)]);
      check_words(advice);
      bonus += !question.labels.attacks[n - 1].bonus.empty();
    }
  }
  CHECK(bonus >= 5);
}

TEST_CASE("with every card, rules without limits are greedy, and certificates agree", "[cards][decide]") {
  for (const Scenario& scenario : card_scenarios()) {
    INFO(scenario.source);
    check_close(value_of(with_rules(scenario, "format = 1\n[[rule]]\nspend = 99\n")),
                value_of(with_policy(scenario, "greedy")));
    const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
    const exact::Solution solution = exact::solve(question.plan);
    try {
      const double error = exact::certify(question.plan, solution, 20'000).error;
      CHECK(std::abs(error) < 1e-12);
    } catch (const PlanTooLarge&) {  // most are not
    }
    // Nothing may be spent or rerolled: mandatory effects still apply.
    CHECK(std::isfinite(value_of(with_rules(scenario, "format = 1\n[[rule]]\nspend = 0\nreroll = []\n"))));
  }
}

TEST_CASE("the other player's response to an offer", "[cards][decide]") {
  Scenario scenario;
  scenario.ships["red"].attack = 3;
  scenario.ships["red"].upgrades = {"suppressivegunner"};
  scenario.ships["black"].agility = 2;
  scenario.ships["black"].hull = 3;
  scenario.attacks = {{.by = "red", .on = "black"}, {.by = "red", .on = "black"}};
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
  DecisionSpec point;
  point.rolled = "hit focus blank";
  const Advice attacker = decide::advise(question, point);
  REQUIRE(attacker.options.size() == 2);
  check_words(attacker);
  CHECK(attacker.to_move == Role::Attacker);
  point.spent = "suppressivegunner";
  const Advice defender = decide::advise(question, point);
  CHECK(defender.to_move == Role::Defender);
  CHECK(defender.mover == "black");
  REQUIRE(defender.options.size() == 2);
  check_words(defender);
  for (const PlayOption& option : attacker.options) {
    if (option.play != "use suppressivegunner") continue;
    check_close(option.value, defender.value);
    REQUIRE(option.next_decisions.size() == 1);
    CHECK(option.next_decisions.front().play == defender.options.front().play);
  }
  point.defense_spent = "suppressivegunner:damage";
  const Advice after = decide::advise(question, point);
  for (const PlayOption& option : defender.options) {
    if (option.play.find("damage") != std::string::npos) check_close(option.value, after.value);
  }
}

TEST_CASE("a bonus attack is numbered after the attack that it follows, and moves with it", "[cards][decide]") {
  const Scenario scenario = load_scenario(SALVO_SOURCE_DIR "/profiles/scenarios/wingmen.toml");
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
  DecisionSpec point;
  point.attack = 2;
  const Advice bonus = decide::advise(question, point);
  CHECK(bonus.by == "gunner");
  CHECK(bonus.value > 0);
  point.attack = 3;
  CHECK_THROWS_AS(decide::advise(question, point), ScenarioError);

  Scenario more = scenario;
  more.ships["third"].attack = 2;
  more.attacks.push_back({.by = "third", .on = "prey"});
  const decide::Order order = decide::best_order(catalogue(), more, true);
  REQUIRE(order.entries.size() == 2);
  Scenario turned = more;
  turned.attacks = {more.attacks[2], more.attacks[0], more.attacks[1]};
  for (const salvo::decide::OrderEntry& entry : order.entries)
    check_close(entry.outcome.value, value_of(entry.attacks.front() == 0 ? more : turned));
}
