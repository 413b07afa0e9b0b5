// Speed of the exact engine. Each answer is checked before it is timed. A calibration loop makes figures of different
// machines comparable. Reference figures of a prototype on one core at about 3.9 GHz, solved and enumerated: one attack
// 2 and 6 us; three attacks 8 and 130 us; three attacks of six dice against six with all tokens 0.5 and 9 ms.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"

namespace {

using namespace salvo;

ScenarioShip attacker(int dice) {
  ScenarioShip ship;
  ship.attack = dice;
  ship.tokens = {{"focus", 1}};
  ship.locks = {"d"};
  return ship;
}

Scenario attackers_on(int attackers, int dice, const ScenarioShip& defender) {
  Scenario scenario;
  scenario.source = "bench";
  scenario.ships["d"] = defender;
  for (int i = 1; i <= attackers; ++i) {
    const std::string name = "a" + std::to_string(i);
    scenario.ships[name] = attacker(dice);
    ScenarioAttack attack;
    attack.by = name;
    attack.on = "d";
    scenario.attacks.push_back(attack);
  }
  return scenario;
}

/// 3 dice, focus and lock, on 3 dice, focus and evade.
Scenario small(int attackers) {
  ScenarioShip defender;
  defender.agility = 3;
  defender.tokens = {{"focus", 1}, {"evade", 1}};
  return attackers_on(attackers, 3, defender);
}

/// 6 dice, focus and lock, on 6 dice with focus, 2 evades, 2 calculates, 2 force and reinforce; three attackers.
Scenario large() {
  ScenarioShip defender;
  defender.agility = 6;
  defender.tokens = {{"focus", 1}, {"evade", 2}, {"calculate", 2}, {"force", 2}, {"reinforce", 1}};
  return attackers_on(3, 6, defender);
}

/// One attack with fifteen cards. The attacker may use most of them in any order.
Scenario fifteen_cards() {
  ScenarioShip defender;
  defender.agility = 3;
  defender.tokens = {{"focus", 1}};
  Scenario scenario = attackers_on(1, 5, defender);
  ScenarioShip& ship = scenario.ships["a1"];
  ship.locks.clear();
  ship.upgrades = {
      "firecontrolsystem",    "predator",    "juke",           "lonewolf",  "marksmanship", "fearless",
      "landocalrissian-crew", "agentkallus", "finn",           "fanatical", "heroic",       "advancedoptics",
      "predictiveshot",       "zuckuss",     "saturationsalvo"};
  return scenario;
}

/// Six fighters with two dice and a focus token beside Howlrunner, on Iden Versio.
Scenario six_with_howlrunner() {
  ScenarioShip defender;
  defender.agility = 3;
  defender.pilot = "idenversio";
  defender.tokens = {{"focus", 1}, {"evade", 1}};
  Scenario scenario = attackers_on(6, 2, defender);
  for (auto& [name, ship] : scenario.ships) ship.locks.clear();
  scenario.ships["how"].side = "mine";
  scenario.ships["how"].pilot = "howlrunner";
  return scenario;
}

const Catalogue& catalogue() {
  static const Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  return profiles;
}

double binomial(int n, int k, double p) {
  double out = 1;
  for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
  return out * std::pow(p, k) * std::pow(1 - p, n - k);
}

/// One attack has a closed form: each attack die succeeds with 1 - (1/4)^2, each defense die with 5/8, and one more
/// evades.
double small_value() {
  double mean = 0;
  for (int hits = 0; hits <= 3; ++hits) {
    for (int evades = 0; evades <= 3; ++evades) {
      mean += binomial(3, hits, 15.0 / 16) * binomial(3, evades, 5.0 / 8) * std::max(0, hits - std::min(3, evades + 1));
    }
  }
  return mean;
}

void require(double got, double want) {
  if (std::abs(got - want) > 1e-12) throw std::runtime_error("the benchmark's answer is wrong");
}

/// The value from the graph engine, which shares no solver with the tables.
double by_graph(const game::Plan& plan) {
  exact::Budget budget;
  budget.solver = exact::Solver::Graph;
  return exact::solve(plan, budget).value;
}

void solve(benchmark::State& state, const Scenario& scenario, double want) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
  require(exact::solve(question.plan).value, want);
  for (auto _ : state) benchmark::DoNotOptimize(exact::solve(question.plan).value);
}

void enumerate(benchmark::State& state, const Scenario& scenario, double want) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
  const exact::Solution solution = exact::solve(question.plan);
  const salvo::game::Distribution distribution = exact::enumerate(question.plan, solution);
  double mean = 0;
  for (const salvo::game::ShipDistribution& ship : distribution.ships) {
    for (Eigen::Index k = 0; k < ship.damage.size(); ++k) mean += static_cast<double>(k) * ship.damage(k);
  }
  require(mean, want);
  for (auto _ : state) benchmark::DoNotOptimize(exact::enumerate(question.plan, solution).value);
}

void compile_only(benchmark::State& state) {
  const Scenario scenario = small(1);
  for (auto _ : state) benchmark::DoNotOptimize(compile::compile_scenario(catalogue(), scenario).plan.attacks.size());
}

/// A chain of dependent floating-point operations that no compiler can shorten: 1,000 of them.
void calibration(benchmark::State& state) {
  double x = 0.5;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) x = x * 0.999999 + 1e-6;
    benchmark::DoNotOptimize(x);
  }
}

void peak_memory(benchmark::State& state) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), large());
  for (auto _ : state) benchmark::DoNotOptimize(exact::enumerate(question.plan, exact::solve(question.plan)).value);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

double three_in_a_row() {
  return 2.9285473461404328;
}  // an independent calculator's figure (tests/data/attacks.jsonl, seq_017)

BENCHMARK(peak_memory)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(calibration)->Unit(benchmark::kMicrosecond);
BENCHMARK(compile_only)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solve, one_attack, small(1), small_value())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(enumerate, one_attack, small(1), small_value())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solve, three_in_a_row, small(3), three_in_a_row())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(enumerate, three_in_a_row, small(3), three_in_a_row())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solve, six_against_six, large(), by_graph(compile::compile_scenario(catalogue(), large()).plan))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(enumerate, six_against_six, large(), by_graph(compile::compile_scenario(catalogue(), large()).plan))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solve, six_with_howlrunner, six_with_howlrunner(),
                  by_graph(compile::compile_scenario(catalogue(), six_with_howlrunner()).plan))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(enumerate, six_with_howlrunner, six_with_howlrunner(),
                  by_graph(compile::compile_scenario(catalogue(), six_with_howlrunner()).plan))
    ->Unit(benchmark::kMicrosecond);
// The graph engine takes seconds for this value.
BENCHMARK_CAPTURE(solve, fifteen_cards, fifteen_cards(), 4.096034906804562)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(enumerate, fifteen_cards, fifteen_cards(), 4.096034906804562)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
