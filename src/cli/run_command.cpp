// `salvo run`: a scenario from a file or from flags, its answer on standard output.
#include <memory>

#include "cli/answer_output.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "jobs/sharded_sampling.h"
#include "jobs/worker_group.h"

namespace salvo::cli {
namespace {

AnswerOptions with_progress(AnswerOptions out, Progress& progress) {
  out.would_add = true;
  out.sampling_begins = [&progress] {
    progress.start();
    collect_interrupts();
  };
  out.progress = [&progress](std::uint64_t done, std::uint64_t planned) {
    progress.update(done, planned);
    return !interrupted();
  };
  return out;
}

int run_command(RunOptions options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options);
  const jobs::Input input = read_input(catalogue, options);
  if (options.plot && !input.scenario.roll.empty())
    throw UsageError("--plot: draws damage to ships, which a roll alone has not; leave it out");
  Progress progress;
  const Report report = answer(catalogue, input.scenario, with_progress(input.options, progress));
  progress.erase();
  return print_answer(report, options);
}

/// A sampling run whose trials are counted in parts.
int sampling_command(const RunOptions& options, jobs::SamplingJob job) {
  end_on_interrupt();
  Progress progress;
  job.monitor = monitor_of(progress);
  const std::optional<Report> report = jobs::run_sampling(std::move(job));
  progress.erase();
  return report ? print_answer(*report, options) : kAnswered;
}

// ---------------------------------------------------------------- command line

struct CountTexts : RunTexts {
  std::string out, shard;
  bool restart = false;
};

constexpr const char* kRunFooter =
    "\nA SPEC is one number (attack value, or agility) and words: focus, lock, evade=2,\n"
    "hull=3, range=1, obstructed, ship=ID, pilot=ID, weapon=ID, upgrades, facts; or\n"
    "names as printed on cards. x2: two such ships. Options override the file.\n\n"
    "Examples:\n"
    "  salvo run joust.toml --objective kill\n"
    "  salvo run -a '3 focus lock range=1' -a '2 focus' -d '3 focus evade hull=3'\n"
    "  salvo run -a 'Luke Skywalker focus range=1' -d 'TIE interceptor focus evade'\n"
    "  salvo run -a '3 hits 1 crit' -d '3 focus'\n"
    "  salvo run -a '3 focus lock'\n"
    "  salvo run -a '3 focus x2' -d 'TIE/ln fighter' -d '1 hull=5' --objective kill";

void add_run_options(CLI::App& run, CountTexts& texts) {
  add_scenario_options(run, texts);
  add_rules_options(run, texts);
  add_card_option(run, texts);
  add_policy_options(run, texts, true);
  add_rounds_option(run, texts);
  add_engine_options(run, texts);
  add_machine_options(run, texts, "sampling: threads (default 0: all cores)");
  add_sampling_options(run, texts);
  add_flag(run, "Engines", "--certify", texts.certify, "recompute the exact value as a fraction");
  add_output_options(run, texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(run, texts, "also draw the distribution of damage");
  add_value(run, "Output", "--out", "FILE", texts.out, "file of sample counts; an interrupted run resumes");
  add_value(run, "Output", "--shard", "I/N", texts.shard, "compute part I of N for salvo merge; needs --out");
  add_flag(run, "Output", "--restart", texts.restart, "discard what the file of --out contains");
  add_progress_option(run, texts);
}

/// The job of a sampling run in parts, if the options request one.
std::optional<jobs::SamplingJob> read_counting(const CLI::App& app, const RunOptions& options,
                                               const CountTexts& texts) {
  const char* const asked = given(app, "--shard") ? "--shard" : given(app, "--out") ? "--out" : nullptr;
  if (asked == nullptr && given(app, "--restart")) throw UsageError("--restart: name the file to overwrite with --out");
  if (asked == nullptr && jobs::WorkerGroup::current() == nullptr) return std::nullopt;
  const std::string option = asked != nullptr ? asked : "salvo-mpi run";
  jobs::SamplingJob out{options, texts.out, texts.restart};
  out.shard = read_shard(app, texts.shard);
  for (const char* other : {"--format", "--plot"}) {
    if (out.shard && given(app, other))
      throw UsageError(std::string(other) + ": salvo merge prints what all shards count");
  }
  if (given(app, "--out") && out.out.empty()) throw UsageError("--out: the name of the file is empty");
  if (options.answer.engine != EngineChoice::Sample)
    throw UsageError(option + ": only trials can be played in parts; add --engine sample");
  if (options.answer.precision)
    throw UsageError(option + ": how many trials a precision needs is not known before; give --trials instead");
  return out;
}

}  // namespace

DeclaredCommand add_run(CLI::App& top) {
  CLI::App& app = add_command(top, "run", "Answer one scenario: what its attacks do.", kRunFooter);
  const auto texts = std::make_shared<CountTexts>();
  add_run_options(app, *texts);
  return {&app, [&app, texts] {
            const RunOptions options = common_options(*texts, app);
            check_scenario_options(*texts, app, true);
            if (const auto counting = read_counting(app, options, *texts))
              return Task{options, [options, counting] { return sampling_command(options, *counting); }};
            return Task{options, [options] { return run_command(options); }};
          }};
}

}  // namespace salvo::cli
