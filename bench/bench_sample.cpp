// Speed of the sampling engine as ratios within one run: its share of the rate of the generator, and its speedup over a
// hobby program. Rounds alternate between the two, and the best of each counts, so that a busy machine affects both or
// none. Answers are checked before anything is timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "compile/compile.h"
#include "exact/exact.h"
#include "hobby.h"
#include "load/load.h"
#include "sample/kernel_dispatcher.h"
#include "sample/lanes/lanes.h"
#include "sample/sample.h"

namespace {

using namespace salvo;

constexpr std::uint64_t kTrials = 1u << 20;
constexpr std::uint64_t kHobbyTrials = 20'000;
constexpr int kRounds = 60;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Game {
  salvo::compile::CompiledScenario question;
  exact::Solution solution;
};

Game game_of(const std::vector<std::string>& attacks, const std::string& defend) {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Game out{
      compile::compile_scenario(catalogue, scenario_from_specs(catalogue, "second-edition", "2025", attacks, defend)),
      {}};
  out.solution = exact::solve(out.question.plan);
  return out;
}

void require_near(double got, double want, double error) {
  if (std::abs(got - want) > 6 * error) throw std::runtime_error("the benchmark's answer is wrong");
}

/// Best trials per second of the kernel, of one thread, and of `other` in the same rounds.
std::pair<double, double> rates(const Game& game, sample::Generator generator, const sample::Wanted& wanted,
                                double other_trials, const std::function<void()>& other) {
  const sample::Options options{.trials = kTrials, .generator = generator, .threads = 1};
  const salvo::game::Distribution answer = sample::run(game.question.plan, game.solution.policy, options);
  require_near(answer.value, game.solution.value, answer.value_se);
  sample::KernelDispatcher player(game.question.plan, game.solution.policy, 1, generator, wanted,
                                  sample::targets().front(), kTrials);
  double best = HUGE_VAL;
  double best_other = HUGE_VAL;
  for (int round = 0; round < kRounds; ++round) {
    sample::Tally tally(game.question.plan);
    best = std::min(best, seconds([&] { player.play(0, kTrials, tally); }));
    best_other = std::min(best_other, seconds(other));
  }
  return {static_cast<double>(kTrials) / best, other_trials / best_other};
}

/// Trials/s times the planes that they need at least, divided by planes/s of the generator in registers.
void share_of_generator(benchmark::State& state, sample::Generator generator, int dice, std::uint64_t planes) {
  const std::string n = std::to_string(dice);
  const Game game = game_of({n + " focus lock"}, n + " focus evade");
  for (auto _ : state) {
    const auto [rate, drawn] = rates(game, generator, {false, true}, static_cast<double>(planes * kTrials), [&] {
      benchmark::DoNotOptimize(sample::vector_targets().front().draw(generator, 1, planes, kTrials));
    });
    state.counters["trials/s"] = rate;
    state.counters["share"] = rate * static_cast<double>(planes) / drawn;
  }
  state.SetLabel(sample::targets().front());
}

void times_hobby(benchmark::State& state, sample::Generator generator, bool tokens, bool three) {
  const Game game = three ? game_of({"3 focus lock", "3 focus lock", "3 focus lock"}, "3 focus evade")
                          : game_of({"3 focus lock"}, "3 focus evade");
  const auto play = [&](std::uint64_t trials) {
    return three ? hobby::three_attacks(trials, 1) : hobby::one_attack(trials, 1);
  };
  // The hobby program, too, plays a single attack optimally; of three attacks it plays each separately.
  if (!three) require_near(play(1'000'000), game.solution.value, 0.001);
  for (auto _ : state) {
    const auto [rate, hobby_rate] = rates(game, generator, {tokens, true}, static_cast<double>(kHobbyTrials),
                                          [&] { benchmark::DoNotOptimize(play(kHobbyTrials)); });
    state.counters["trials/s"] = rate;
    state.counters["times"] = rate / hobby_rate;
  }
  state.SetLabel(sample::targets().front());
}

/// Three attackers with three cards each on a defender with two, with optimal play.
Game game_with_cards() {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Scenario scenario;
  scenario.source = "bench";
  ScenarioShip& defender = scenario.ships["d"];
  defender.agility = 3;
  defender.tokens = {{"focus", 1}, {"evade", 1}};
  defender.upgrades = {"elusive", "lonewolf"};
  for (const char* name : {"a1", "a2", "a3"}) {
    ScenarioShip& attacker = scenario.ships[name];
    attacker.attack = 3;
    attacker.tokens = {{"focus", 1}};
    attacker.locks = {"d"};
    attacker.upgrades = {"predator", "marksmanship", "outmaneuver"};
    ScenarioAttack attack;
    attack.by = name;
    attack.on = "d";
    scenario.attacks.push_back(attack);
  }
  Game out{compile::compile_scenario(catalogue, scenario), {}};
  out.solution = exact::solve(out.question.plan);
  return out;
}

void five_cards(benchmark::State& state, sample::Generator generator, bool tokens) {
  const Game game = game_with_cards();
  const double hobby_value = hobby::three_attacks_with_cards(1'000'000, 1);
  if (std::abs(hobby_value - game.solution.value) > 0.5)
    throw std::runtime_error("the hobby program plays another game");
  for (auto _ : state) {
    const auto [rate, hobby_rate] = rates(game, generator, {tokens, true}, static_cast<double>(kHobbyTrials), [&] {
      benchmark::DoNotOptimize(hobby::three_attacks_with_cards(kHobbyTrials, 1));
    });
    state.counters["trials/s"] = rate;
    state.counters["times"] = rate / hobby_rate;
  }
  state.SetLabel(sample::targets().front());
}

/// The lane kernel compared with the bit-sliced and the reference kernel, on plans that all three play.
void lanes(benchmark::State& state, bool cards) {
  const Game game = cards ? game_with_cards() : game_of({"3 focus lock"}, "3 focus evade");
  const sample::Setup setup = sample::prepare(game.question.plan, game.solution.policy, 1);
  sample::LaneKernel player(setup, sample::vector_targets().front(), {});
  sample::KernelDispatcher bit_sliced(game.question.plan, game.solution.policy, 1, sample::Generator::Philox4x32_10, {},
                                      sample::targets().front(), kTrials);
  constexpr std::uint64_t kReferenceTrials = 10'000;
  sample::Tally all(game.question.plan);
  player.play(0, kTrials, all);
  const salvo::game::Distribution answer = all.distribution(game.question.plan);
  require_near(answer.value, game.solution.value, answer.value_se);
  for (auto _ : state) {
    double best = HUGE_VAL;
    double best_bit_sliced = HUGE_VAL;
    double best_reference = HUGE_VAL;
    for (int round = 0; round < kRounds / 3; ++round) {
      sample::Tally tally(game.question.plan);
      best = std::min(best, seconds([&] { player.play(0, kTrials / 4, tally); }) * 4);
      best_bit_sliced = std::min(best_bit_sliced, seconds([&] { bit_sliced.play(0, kTrials, tally); }));
      best_reference = std::min(best_reference, seconds([&] { sample::play(setup, 0, kReferenceTrials, tally); }));
    }
    state.counters["trials/s"] = static_cast<double>(kTrials) / best;
    state.counters["of_bit_sliced"] = best_bit_sliced / best;
    state.counters["times_reference"] = best_reference / kReferenceTrials * static_cast<double>(kTrials) / best;
  }
  state.SetLabel(sample::targets().front());
}

void two_threads(benchmark::State& state) {
  const Game game = game_of({"3 focus lock"}, "3 focus evade");
  const auto run = [&](int threads) {
    benchmark::DoNotOptimize(
        sample::run(game.question.plan, game.solution.policy, {.trials = 400 * kTrials, .threads = threads}).value);
  };
  for (auto _ : state) {
    double one = HUGE_VAL;
    double two = HUGE_VAL;
    for (int round = 0; round < 10; ++round) {
      one = std::min(one, seconds([&] { run(1); }));
      two = std::min(two, seconds([&] { run(2); }));
    }
    state.counters["times"] = one / two;
  }
}

void precision(benchmark::State& state, double wanted) {
  const Game game = game_of({"3 focus lock"}, "3 focus evade");
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        sample::run(game.question.plan, game.solution.policy, {.trials = 1'000'000'000'000, .precision = wanted})
            .value);
  }
}

