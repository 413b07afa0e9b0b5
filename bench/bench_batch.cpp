// Overhead around an answer: a batch line from input to output, the first answer of a catalogue, and a run of the
// program from start to end. Each answer is checked before it is timed.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "answers/answer.h"
#include "api/batch_line.h"
#include "load/batch.h"
#include "load/load.h"
#include "report/json_writer.h"
#include "report/report_json.h"

namespace {

using namespace salvo;

/// Attackers with 2 to 5 dice and every set of tokens, each at three defenders; `attacks` equal ones in a row. `more`:
/// further keys of each defender.
std::vector<std::string> questions(int attacks, const std::string& more = "") {
  std::vector<std::string> out;
  for (int dice = 2; dice <= 5; ++dice) {
    for (const char* tokens : {"", R"("focus": 1)", R"("lock": ["d"])", R"("focus": 1, "lock": ["d"])"}) {
      for (const char* defender : {R"({"agility": 2, "tokens": {"focus": 1}})", R"({"agility": 3})",
                                   R"({"agility": 3, "tokens": {"evade": 1}})"}) {
        std::string ships, list;
        for (int a = 1; a <= attacks; ++a) {
          ships += fmt::format(R"("a{}": {{"attack": {}, "tokens": {{{}}}}}, )", a, dice, tokens);
          list += fmt::format(R"({}{{"by": "a{}", "on": "d"}})", a > 1 ? ", " : "", a);
        }
        const std::string with_more = std::string(defender).insert(1, more);
        out.push_back(fmt::format(R"({{"ships": {{{}"d": {}}}, "attacks": [{}]}})", ships, with_more, list));
      }
    }
  }
  return out;
}

Report answered(const Catalogue& catalogue, const std::string& line) {
  return answer(catalogue, load::parse_batch_line(line, "-").scenario, {.threads = 1});
}

/// A line of `salvo batch` from input to output.
std::string line_of(const Catalogue& catalogue, const std::string& line) {
  report::JsonWriter json;
  if (!api::write_batch_line(json, catalogue, {1, line}, {})) throw std::logic_error("the line is not answered");
  return json.take();
}

std::string written(const Report& report) {
  return report::json_line([&](report::JsonWriter& json) { report::write_report(json, report); });
}

void check(const Catalogue& catalogue, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const Report report = answered(catalogue, line);
    const auto read = nlohmann::json::parse(written(report));
    if (read["value"].get<double>() != report.estimates.value.value) throw std::logic_error("the value is wrong");
  }
}

const Catalogue& catalogue() {
  static const Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  return profiles;
}

/// Times `body(line)` for all lines in turn.
template <typename Body>
void each_line(benchmark::State& state, const std::vector<std::string>& lines, const Body& body) {
  ::check(catalogue(), lines);
  std::size_t i = 0;
  for (auto _ : state) body(lines[i++ % lines.size()]);
  state.counters["lines/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// Repeated lines, as from a server or a notebook.
void line_again(benchmark::State& state, int attacks) {
  each_line(state, questions(attacks),
            [](const std::string& line) { benchmark::DoNotOptimize(line_of(catalogue(), line)); });
}

/// Lines that all differ.
void line_new(benchmark::State& state, int attacks) {
  std::vector<std::string> lines;
  for (int health = 0; health < 400; ++health) {
    const auto some = questions(attacks, fmt::format(R"("hull": {}, "shields": {}, )", 1 + health % 20, health / 20));
    lines.insert(lines.end(), some.begin(), some.end());
  }
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(line_of(catalogue(), lines[i++ % lines.size()]));
  state.counters["lines/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void read_line(benchmark::State& state, int attacks) {
  each_line(state, questions(attacks),
            [](const std::string& line) { benchmark::DoNotOptimize(load::parse_batch_line(line, "-")); });
}

void write_line(benchmark::State& state, int attacks) {
  const Report report = answered(catalogue(), questions(attacks).back());
  for (auto _ : state) benchmark::DoNotOptimize(written(report));
}

BENCHMARK_CAPTURE(line_new, one, 1)->Name("batch/line/1");
BENCHMARK_CAPTURE(line_new, three, 3)->Name("batch/line/3");
BENCHMARK_CAPTURE(line_again, one, 1)->Name("batch/again/1");
BENCHMARK_CAPTURE(line_again, three, 3)->Name("batch/again/3");
BENCHMARK_CAPTURE(read_line, one, 1)->Name("batch/read/1");
BENCHMARK_CAPTURE(read_line, three, 3)->Name("batch/read/3");
BENCHMARK_CAPTURE(write_line, one, 1)->Name("batch/write/1");
BENCHMARK_CAPTURE(write_line, three, 3)->Name("batch/write/3");

void first_answer(benchmark::State& state) {
  for (auto _ : state) {
    const Catalogue fresh(SALVO_SOURCE_DIR "/profiles");
    const Scenario scenario =
        scenario_from_specs(fresh, "second-edition", "2025", {"pilot=wedgeantilles focus"}, "pilot=darthvader");
    if (!(answer(fresh, scenario, {}).estimates.value.value > 0)) throw std::logic_error("the value is wrong");
  }
}
BENCHMARK(first_answer)->Name("start/catalogue");

/// Processor time of a run of the program, in seconds.
double time_of(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, SALVO_PROGRAM, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage used{};
  if (error != 0 || wait4(child, &status, 0, &used) != child || status != 0)
    throw std::runtime_error("salvo did not answer");
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void program(benchmark::State& state, const std::vector<std::string>& words) {
  for (auto _ : state) state.SetIterationTime(time_of(words));
}

BENCHMARK_CAPTURE(program, version, {"salvo", "--version"})->Name("start/version")->UseManualTime();
BENCHMARK_CAPTURE(program, run,
                  {"salvo", "run", "--attack", "pilot=wedgeantilles focus", "--defend", "pilot=darthvader"})
    ->Name("start/run")
    ->UseManualTime();
BENCHMARK_CAPTURE(program, durability,
                  {"salvo", "durability", "--threads", "1", "--attack", "3 focus lock", "--all", "--defend", "focus"})
    ->Name("start/durability_all")
    ->UseManualTime();

}  // namespace
