// `salvo luck`: separates luck and skill in an attack.
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/point_options.h"
#include "jobs/scenario_input.h"
#include "salvo/luck.h"

namespace salvo::cli {
namespace {

struct LuckTexts : PointTexts {
  std::string damage, damaged;
};

struct LuckRequest {
  RunOptions run;
  PlayedAttack spec;                ///< without the damage before
  std::vector<std::string> tokens;  ///< "NAME TOKEN=N ..."
  std::string number_option;        ///< number_option()
  std::optional<std::string> damaged;
};

int luck_command(LuckRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  jobs::Input input = read_input(catalogue, request.run);
  for (const std::string& text : request.tokens) report_tokens(request.spec.point, input.scenario, text);
  if (request.damaged) request.spec.point.damage = damage_before("--damaged", input.scenario, *request.damaged);
  try {
    print_decision(luck(catalogue, input.scenario, request.spec, input.options), request.run);
  } catch (const DecisionError& error) {
    fail_point(error, request.number_option);
  }
  return kAnswered;
}

constexpr const char* kFooter =
    "\nUnreported choices count as best play, unreported dice as the mean over all\n"
    "rolls that fit the report. Expectation + luck + skill = result.\n\n"
    "Examples:\n"
    "  salvo luck -a '3 focus' -d '2 evade' --damage 0\n"
    "  salvo luck -a '3 focus lock' -d '2' --rolled 'hit focus blank' \\\n"
    "             --spent nothing --defense-rolled 'blank focus' --damage 1";

}  // namespace

DeclaredCommand add_luck(CLI::App& top) {
  constexpr std::uint64_t kMaxDamage = 99;
  const auto texts = std::make_shared<LuckTexts>();
  LuckTexts& t = *texts;
  CLI::App& app = add_command(top, "luck", "Was it luck? One attack, luck and skill apart.", kFooter);
  add_scenario_options(app, t, "an attacker; with FILE the number of the attack");
  add_rules_options(app, t);
  add_card_option(app, t);
  add_objective_options(app, t);
  add_value(app, kPointGroup, "--damage", "N", t.damage, "damage that the defender suffered");
  add_point_options(app, t);
  add_tokens_option(app, t);
  add_value(app, kPointGroup, "--damaged", "TEXT", t.damaged, "damage before this attack: 'd=2 a1=1'");
  add_exact_options(app, t);
  add_output_options(app, t, "table or json (default: table on a terminal)");
  add_progress_option(app, t);
  return {&app, [&app, texts] {
            LuckRequest request;
            LuckTexts scenario = *texts;
            if (given(app, "FILE")) scenario.attacks.clear();
            request.run = decision_options(scenario, app).run;
            request.number_option = number_option(app);
            request.spec.point = point_of(*texts, app);
            if (given(app, "--damage"))
              request.spec.damage = static_cast<int>(parse_count("--damage", texts->damage, 0, kMaxDamage));
            request.tokens = texts->tokens;
            request.damaged = if_given(app, "--damaged", texts->damaged);
            return Task{request.run, [request] { return luck_command(request); }};
          }};
}

}  // namespace salvo::cli
