// `salvo advise`: the value of each play at a decision.
#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/point_options.h"
#include "jobs/scenario_input.h"
#include "salvo/advise.h"

namespace salvo::cli {
namespace {

struct AdviseTexts : PointTexts {
  std::string to_move, damage;
};

/// The decision, as far as it can be read without the scenario.
struct AdviseRequest {
  RunOptions run;
  DecisionSpec point;               ///< without the damage
  std::vector<std::string> tokens;  ///< "NAME TOKEN=N ..."
  std::string number_option;        ///< number_option()
  std::optional<std::string> damage;
};

int advise_command(AdviseRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  jobs::Input input = read_input(catalogue, request.run);
  DecisionSpec point = request.point;
  for (const std::string& text : request.tokens) report_tokens(point, input.scenario, text);
  if (request.damage) point.damage = damage_before("--damage", input.scenario, *request.damage);
  try {
    print_decision(advise(catalogue, input.scenario, point, input.options), request.run);
  } catch (const DecisionError& error) {
    fail_point(error, request.number_option);
  }
  return kAnswered;
}

// ---------------------------------------------------------------- command line

constexpr const char* kAdviseFooter =
    "\nTokens and damage are those before attack N: from the scenario, or from --tokens\n"
    "and --damage. Without --rolled, prints the best play for each roll, or\n"
    "which ship to shoot if there is a choice.\n\n"
    "Examples:\n"
    "  salvo advise -a '3 focus x2' -d '2 evade hull=4' --rolled 'hit focus blank'\n"
    "  salvo advise -a 'X-wing focus' -d 'TIE/ln' --rolled 'hit focus blank' \\\n"
    "               --return 3 --return '2 focus'\n"
    "  salvo advise joust.toml --on 'black grey' --objective kill\n"
    "  salvo advise joust.toml --attack 1 --rolled 'hit focus focus blank'\n"
    "  salvo advise joust.toml --rolled 'hit hit focus blank' --spent lock \\\n"
    "               --rerolled 'blank=hit' --defense-rolled 'evade focus blank'";

}  // namespace

DeclaredCommand add_advise(CLI::App& top) {
  const auto texts = std::make_shared<AdviseTexts>();
  AdviseTexts& t = *texts;
  CLI::App& app = add_command(top, "advise", "What to do with this roll: what each play is worth.", kAdviseFooter);
  add_scenario_options(app, t, "an attacker; with FILE the number of the attack");
  add_rounds_option(app, t);
  add_point_options(app, t);
  const char* point = kPointGroup;
  add_value(app, point, "--to-move", "ROLE", t.to_move, "attacker or defender (default: the role that decides next)");
  add_tokens_option(app, t);
  add_value(app, point, "--damage", "TEXT", t.damage, "damage before this attack: 'black=2 red=1'");
  add_decision_options(app, t);
  return {&app, [&app, texts] {
            AdviseRequest request;
            AdviseTexts scenario = *texts;
            if (given(app, "FILE")) scenario.attacks.clear();
            request.run = decision_options(scenario, app).run;
            request.number_option = number_option(app);
            request.point = point_of(*texts, app);
            if (given(app, "--to-move"))
              request.point.attacker_moves = parse_name("--to-move", texts->to_move, {"attacker", "defender"}) == 0;
            request.tokens = texts->tokens;
            request.damage = if_given(app, "--damage", texts->damage);
            return Task{request.run, [request] { return advise_command(request); }};
          }};
}

}  // namespace salvo::cli
