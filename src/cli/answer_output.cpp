#include "cli/answer_output.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/output.h"
#include "jobs/atomic_file.h"
#include "report/plots.h"

namespace salvo::cli {
namespace {

/// Prints what the user should know about the answer.
void print_notes(const AnswerOptions& options, const Report& report) {
  if (report.sample && !report.engine_reason.empty()) write_note("sampled: " + report.engine_reason);
  if (!report.sample && (options.trials || options.precision)) {
    write_note(fmt::format("{} is for sampling, and the exact engine answered; --engine sample uses it",
                           options.trials ? "--trials" : "--precision"));
  }
  if (report.sample && !report.sample->kernel_fallback.empty()) write_note(report.sample->kernel_fallback);
  if (report.cross_check && !report.cross_check->agree) {
    write_note(fmt::format("the engines disagree: p = {:.2g}, largest difference {:.3g} standard errors",
                           report.cross_check->p, report.cross_check->largest_difference));
  }
}

}  // namespace

int print_answer(const Report& report, const RunOptions& options, const std::string& out) {
  if (report.sample && report.sample->trials == 0) {
    write_note("interrupted before the first trials were done");
    return kInterrupted;
  }
  if (options.plot) jobs::write_file("--plot", *options.plot, report::plot_damage(report));
  if (out.empty()) {
    write_output(render(report, options));
  } else {
    jobs::write_file("--out", out, render(report, options));
  }
  print_notes(options.answer, report);
  if (report.sample && report.sample->interrupted) return kInterrupted;
  return report.cross_check && !report.cross_check->agree ? kEnginesDisagree : kAnswered;
}

}  // namespace salvo::cli
