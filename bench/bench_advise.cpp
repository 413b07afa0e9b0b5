// Speed of advice and strategy cards, each answer checked before it is timed. Targets: advice for three attacks under
// 5 ms in-process, a card for four attackers under 10 s; the `calibration` of bench_exact.cpp makes machines
// comparable.
#include <benchmark/benchmark.h>

#include <cmath>
#include <stdexcept>

#include "decide/advise.h"
#include "decide/strategy.h"
#include "decide/worth.h"
#include "load/load.h"

namespace {

using namespace salvo;

const Catalogue& profiles() {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  return catalogue;
}

/// Attackers with 3 dice, focus and lock, on 3 dice with focus, evade and 4 hull.
Scenario attackers(int n, const std::string& objective) {
  Scenario out;
  out.source = "bench";
  out.objective = objective;
  out.ships["d"].agility = 3;
  out.ships["d"].hull = 4;
  out.ships["d"].tokens = {{"focus", 1}, {"evade", 1}};
  for (int i = 1; i <= n; ++i) {
    const std::string name = "a" + std::to_string(i);
    out.ships[name].attack = 3;
    out.ships[name].tokens = {{"focus", 1}};
    out.ships[name].locks = {"d"};
    ScenarioAttack attack;
    attack.by = name;
    attack.on = "d";
    out.attacks.push_back(attack);
  }
  return out;
}

void require(bool right) {
  if (!right) throw std::runtime_error("the benchmark's answer is wrong");
}

void advise_roll(benchmark::State& state, const std::string& objective) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(profiles(), attackers(3, objective));
  DecisionSpec point;
  point.rolled = "hit focus blank";
  const Advice advice = decide::advise(question, point);
  require(advice.options.front().loss == 0 && std::abs(advice.options.front().value - advice.value) < 1e-12);
  for (auto _ : state) benchmark::DoNotOptimize(decide::advise(question, point).value);
}

void advise_table(benchmark::State& state) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(profiles(), attackers(3, "kill"));
  require(std::abs(decide::advise(question, {}).value - exact::solve(question.plan).value) < 1e-12);
  for (auto _ : state) benchmark::DoNotOptimize(decide::advise(question, {}).value);
}

void card(benchmark::State& state, bool attacker) {
  const Scenario scenario = attackers(4, "kill");
  salvo::decide::StrategyOptions options;
  options.attacker = attacker;
  const double optimal = exact::solve(compile::compile_scenario(profiles(), scenario).plan).value;
  const salvo::decide::Strategy found = decide::find_strategy(profiles(), {scenario}, options);
  require(std::abs(found.measures.front().optimal - optimal) < 1e-12 && found.loss <= found.greedy_loss + 1e-12);
  for (auto _ : state) benchmark::DoNotOptimize(decide::find_strategy(profiles(), {scenario}, options).loss);
}

void worth_of(benchmark::State& state) {
  const Scenario scenario = attackers(3, "kill");
  require(!decide::worth(profiles(), scenario).entries.empty());
  for (auto _ : state) benchmark::DoNotOptimize(decide::worth(profiles(), scenario).now.value);
}

BENCHMARK_CAPTURE(advise_roll, three_attacks_damage, "damage")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(advise_roll, three_attacks_kill, "kill")->Unit(benchmark::kMillisecond);
BENCHMARK(advise_table)->Unit(benchmark::kMillisecond);
BENCHMARK(worth_of)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(card, four_attackers_defender, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(card, four_attackers_attacker, true)->Unit(benchmark::kMillisecond);

}  // namespace
