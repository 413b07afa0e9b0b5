#include "cli/answer_output.h"

#include "cli/exit_status.h"
#include "cli/output.h"
#include "jobs/atomic_file.h"

namespace salvo::cli {

int print_answer(const questions::Answer& answer, const CommandOptions& options, const std::string& out) {
  write_warnings(answer.warnings);
  if (answer.empty) {
    write_note("interrupted before the first trials were done");
    return kInterrupted;
  }
  if (options.plot) jobs::write_file("--plot", *options.plot, answer.plot());
  if (options.report) jobs::write_file("--report", *options.report, answer.page());
  if (out.empty()) {
    write_output(render(answer, options));
  } else {
    jobs::write_file("--out", out, render(answer, options));
  }
  for (const std::string& note : answer.notes) write_note(note);
  if (answer.interrupted) return kInterrupted;
  return answer.agree ? kSuccess : kEnginesDisagree;
}

}  // namespace salvo::cli
