// `salvo squad`: a report on every ship of a squad builder's export.
#include <fmt/format.h>

#include <memory>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "data/file.h"
#include "jobs/scenario_input.h"
#include "load/squads/squad_link.h"
#include "salvo/squad_report.h"

namespace salvo::cli {
namespace {

struct SquadRequest {
  RunOptions run;
  std::string against;    ///< another squad; empty: none
  std::string reference;  ///< file of reference ships; empty: the typical ones of the rules
  int range = 2;          ///< of the matrix
};

/// Warns about unknown ids. Throws UsageError if no pilot is known.
void warn(const Squad& squad) {
  warn_of_unknown(squad);
  if (squad.pilots.empty()) {
    throw UsageError(fmt::format("{}: none of its pilots is known, so there is nothing to report", squad.source));
  }
}

/// Whether the argument is a SPEC rather than the name of a file.
bool is_spec(const std::string& text) {
  return text != "-" && !data::is_file(text) && !text.ends_with(".json") && !load::is_link(text) &&
         text.find_first_of(" =") != std::string::npos;
}

int squad_command(SquadRequest request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue = open_catalogue(request.run);
  const Overrides& overrides = options.answer.overrides;
  const Squad squad = is_spec(options.file) ? squad_from_spec(catalogue, options.file, overrides.cards, overrides.rules)
                                            : load_squad(catalogue, options.file, overrides.cards, overrides.rules);
  SquadOptions how{.answer = options.answer, .range = request.range};
  how.answer.overrides.cards.reset();  // the squads are read with these
  how.answer.overrides.rules.reset();
  how.references = load_references(catalogue, request.reference, squad.rules);
  warn(squad);
  if (!request.against.empty()) {
    how.against = load_opposing_squad(catalogue, request.against, squad, overrides.cards, overrides.rules);
    warn(*how.against);
  }
  write_output(render(squad_report(catalogue, squad, how), options));
  return kAnswered;
}

// ---------------------------------------------------------------- command line

struct SquadTexts : RunTexts {
  std::string against, reference, range;
};

}  // namespace

DeclaredCommand add_squad(CLI::App& top) {
  CLI::App& app = add_command(top, "squad", "Report on every ship of a squad builder's export.",
                              "\nFILE is XWS as squad builders export it, or a yasb.app link in quotes. Unknown\n"
                              "ids are listed and ignored. A SPEC, as for salvo run --attack, is a squad of one\n"
                              "ship. Reference ships are those of profiles/reference, or a file like them.\n\n"
                              "Examples:\n"
                              "  salvo squad mine.json\n"
                              "  salvo squad 'https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4X'\n"
                              "  salvo squad 'pilot=wedgeantilles predator protontorpedoes'\n"
                              "  salvo squad mine.json --against theirs.json --format table");
  const auto texts = std::make_shared<SquadTexts>();
  add_words(app, "FILE", texts->file, "XWS file, yasb.app link, SPEC, or - (standard input)");
  add_value(app, "Scenario", "--against", "FILE", texts->against, "another squad: every ship against every ship");
  add_value(app, "Scenario", "--range", "N", texts->range, "range of the attacks with --against (default 2)");
  add_value(app, "Scenario", "--reference", "FILE", texts->reference, "reference defenders and attackers");
  add_value(app, "Scenario", "--rules", "ID", texts->rules, "edition (default: the squad's)");
  add_value(app, "Scenario", "--cards", "SET", texts->cards, "card set (default: the squad's)");
  add_card_option(app, *texts);
  add_policy_options(app, *texts, false);
  add_value(app, "Engines", "--budget", "N", texts->budget, "limit of the exact engine: transitions (default 5e6)");
  add_value(app, "Engines", "--trials", "N", texts->trials, "trials if an attack is too large (default 1e6)");
  add_value(app, "Engines", "--seed", "N", texts->seed, "seed of these trials (default 1)");
  add_machine_options(app, *texts, "threads (default 0: all cores)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            SquadRequest request;
            request.run = common_options(*texts, app);
            if (!given(app, "FILE")) throw UsageError("no squad; name an XWS file, or - for standard input");
            request.against = texts->against;
            request.reference = texts->reference;
            if (given(app, "--range")) request.range = static_cast<int>(parse_count("--range", texts->range, 0, 3));
            return Task{request.run, [request] { return squad_command(request); }};
          }};
}

}  // namespace salvo::cli
