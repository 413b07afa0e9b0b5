// `salvo squad`: see squad_command.h.
#include "cli/squad_command.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "load/references.h"
#include "report/squad_report.h"
#include "salvo/squad.h"
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
  const Squad squad = load_squad(catalogue, options.file, options.answer.overrides.cards);
  const References references = load_references(catalogue, request.reference, squad.rules);
  warn(squad);
  std::optional<Squad> other;
  if (!request.against.empty()) {
    other = load_squad(catalogue, request.against, squad.cards);
    warn(*other);
  }
  AnswerOptions how = options.answer;
  how.overrides.cards.reset();  // the squads were read with it
  const study::SquadStudy study = study::study_squad(catalogue, squad, references, other, {how, request.range});
  write_output(render(study, options));
  return kAnswered;
}

}  // namespace salvo::cli
