// Speed of sweeps: single attacks with shared sides, three attacks in a row, one thread and two, axes of options. Each
// answer is checked before it is timed. Goals on one core: 200,000 different single attacks a second, 20,000 of three
// attacks in a row.
#include <benchmark/benchmark.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "answers/answer.h"
#include "load/grid.h"
#include "report/sweep.h"
#include "study/duel.h"
#include "study/sweep.h"

namespace {

using namespace salvo;

const Catalogue& profiles() {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  return catalogue;
}

/// 207,360 different attacks: 576 attackers, 360 defenders.
const char* kSingle = R"(
[ships.a]
attack = 3
[ships.d]
agility = 2
hull = 4
[[attacks]]
by = "a"
on = "d"
[grid]
"ships.a.attack" = { from = 1, to = 6 }
"ships.a.tokens.focus" = [0, 1]
"ships.a.tokens.calculate" = { from = 0, to = 3 }
"ships.a.tokens.force" = { from = 0, to = 2 }
"ships.a.tokens.deplete" = [0, 1]
"ships.a.tokens.lock" = [[], ["d"]]
"ships.d.agility" = { from = 0, to = 4 }
"ships.d.tokens.focus" = [0, 1]
"ships.d.tokens.evade" = { from = 0, to = 2 }
"ships.d.tokens.calculate" = { from = 0, to = 2 }
"ships.d.tokens.reinforce" = { from = 0, to = 3 }
)";

/// Three attackers in a row on one ship whose tokens they share.
const char* kThree = R"(
[ships.a]
attack = 3
[ships.b]
attack = 2
tokens = { focus = 1 }
[ships.c]
attack = 3
tokens = { focus = 1, lock = ["d"] }
[ships.d]
agility = 2
hull = 4
[[attacks]]
by = "a"
on = "d"
[[attacks]]
by = "b"
on = "d"
[[attacks]]
by = "c"
on = "d"
[grid]
"ships.a.attack" = { from = 1, to = 5 }
"ships.a.tokens.focus" = [0, 1]
"ships.b.attack" = { from = 1, to = 5 }
"ships.c.attack" = { from = 1, to = 5 }
"ships.d.agility" = { from = 0, to = 4 }
"ships.d.tokens.focus" = [0, 1]
"ships.d.tokens.evade" = { from = 0, to = 2 }
)";

/// Checks some cells spread over the grid against the exact engine.
void check(const load::Grid& grid, const AnswerOptions& options, const std::vector<study::SweepRow>& rows) {
  for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(1, rows.size() / 50)) {
    const Report report = answer(profiles(), grid.scenario(grid.coordinates(rows[i].cell)), options);
    if (!(std::abs(report.estimates.value.value - rows[i].value) <= 1e-12)) throw std::logic_error("a cell is wrong");
  }
}

void play(benchmark::State& state, const char* text, std::size_t cells, int threads, const Overrides& overrides = {}) {
  const load::Grid grid = load::parse_grid(text, "bench.toml");
  const AnswerOptions options{.overrides = overrides};
  const study::Sweep sweep(profiles(), grid, {options});
  constexpr std::size_t kAtOnce = 512;
  const std::size_t chunks = std::min<std::size_t>(cells, grid.size()) / kAtOnce;
  std::vector<std::vector<study::SweepRow>> rows(chunks);
  for (std::size_t c = 0; c < chunks; c += 7) {
    sweep.play(c * kAtOnce, kAtOnce, rows[c]);
    ::check(grid, options, rows[c]);
  }
  for (auto _ : state) {
    const study::Sweep fresh(profiles(), grid, {options});  // so that the time includes solving the sides
    study::for_each(threads, chunks, [&](std::size_t c) { fresh.play(c * kAtOnce, kAtOnce, rows[c]); });
    benchmark::DoNotOptimize(rows.data());
  }
  state.counters["cells/s"] =
      benchmark::Counter(static_cast<double>(chunks * kAtOnce), benchmark::Counter::kIsIterationInvariantRate);
}

void SweepSingle(benchmark::State& state) { play(state, kSingle, 207'360, static_cast<int>(state.range(0))); }
BENCHMARK(SweepSingle)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

void SweepThreeInARow(benchmark::State& state) { play(state, kThree, 7'500, static_cast<int>(state.range(0))); }
BENCHMARK(SweepThreeInARow)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

/// The same grid with axes of options instead of keys. Goal: at least a tenth of the rate.
const std::vector<Overrides>& overrides() {
  static const std::vector<Overrides> all{{.objective = "kill"},
                                          {.attacker_policy = "hold"},
                                          {.attacker_policy = "greedy", .defender_policy = "greedy"},
                                          {.attacker_policy = "greedy", .defender_policy = "hold"}};
  return all;
}

void SweepSingleOverride(benchmark::State& state) {
  play(state, kSingle, 207'360, 2, overrides()[static_cast<std::size_t>(state.range(0))]);
}
BENCHMARK(SweepSingleOverride)->DenseRange(0, 3)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

void SweepThreeOverride(benchmark::State& state) {
  play(state, kThree, 7'500, 2, overrides()[static_cast<std::size_t>(state.range(0))]);
}
BENCHMARK(SweepThreeOverride)->DenseRange(0, 3)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

/// The lines of text that `salvo sweep` writes.
void SweepLines(benchmark::State& state) {
  const load::Grid grid = load::parse_grid(kSingle, "bench.toml");
  const study::Sweep sweep(profiles(), grid, {});
  std::vector<study::SweepRow> rows;
  sweep.play(0, 4096, rows);
  ::check(grid, {}, rows);
  const report::RowWriter writer(grid, [](ErrorKind kind) { return static_cast<int>(kind); });
  for (auto _ : state) {
    std::string text;
    for (const study::SweepRow& row : rows) writer.add_json_line(row, text);
    benchmark::DoNotOptimize(text.data());
  }
  state.counters["cells/s"] =
      benchmark::Counter(static_cast<double>(rows.size()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(SweepLines)->Unit(benchmark::kMillisecond);

}  // namespace
