// Speed of the exact engine with cards: the cost of the effects of a plan. Answers are first checked against the graph
// of whole attacks, which shares no solver with the segments.
#include <benchmark/benchmark.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"

namespace {

using namespace salvo;

const Catalogue& profiles() {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  return catalogue;
}

/// A fang fighter with focus, evade, elusive and the defensive change of its ship, 3 defense dice.
ScenarioShip defender() {
  ScenarioShip out;
  out.ship = "fangfighter";
  out.pilot = "skullsquadronpilot";
  out.agility = 3;
  out.tokens = {{"focus", 1}, {"evade", 1}};
  out.upgrades = {"elusive"};
  return out;
}

/// 3 attack dice at range 1 with focus and lock.
ScenarioShip attacker(const std::vector<std::string>& upgrades) {
  ScenarioShip out;
  out.attack = 2;
  out.tokens = {{"focus", 1}};
  out.locks = {"d"};
  out.upgrades = upgrades;
  return out;
}

Scenario attackers(int n, const std::vector<std::string>& upgrades) {
  Scenario out;
  out.source = "bench";
  out.ships["d"] = defender();
  for (int i = 1; i <= n; ++i) {
    const std::string name = "a" + std::to_string(i);
    out.ships[name] = attacker(upgrades);
    ScenarioAttack attack;
    attack.by = name;
    attack.on = "d";
    attack.range = 1;
    out.attacks.push_back(attack);
  }
  return out;
}

/// Predator, a second reroll, and a bonus attack after a miss.
Scenario bonus(const std::string& reroll) { return attackers(1, {"predator", reroll, "bossk"}); }

/// Two cards on each of three attackers.
Scenario three() { return attackers(3, {"predator", "firecontrolsystem"}); }

void require(double got, double want) {
  if (std::abs(got - want) > 1e-12) throw std::runtime_error("the benchmark's answer is wrong");
}

void check(const game::Plan& plan) {
  exact::Budget budget;
  budget.solver = exact::Solver::Graph;
  const exact::Solution whole = exact::solve(plan, budget);
  const exact::Solution solution = exact::solve(plan);
  require(solution.value, whole.value);
  const salvo::game::Distribution a = exact::enumerate(plan, solution), b = exact::enumerate(plan, whole);
  for (std::size_t s = 0; s < a.ships.size(); ++s) {
    require((a.ships[s].tokens_left - b.ships[s].tokens_left).abs().maxCoeff(), 0);
    require((a.ships[s].joint - b.ships[s].joint).abs().maxCoeff(), 0);
  }
}

void compile_cards(benchmark::State& state, const Scenario& scenario) {
  for (auto _ : state) benchmark::DoNotOptimize(compile::compile_scenario(profiles(), scenario).plan.attacks.size());
}

void solve_cards(benchmark::State& state, const Scenario& scenario) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(profiles(), scenario);
  check(question.plan);
  for (auto _ : state) benchmark::DoNotOptimize(exact::solve(question.plan).value);
}

void enumerate_cards(benchmark::State& state, const Scenario& scenario) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(profiles(), scenario);
  const exact::Solution solution = exact::solve(question.plan);
  for (auto _ : state) benchmark::DoNotOptimize(exact::enumerate(question.plan, solution).value);
}

/// The complete answer to a loaded question.
void answer_cards(benchmark::State& state, const Scenario& scenario) {
  for (auto _ : state) {
    const salvo::compile::CompiledScenario question = compile::compile_scenario(profiles(), scenario);
    benchmark::DoNotOptimize(exact::enumerate(question.plan, exact::solve(question.plan)).value);
  }
}

#define SALVO_BENCH_CARDS(name, scenario)                                            \
  BENCHMARK_CAPTURE(compile_cards, name, scenario)->Unit(benchmark::kMicrosecond);   \
  BENCHMARK_CAPTURE(solve_cards, name, scenario)->Unit(benchmark::kMicrosecond);     \
  BENCHMARK_CAPTURE(enumerate_cards, name, scenario)->Unit(benchmark::kMicrosecond); \
  BENCHMARK_CAPTURE(answer_cards, name, scenario)->Unit(benchmark::kMicrosecond)

SALVO_BENCH_CARDS(bonus_attack, bonus("firecontrolsystem"));
SALVO_BENCH_CARDS(bonus_attack_and_charge, bonus("lonewolf"));
SALVO_BENCH_CARDS(three_attackers, three());

}  // namespace
