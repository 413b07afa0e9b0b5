// `salvo durability`: how many shots a ship survives.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "jobs/atomic_file.h"
#include "load/load.h"
#include "load/specs.h"
#include "report/durability.h"
#include "report/plots.h"
#include "study/durability.h"

namespace salvo::cli {
namespace {

struct DurabilityRequest {
  RunOptions run;  ///< the question and the output
  study::DurabilityOptions how;
  bool all = false;  ///< every ship of the card set under the attacker, with the tokens of --defend
};

study::DurabilityStudy of_specs(const Catalogue& catalogue, const DurabilityRequest& request) {
  const RunOptions& options = request.run;
  return study::durability_of_specs(
      catalogue, load::specs_of_option("--attack", options.attacks),
      load::specs_of_option("--defend", {options.defend.value_or("")}, load::Numbered::IfSeveral), request.all,
      request.how);
}

study::DurabilityStudy study_of(const Catalogue& catalogue, const DurabilityRequest& request) try {
  const RunOptions& options = request.run;
  return options.attacks.empty() ? study::durability(catalogue, load::load_durability(options.file), request.how)
                                 : of_specs(catalogue, request);
} catch (const ScenarioError& error) {
  if (error.path != "round") throw;
  throw UsageError(fmt::format("--round: {}", error.what()));
}

int durability_command(DurabilityRequest request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue = open_catalogue(request.run);
  request.how.answer.overrides.rules = options.answer.overrides.rules;
  const study::DurabilityStudy study = study_of(catalogue, request);
  if (options.plot) jobs::write_file("--plot", *options.plot, report::plot_durability(study));
  write_output(render(study, options, report::to_json, report::to_csv, report::to_table));
  return kAnswered;
}

// ---------------------------------------------------------------- command line

struct DurabilityTexts : RunTexts {
  std::string refresh = "shot", round, tail;
  bool all = false;
};

void read_refresh(const DurabilityTexts& texts, const CLI::App& app, study::DurabilityOptions& out) {
  using study::Refresh;
  const std::size_t mode = parse_name("--refresh", texts.refresh, {"shot", "round", "never"});
  if (given(app, "--refresh")) out.refresh = std::array{Refresh::Shot, Refresh::Round, Refresh::Never}[mode];
  if (given(app, "--round")) {
    if (mode != 1) throw UsageError("--round: only with --refresh round");
    out.round = static_cast<int>(parse_count("--round", texts.round, 1, 1000));
  }
}

DurabilityRequest durability_request(const DurabilityTexts& texts, const CLI::App& app) {
  DurabilityRequest out;
  out.run = common_options(texts, app);
  out.how.answer = out.run.answer;
  read_refresh(texts, app, out.how);
  out.all = texts.all;
  if (given(app, "--tail")) out.how.tail = parse_share("--tail", texts.tail, 1e-15, 0.5);
  const bool file = given(app, "FILE"), attack = !out.run.attacks.empty();
  if (file && (attack || out.run.defend || out.all)) {
    throw UsageError("both a FILE and --attack, --defend or --all; give one of them");
  }
  if (!file && !attack) throw UsageError("no question; name a file, - for standard input, or give --attack");
  if (!file && !out.all && !out.run.defend) {
    throw UsageError("--attack without --defend; say who is shot at, or --all for every ship");
  }
  return out;
}

}  // namespace

DeclaredCommand add_durability(CLI::App& top) {
  CLI::App& app = add_command(top, "durability", "How many shots a ship survives.",
                              "\nFILE is JSON or TOML: {\"defender\": {\"dice\", \"hull\", \"shields\", tokens...},\n"
                              "\"attacker\": {\"dice\", tokens...}, \"attack\": {\"range\", ...}}, or a scenario of\n"
                              "attacks on one ship. Attackers always have all their tokens; --refresh sets when\n"
                              "the ship's tokens return. Several attackers each shoot once per round; between\n"
                              "rounds Force, charges and shields of huge ships recover by the rules, and the\n"
                              "answer also counts rounds.\n\n"
                              "Examples:\n"
                              "  salvo durability --attack '3 focus' --defend 'ship=t65xwing focus'\n"
                              "  salvo durability -a '2 focus' -a '3 lock' -d 'pilot=darthvader'\n"
                              "  salvo durability --attack '3 focus lock' --all --defend focus");
  const auto texts = std::make_shared<DurabilityTexts>();
  add_words(app, "FILE", texts->file, "the question; - reads standard input");
  add_specs(app, "-a,--attack", texts->attacks, "an attacker and its attack; repeatable: a round");
  add_value(app, "Scenario", "-d,--defend", "SPEC", texts->defend, "the ship; with --all, the tokens of every ship");
  add_flag(app, "Scenario", "--all", texts->all, "every ship of the card set");
  add_value(app, "Scenario", "--refresh", "WHEN", texts->refresh,
            "tokens return: shot (default for one), round, never");
  add_value(app, "Scenario", "--round", "N", texts->round, "shots of one attacker per round (default 1)");
  add_rules_options(app, *texts);
  add_card_option(app, *texts);
  add_objective_options(app, *texts);
  add_value(app, "Scenario", "--attacker-policy", "NAME", texts->attacker_policy, "greedy (default), hold");
  add_value(app, "Scenario", "--defender-policy", "NAME", texts->defender_policy, "greedy (default), hold");
  add_value(app, "Engines", "--budget", "N", texts->budget, "limit of the exact engine: transitions (default 5e6)");
  add_value(app, "Engines", "--tail", "P", texts->tail, "cut the distribution below P (default 1e-9)");
  add_machine_options(app, *texts, "threads for --all (default 0: all cores)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw the curves");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            const DurabilityRequest request = durability_request(*texts, app);
            return Task{request.run, [request] { return durability_command(request); }};
          }};
}

}  // namespace salvo::cli