using sample::Generator;
BENCHMARK_CAPTURE(share_of_generator, philox_3_dice, Generator::Philox4x32_10, 3, 24)->Iterations(1);
BENCHMARK_CAPTURE(share_of_generator, ars_3_dice, Generator::Ars7, 3, 24)->Iterations(1);
BENCHMARK_CAPTURE(share_of_generator, xoshiro_3_dice, Generator::Xoshiro256pp, 3, 24)->Iterations(1);
BENCHMARK_CAPTURE(share_of_generator, philox_6_dice, Generator::Philox4x32_10, 6, 48)->Iterations(1);
BENCHMARK_CAPTURE(share_of_generator, ars_6_dice, Generator::Ars7, 6, 48)->Iterations(1);
BENCHMARK_CAPTURE(share_of_generator, xoshiro_6_dice, Generator::Xoshiro256pp, 6, 48)->Iterations(1);
BENCHMARK_CAPTURE(times_hobby, philox, Generator::Philox4x32_10, false, false)->Iterations(1);
BENCHMARK_CAPTURE(times_hobby, xoshiro, Generator::Xoshiro256pp, false, false)->Iterations(1);
BENCHMARK_CAPTURE(times_hobby, philox_with_tokens, Generator::Philox4x32_10, true, false)->Iterations(1);
BENCHMARK_CAPTURE(times_hobby, three_attacks_philox, Generator::Philox4x32_10, false, true)->Iterations(1);
BENCHMARK_CAPTURE(times_hobby, three_attacks_xoshiro, Generator::Xoshiro256pp, false, true)->Iterations(1);
BENCHMARK_CAPTURE(five_cards, philox, Generator::Philox4x32_10, false)->Iterations(1);
BENCHMARK_CAPTURE(five_cards, philox_with_tokens, Generator::Philox4x32_10, true)->Iterations(1);
BENCHMARK_CAPTURE(five_cards, xoshiro, Generator::Xoshiro256pp, false)->Iterations(1);
BENCHMARK_CAPTURE(lanes, one_attack, false)->Iterations(1);
BENCHMARK_CAPTURE(lanes, three_attacks_with_cards, true)->Iterations(1);
BENCHMARK(two_threads)->Iterations(1);
BENCHMARK_CAPTURE(precision, mean_to_1e_4, 1e-4)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(precision, mean_to_1e_5, 1e-5)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
