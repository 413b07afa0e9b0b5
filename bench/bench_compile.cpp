// Speed of compiling, and of answers in process: new questions, and a repeated one. "times" is the ratio to the time
// needed when every question parses its conditions again. That time is known in loops of 1,000 dependent
// multiply-adds, which the same run measures.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "salvo/salvo.h"

namespace {

using namespace salvo;

const Catalogue& profiles() {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  return catalogue;
}

/// 3 attack dice with focus and lock, on 3 dice with focus and evade.
Scenario tokens(int attackers) {
  Scenario out;
  out.source = "bench";
  out.ships["d"] = {.agility = 3, .hull = 1, .tokens = {{"focus", 1}, {"evade", 1}}};
  for (int i = 1; i <= attackers; ++i) {
    const std::string name = "a" + std::to_string(i);
    out.ships[name] = {.attack = 3, .tokens = {{"focus", 1}}, .locks = {"d"}};
    out.attacks.push_back({.by = name, .on = "d"});
  }
  return out;
}

/// The same with five cards.
Scenario cards() {
  Scenario out = tokens(1);
  out.ships["a1"].upgrades = {"predator", "marksmanship", "outmaneuver"};
  out.ships["d"].upgrades = {"elusive", "lonewolf"};
  return out;
}

/// Seconds of the calibration loop, the fastest of many.
double loop_seconds() {
  using Clock = std::chrono::steady_clock;
  static const double seconds = [] {
    double best = 1;
    for (int round = 0; round < 500; ++round) {
      const auto begin = Clock::now();
      double x = 0.5;
      for (int i = 0; i < 10'000; ++i) x = x * 0.999999 + 1e-6;
      benchmark::DoNotOptimize(x);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() / 10);
    }
    return best;
  }();
  return seconds;
}

/// `loops`: the time with parsing, in calibration loops.
void tell_times(benchmark::State& state, double loops) {
  state.counters["times"] = benchmark::Counter(loops * loop_seconds(), benchmark::Counter::kIsIterationInvariantRate);
}

/// Calls `ask` with an uncached scenario: the initiatives take more values than the cache has entries.
template <typename Ask>
void ask_new(benchmark::State& state, Scenario scenario, Ask ask) {
  constexpr int kInitiatives = 20'000;
  int initiative = 0;
  for (auto _ : state) {
    initiative = (initiative + 1) % kInitiatives;
    for (ScenarioAttack& attack : scenario.attacks) attack.initiative = initiative;
    benchmark::DoNotOptimize(ask(scenario));
  }
}

template <typename Ask>
void ask_again(benchmark::State& state, const Scenario& scenario, Ask ask) {
  for (int i = 0; i < 2; ++i) benchmark::DoNotOptimize(ask(scenario));
  for (auto _ : state) benchmark::DoNotOptimize(ask(scenario));
}

std::size_t compiled(const Scenario& scenario) {
  return compile::compile_scenario(profiles(), scenario).plan.attacks.size();
}

double answered(const Scenario& scenario) { return answer(profiles(), scenario).estimates.value.value; }

void compile_new(benchmark::State& state, const Scenario& scenario, double loops) {
  ask_new(state, scenario, compiled);
  tell_times(state, loops);
}

void compile_again(benchmark::State& state, const Scenario& scenario, double loops) {
  ask_again(state, scenario, compiled);
  tell_times(state, loops);
}

void front_door_new(benchmark::State& state, const Scenario& scenario) { ask_new(state, scenario, answered); }
void front_door_again(benchmark::State& state, const Scenario& scenario) { ask_again(state, scenario, answered); }

#define SALVO_BENCH_COMPILE(name, scenario, loops)                                      \
  BENCHMARK_CAPTURE(compile_new, name, scenario, loops)->Unit(benchmark::kMicrosecond); \
  BENCHMARK_CAPTURE(compile_again, name, scenario, loops)->Unit(benchmark::kMicrosecond)

SALVO_BENCH_COMPILE(one_attack, tokens(1), 13.4);
SALVO_BENCH_COMPILE(three_in_a_row, tokens(3), 40);
SALVO_BENCH_COMPILE(five_cards, cards(), 26.7);
BENCHMARK_CAPTURE(front_door_new, one_attack, tokens(1))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(front_door_again, one_attack, tokens(1))->Unit(benchmark::kMicrosecond);

}  // namespace
