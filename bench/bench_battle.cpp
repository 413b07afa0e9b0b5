// Speed of battles. Each answer is checked before it is timed. Goals on one core: 200,000 greedy battles a second of
// four against four with usual upgrades, after a preparation of less than two seconds; an exact duel in less than 50
// ms.
#include <benchmark/benchmark.h>

#include <cmath>
#include <stdexcept>

#include "battle/exact.h"
#include "battle/optimal.h"
#include "battle/sample.h"
#include "salvo/battle.h"

namespace {

using namespace salvo;

const Catalogue& profiles() {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  return catalogue;
}

constexpr double kAttackBudget = 5e6, kBudget = 1e8;

BattleQuestion four_on_four(const char* flight) {
  BattleQuestion out;
  out.my_policy = out.their_policy = BattlePolicy::Greedy;
  out.flight = flight;
  out.mine = battle_side(profiles(),
                         {"pilot=lukeskywalker r2astromech protontorpedoes",
                          "pilot=wedgeantilles predator protontorpedoes", "pilot=redsquadronveteran x2"},
                         "", "");
  out.theirs = battle_side(
      profiles(), {"pilot=darthvader firecontrolsystem", "pilot=soontirfel predator", "pilot=obsidiansquadronpilot x2"},
      "", "");
  return out;
}

BattleQuestion duel(const char* flight) {
  BattleQuestion out;
  out.my_policy = out.their_policy = BattlePolicy::Greedy;
  out.flight = flight;
  out.mine = battle_side(profiles(), {"pilot=lukeskywalker"}, "", "");
  out.theirs = battle_side(profiles(), {"pilot=darthvader"}, "", "");
  return out;
}

const char* flight_of(const benchmark::State& state) { return state.range(0) == 0 ? "range-2" : "joust"; }

/// Battles on one core after the preparation, in samples of the default size of `salvo battle`.
void four_against_four(benchmark::State& state) {
  const battle::Game game(profiles(), four_on_four(flight_of(state)), kAttackBudget);
  constexpr std::uint64_t kBattles = 200'000;
  const auto warm = battle::play_many(game, 0, kBattles, {.threads = 1, .progress = {}});
  if (warm.battles != kBattles) throw std::runtime_error("battles were lost");
  std::uint64_t from = kBattles;
  for (auto _ : state) {
    battle::play_many(game, from, from + kBattles, {.threads = 1, .progress = {}});
    from += kBattles;
  }
  state.counters["battles"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(kBattles), benchmark::Counter::kIsRate);
}
BENCHMARK(four_against_four)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void prepare_four_against_four(benchmark::State& state) {
  for (auto _ : state) {
    const battle::Game game(profiles(), four_on_four(flight_of(state)), kAttackBudget);
    battle::play_many(game, 0, 1024, {.threads = 1, .progress = {}});
  }
}
BENCHMARK(prepare_four_against_four)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void exact_duel(benchmark::State& state) {
  for (auto _ : state) {
    const battle::Game game(profiles(), duel(flight_of(state)), kAttackBudget);
    const battle::ExactBattle found = battle::play_exactly(game, {kBudget, HUGE_VAL});
    if (std::abs(found.win + found.draw + found.loss - 1) > 1e-9) throw std::runtime_error("chances do not add up");
  }
}
BENCHMARK(exact_duel)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// The same battles on one thread and on two. Goal: 1.9 times as many a second.
void four_against_four_threads(benchmark::State& state) {
  const battle::Game game(profiles(), four_on_four("range-2"), kAttackBudget);
  constexpr std::uint64_t kBattles = 200'000;
  const battle::SampleOptions how{.threads = static_cast<int>(state.range(0)), .progress = {}};
  battle::play_many(game, 0, kBattles, how);
  for (auto _ : state) battle::play_many(game, 0, kBattles, how);
  state.counters["battles"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(kBattles), benchmark::Counter::kIsRate);
}
BENCHMARK(four_against_four_threads)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Optimal play of both sides.
void optimal_duel(benchmark::State& state) {
  BattleQuestion asked = duel("range-2");
  asked.my_policy = asked.their_policy = BattlePolicy::Optimal;
  for (auto _ : state) {
    const battle::Game game(profiles(), asked, kAttackBudget);
    const battle::OptimalBattle found = battle::play_optimally(game, {kBudget, kAttackBudget}, 1);
    if (std::abs(found.battle.win + found.battle.draw + found.battle.loss - 1) > 1e-9)
      throw std::runtime_error("chances do not add up");
  }
}
BENCHMARK(optimal_duel)->Unit(benchmark::kMillisecond);

}  // namespace
