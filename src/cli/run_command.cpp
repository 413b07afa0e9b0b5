// `salvo run`: a scenario from a file or from flags, its answer on standard output.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "answer/answer.h"
#include "base/text.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/terminal.h"
#include "load/catalogue.h"
#include "report/plots.h"

namespace salvo::cli {
namespace {

AnswerOptions with_progress(AnswerOptions out, Progress& progress) {
  out.would_add = true;
  out.sampling_begins = [&progress] {
    progress.start();
    collect_interrupts();
  };
  out.progress = [&progress](std::uint64_t done, std::uint64_t planned) {
    progress.tell(done, planned);
    return !interrupted();
  };
  return out;
}

void note(const std::string& text) { fmt::print(stderr, "salvo: note: {}\n", text); }

/// What the user should know about the answer but did not ask for.
void print_notes(const AnswerOptions& options, const Report& report) {
  if (report.sample && !report.engine_reason.empty()) note("sampled: " + report.engine_reason);
  if (!report.sample && (options.trials || options.precision)) {
    note(fmt::format("{} is for sampling, and the exact engine answered; --engine sample uses it",
                     options.trials ? "--trials" : "--precision"));
  }
  if (report.sample && !report.sample->kernel_fallback.empty()) note(report.sample->kernel_fallback);
  if (report.cross_check && !report.cross_check->agree) {
    note(fmt::format("the engines disagree: p = {:.2g}, largest difference {:.3g} standard errors",
                     report.cross_check->p, report.cross_check->largest_difference));
  }
}

int run_command(RunOptions options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options);
  const Input input = read_input(catalogue, options);
  Progress progress(options.progress && is_terminal(Stream::Error));
  const Report report = answer(catalogue, input.scenario, with_progress(input.options, progress));
  progress.erase();
  if (report.sample && report.sample->trials == 0) {
    note("interrupted before the first trials were done");
    return kInterrupted;
  }
  if (options.plot) write_file("--plot", *options.plot, report::plot_damage(report));
  write_output(render(report, options));
  print_notes(options.answer, report);
  if (report.sample && report.sample->interrupted) return kInterrupted;
  return report.cross_check && !report.cross_check->agree ? kEnginesDisagree : kAnswered;
}

// ---------------------------------------------------------------- the command line

constexpr const char* kRunFooter =
    "\nA SPEC is one number (attack value, or agility) and words: focus, lock, evade=2,\n"
    "hull=3, range=1, obstructed, ship=ID, pilot=ID, weapon=ID, upgrades, facts; or\n"
    "names as printed on cards. x2: two such ships. Options win over the file.\n\n"
    "Examples:\n"
    "  salvo run joust.toml --objective kill\n"
    "  salvo run -a '3 focus lock range=1' -a '2 focus' -d '3 focus evade hull=3'\n"
    "  salvo run -a 'Luke Skywalker focus range=1' -d 'TIE interceptor focus evade'\n"
    "  salvo run -a '3 focus x2' -d 'TIE/ln fighter' -d '1 hull=5' --objective kill";

void add_run_options(CLI::App& run, RunTexts& texts) {
  add_scenario_options(run, texts);
  add_rules_options(run, texts);
  add_card_option(run, texts);
  add_policy_options(run, texts, true);
  add_engine_options(run, texts);
  add_threads_option(run, texts, "sampling: threads (default 0: all cores)");
  add_sampling_options(run, texts);
  add_flag(run, "Engines", "--certify", texts.certify, "recompute the exact value as a fraction");
  add_output_options(run, texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(run, texts, "also draw the distribution of damage");
  add_progress_option(run, texts);
}

}  // namespace

DeclaredCommand add_run(CLI::App& top) {
  CLI::App& app = add_command(top, "run", "Answer one scenario: what its attacks do.", kRunFooter);
  const auto texts = std::make_shared<RunTexts>();
  add_run_options(app, *texts);
  return {&app, [&app, texts] {
            const RunOptions options = common_options(*texts, app);
            check_scenario_options(*texts, app);
            return Task{options, [options] { return run_command(options); }};
          }};
}

}  // namespace salvo::cli
