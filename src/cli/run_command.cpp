// `salvo run`: see run_command.h.
#include "cli/run_command.h"

#include <fmt/format.h>

#include <cstdio>

#include "answer/answer.h"
#include "base/text.h"
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
  if (report.cross_check && !report.cross_check->agree) {
    note(fmt::format("the engines disagree: p = {:.2g}, largest difference {:.3g} standard errors",
                     report.cross_check->p, report.cross_check->largest_difference));
  }
}

}  // namespace

int run_command(const RunOptions& options) {
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

}  // namespace salvo::cli
