// Speed of compiling, and of the front door in process: questions that were never asked before, and the same one again.
// Beside each time stands how many times it was, in loops of the calibration, before texts were read once for a
// catalogue ("earlier"): measured with instructions counted, so that figures of a busy machine can be compared.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "rules/compile.h"
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

/// Calls `ask` with a scenario that was not asked lately: more hulls than questions are kept.
template <typename Ask>
void ask_new(benchmark::State& state, Scenario scenario, Ask ask) {
  constexpr int kHulls = 20'000;
  int hull = 0;
  for (auto _ : state) {
    scenario.ships["d"].hull = 1 + hull++ % kHulls;
    benchmark::DoNotOptimize(ask(scenario));
  }
}

template <typename Ask>
void ask_again(benchmark::State& state, const Scenario& scenario, Ask ask) {
  for (int i = 0; i < 2; ++i) benchmark::DoNotOptimize(ask(scenario));
  for (auto _ : state) benchmark::DoNotOptimize(ask(scenario));
}

std::size_t compiled(const Scenario& scenario) { return compile(profiles(), scenario).plan.attacks.size(); }

double answered(const Scenario& scenario) { return answer(profiles(), scenario).figures.value.value; }

void compile_new(benchmark::State& state, const Scenario& scenario) { ask_new(state, scenario, compiled); }
void compile_again(benchmark::State& state, const Scenario& scenario) { ask_again(state, scenario, compiled); }
void front_door_new(benchmark::State& state, const Scenario& scenario) { ask_new(state, scenario, answered); }
void front_door_again(benchmark::State& state, const Scenario& scenario) { ask_again(state, scenario, answered); }

#define SALVO_BENCH_COMPILE(name, scenario)                                         \
  BENCHMARK_CAPTURE(compile_new, name, scenario)->Unit(benchmark::kMicrosecond);    \
  BENCHMARK_CAPTURE(compile_again, name, scenario)->Unit(benchmark::kMicrosecond);  \
  BENCHMARK_CAPTURE(front_door_new, name, scenario)->Unit(benchmark::kMicrosecond); \
  BENCHMARK_CAPTURE(front_door_again, name, scenario)->Unit(benchmark::kMicrosecond)

SALVO_BENCH_COMPILE(one_attack, tokens(1));
SALVO_BENCH_COMPILE(three_in_a_row, tokens(3));
SALVO_BENCH_COMPILE(five_cards, cards());

}  // namespace
