// Attacks solved alone, without the state that they do not read, have bit for bit the results of their whole plan.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "battle/solved_attacks.h"
#include "compile/compile.h"
#include "salvo/salvo.h"
#include "support/battles.h"
#include "support/cases.h"

using namespace salvo;

namespace {

using battles::catalogue, battles::kBudget;

bool same(const battle::SolvedAttacks::Ends& a, const battle::SolvedAttacks::Ends& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const auto key = [](const exact::AttackEnd& end) {
    return std::tie(end.resources.words, end.hits, end.crits, end.extra, end.probability);
  };
  return std::equal(a->begin(), a->end(), b->begin(), b->end(),
                    [&](const auto& x, const auto& y) { return key(x) == key(y); });
}

game::Plan plan_of(const std::string& scenario) {
  return compile::compile_scenario(catalogue(), parse_scenario(scenario, "case")).plan;
}

/// The number of attacks of a scenario that `solved` has not solved before.
std::size_t new_to(battle::SolvedAttacks& solved, const std::string& scenario) {
  const std::size_t before = solved.state().entries;
  const game::Plan plan = plan_of(scenario);
  for (std::size_t k = 0; k < plan.attacks.size(); ++k)
    CHECK(same(solved.ends(plan, k, plan.start, kBudget), exact::attack_ends(plan, k, plan.start, {.edges = kBudget})));
  return solved.state().entries - before;
}

}  // namespace

TEST_CASE("An attack solved alone ends as in its plan, to the bit", "[battle]") {
  const auto* name = GENERATE(as<const char*>{}, "cards.jsonl", "cards-xwa.jsonl", "cards-first-edition.jsonl");
  battle::SolvedAttacks solved;
  int compared = 0;
  for (const nlohmann::json& test : tests::read_cases(name)) {
    if (!test.contains("with")) continue;
    for (const char* deck : {"none", "core"}) {
      auto scenario = test.at("with");
      if (std::string(deck) != "none") {
        if (std::string(name) != "cards.jsonl" || compared % 8 != 0) continue;
        scenario["damage_deck"] = deck;
      }
      INFO(scenario.dump());
      game::Plan plan;
      try {
        plan = plan_of(scenario.dump());
      } catch (const ScenarioError&) {  // a ship without a hull is dealt no cards
        continue;
      }
      for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
        try {
          const auto whole = exact::attack_ends(plan, k, plan.start, {.edges = 5e4});
          CHECK(same(solved.ends(plan, k, plan.start, 5e4), whole));
        } catch (const PlanTooLarge&) {
          CHECK_THROWS_AS(solved.ends(plan, k, plan.start, 5e4), PlanTooLarge);
        }
      }
    }
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE("Equivalent attacks are solved once, whatever else their ships have", "[battle]") {
  battle::SolvedAttacks solved;
  const auto duel = [](const std::string& attacker, const std::string& defender, int range = 2) {
    return R"({"attacker_policy": "greedy", "defender_policy": "greedy", "ships": {"a": )" + attacker + R"(, "d": )" +
           defender + R"(}, "attacks": [{"by": "a", "on": "d", "range": )" + std::to_string(range) + "}]}";
  };
  const std::string defender = R"({"agility": 2, "hull": 3, "tokens": {"focus": 1}})";
  CHECK(new_to(solved, duel(R"({"attack": 3, "tokens": {"focus": 1}})", defender)) == 1);
  CHECK(new_to(solved, duel(R"({"attack": 3, "tokens": {"focus": 1}})", defender)) == 0);
  // It defends with its evade token, which its attack does not read; the rest of the ship does not matter either.
  CHECK(new_to(solved, duel(R"({"attack": 3, "agility": 3, "hull": 5, "tokens": {"focus": 1, "evade": 1}})",
                            R"({"agility": 2, "hull": 4, "shields": 2, "tokens": {"focus": 1, "ion": 1}})")) == 0);
  CHECK(new_to(solved, duel(R"({"attack": 3, "tokens": {"focus": 2}})", defender)) == 1);
  CHECK(new_to(solved, duel(R"({"attack": 3})", defender)) == 1);
  CHECK(new_to(solved, duel(R"({"attack": 3, "tokens": {"focus": 1}})", R"({"agility": 2, "hull": 3})")) == 1);
}
