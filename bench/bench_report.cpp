// Speed of formatting answers: a batch line, a page of JSON and a table of a single attack. Each line is parsed again
// before it is timed. Goal: 10 us for a line.
#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "answers/answer.h"
#include "load/load.h"

namespace {

using namespace salvo;

const Report& single_attack(bool sampled) {
  const auto answered = [](AnswerOptions options) {
    const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
    const Scenario scenario =
        scenario_from_specs(catalogue, "second-edition", "2025", {"3 focus lock"}, "ship=t65xwing focus");
    return answer(catalogue, scenario, options);
  };
  static const Report exact = answered({}), sample = answered({.engine = EngineChoice::Sample});
  const Report& report = sampled ? sample : exact;
  const auto read = nlohmann::json::parse(to_json_line(report));
  if (read["value"].get<double>() != report.estimates.value.value) throw std::logic_error("the value is wrong");
  return report;
}

void line(benchmark::State& state, bool sampled) {
  const Report& report = single_attack(sampled);
  for (auto _ : state) benchmark::DoNotOptimize(to_json_line(report));
}

void page(benchmark::State& state) {
  const Report& report = single_attack(false);
  for (auto _ : state) benchmark::DoNotOptimize(to_json(report));
}

void table(benchmark::State& state) {
  const Report& report = single_attack(false);
  for (auto _ : state) benchmark::DoNotOptimize(to_table(report));
}

BENCHMARK_CAPTURE(line, exact, false)->Name("report/line/exact");
BENCHMARK_CAPTURE(line, sampled, true)->Name("report/line/sampled");
BENCHMARK(page)->Name("report/page");
BENCHMARK(table)->Name("report/table");

}  // namespace
