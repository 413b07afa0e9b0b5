// `salvo squad`: see squad_command.h.
#include "cli/squad_command.h"

#include <fmt/format.h>

#include "answer/answer.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/question.h"
#include "cli/terminal.h"
#include "load/references.h"
#include "salvo/squad.h"
#include "report/squad.h"
#include "study/squad_study.h"

namespace salvo::cli {
namespace {

/// Tells what could not be used. Throws UsageError when nothing could.
void warn(const Squad& squad) {
  for (const UnknownId& id : squad.unknown) {
    fmt::print(stderr, "salvo: warning: {}: {}: unknown {} \"{}\"; {}\n", squad.source, id.path, id.kind, id.id,
               id.reason);
  }
  if (squad.pilots.empty()) {
    throw UsageError(fmt::format("{}: none of its pilots is known, so there is nothing to report", squad.source));
  }
}

}  // namespace

int squad_command(const SquadRequest& request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue(Catalogue::find_profiles());
  const Squad squad = load_squad(catalogue, options.file, options.cards);
  const References references = load_references(catalogue, request.reference, squad.rules);
  warn(squad);
  std::optional<Squad> other;
  if (!request.against.empty()) {
    other = load_squad(catalogue, request.against, squad.cards);
    warn(*other);
  }
  RunOptions each = options;
  each.threads = 1;  // the duels share the cores
  const study::Answer one = [&](const Scenario& scenario) { return answer(catalogue, scenario, answer_options(each)); };
  const study::SquadStudy study = study::study_squad(catalogue, squad, references, other,
                                                     {.threads = options.threads, .matrix_range = request.range}, one);
  write_output(render(study, options, report::to_json, report::to_csv, report::to_table));
  return kAnswered;
}

}  // namespace salvo::cli
