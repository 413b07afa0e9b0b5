// `salvo worth`: what one more token, shield or die would change.
#include "cli/decision_options.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "decide/worth.h"
#include "jobs/scenario_input.h"

namespace salvo::cli {
namespace {

int worth_command(RunOptions options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options);
  const jobs::Input input = read_input(catalogue, options);
  print_decision(decide::worth(catalogue, input.scenario, input.options), options);
  return kAnswered;
}

}  // namespace

DeclaredCommand add_worth(CLI::App& top) {
  const auto texts = std::make_shared<DecisionTexts>();
  CLI::App& app = add_command(top, "worth", "What one more token, shield or die would change.",
                              "\nExamples:\n"
                              "  salvo worth joust.toml --objective kill\n"
                              "  salvo worth -a '3 focus' -a '2 lock' -d '2 evade hull=4'");
  add_scenario_options(app, *texts);
  add_decision_options(app, *texts);
  add_rounds_option(app, *texts);
  return {&app, [&app, texts] {
            const RunOptions options = decision_options(*texts, app).run;
            return Task{options, [options] { return worth_command(options); }};
          }};
}

}  // namespace salvo::cli
