// `salvo atlas`: the squad reports of a whole card set.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/question_command.h"
#include "cli/status_line.h"
#include "jobs/atlas.h"

namespace salvo::cli {
namespace {

int atlas_command(jobs::AtlasJob job) {
  end_on_interrupt();
  Progress progress({"answering", "pages"});
  job.squad_read = warn_of_unknown;
  job.monitor = monitor_of(progress);
  const jobs::AtlasTotals totals = jobs::run_atlas(job);
  progress.erase();
  if (totals.was_complete) write_note(fmt::format("{} is complete: {} pages", job.out, totals.pages));
  if (totals.failures > 0)
    write_note(fmt::format("{} pages could not be answered; {} says why", totals.failures,
                           job.out.ends_with(".sqlite") ? "the table pages" : "index.json"));
  return kSuccess;
}

// ---------------------------------------------------------------- command line

struct AtlasArguments : TypedFields {
  std::vector<std::string> squads;
  std::string reference, out;
  bool restart = false;
};

}  // namespace

DeclaredCommand add_atlas(CLI::App& top) {
  CLI::App& app = add_command(top, "atlas", "All ships and pilots of a card set, as files.",
                              "\nThe report of salvo squad for each ship, each pilot and the given squads against\n"
                              "the reference ships. --out FILE.sqlite writes one database, any other name a\n"
                              "folder of JSON files with an index.json. An interrupted atlas resumes\n"
                              "(docs/atlas.md).\n\n"
                              "Examples:\n"
                              "  salvo atlas --cards 2025 --out atlas\n"
                              "  salvo atlas mine.json --out atlas.sqlite");
  const auto texts = std::make_shared<AtlasArguments>();
  add_words(app, "FILE", texts->squads, "squads besides: squad files or links");
  add_value(app, "Scenario", "--reference", "FILE", texts->reference, "reference defenders and attackers");
  add_fields(app, *texts, [](questions::ScenarioQuestion& page, questions::FieldList& list) {
    describe_rules(page.answer.overrides, list);
    list.at("rules").name.help = "edition (default: that of the card set)";
    list.at("cards").name.help = "card set (default: the usual one of the rules)";
    describe_cards(page, list);
    describe_engines(page, {"budget", "trials", "seed"}, list);
    list.at("trials").name.help = "trials if an attack is too large (default 1e6)";
    list.at("seed").name.help = "seed of these trials (default 1)";
    describe_threads(page.answer, "threads (default 0: all cores)", list);
  });
  add_machine_options(app, *texts);
  add_value(app, "Output", "--out", "PATH", texts->out, "output folder, or a file that ends in .sqlite");
  add_flag(app, "Output", "--restart", texts->restart, "discard pages from an earlier run");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            const CommandOptions run = read_fields(*texts, app);
            const jobs::AtlasJob job{run, texts->squads, texts->reference, texts->out, texts->restart};
            if (job.out.empty()) throw UsageError("--out: name a folder, or a file that ends in .sqlite");
            return Task{run, [job] { return atlas_command(job); }};
          }};
}

}  // namespace salvo::cli
