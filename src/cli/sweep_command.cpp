// `salvo sweep`: every cell of a grid, written in order.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/question_command.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "jobs/sweep.h"

namespace salvo::cli {
namespace {

int sweep_command(jobs::SweepJob job) {
  end_on_interrupt();
  Progress progress({"sweeping", "cells"});
  job.put = write_output;
  job.monitor = monitor_of(progress);
  const jobs::SweepTotals totals = jobs::run_sweep(std::move(job));
  progress.erase();
  if (totals.failures > 0 && totals.failures == totals.cells) {
    write_note("no cell could be answered; their rows say why");
  } else if (totals.failures > 0) {
    write_note(
        fmt::format("{} cells could not be answered; their rows say why", base::with_separators(totals.failures)));
  }
  return kSuccess;
}

// ---------------------------------------------------------------- command line

struct SweepArguments : TypedFields {
  std::string file, out, columns, shard;
  bool restart = false;
};

}  // namespace

DeclaredCommand add_sweep(CLI::App& top) {
  CLI::App& app = add_command(top, "sweep", "Answer every cell of a grid, a line each.",
                              "\nFILE is a scenario (TOML or JSON) with a table [grid] of keys and their values:\n"
                              "\"ships.red.tokens.focus\" = [0, 1] or \"attacks[0].range\" = { from = 1, to = 3 }.\n"
                              "docs/format.md describes lists that vary together and \"all\" ships or pilots.\n"
                              "The last key varies fastest. With --out, an interrupted sweep resumes.\n\n"
                              "Examples:\n"
                              "  salvo sweep grid.toml --out grid.ndjson");
  const auto texts = std::make_shared<SweepArguments>();
  add_words(app, "FILE", texts->file, "grid file; - reads standard input");
  add_fields(app, *texts, [](questions::ScenarioQuestion& cell, questions::FieldList& list) {
    describe_play(cell, list, false, false);
    describe_engines(cell, {"engine", "budget", "trials", "precision", "seed"}, list);
    describe_threads(cell.answer, "threads (default 0: all cores)", list);
  });
  add_machine_options(app, *texts);
  add_value(app, "Output", "--out", "FILE", texts->out, "output file, resumed if it exists; .sqlite: database");
  add_value(app, "Output", "--shard", "I/N", texts->shard, "compute part I of N for salvo merge; needs --out");
  add_flag(app, "Output", "--restart", texts->restart, "discard what the file of --out contains");
  add_value(app, "Output", "--columns", "LIST", texts->columns, "only these columns: cell,axes,mean,cost,caveats");
  add_output_options(app, *texts, "json (lines, default) or csv");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            CommandOptions run = read_fields(*texts, app);
            run.file = texts->file;
            jobs::SweepJob job{run, false, texts->out, texts->restart, jobs::split_words(texts->columns)};
            if (!given(app, "FILE")) throw UsageError("no grid; name a grid file, or - for standard input");
            job.shard = read_shard(app, texts->shard);
            if (given(app, "--out") && job.out.empty()) throw UsageError("--out: the name of the file is empty");
            if (given(app, "--columns") && job.columns.empty())
              throw UsageError("--columns: name columns, for example axes,mean");
            if (run.format && job.out.ends_with(".sqlite"))
              throw UsageError("--format: a .sqlite file is always a database; leave it out");
            if (run.format == Format::Table) throw UsageError("--format: a sweep is written as json or csv");
            job.csv = run.format ? run.format == Format::Csv : job.out.ends_with(".csv");
            return Task{run, [job] { return sweep_command(job); }};
          }};
}

}  // namespace salvo::cli
