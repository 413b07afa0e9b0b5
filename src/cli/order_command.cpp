// `salvo order`: the best order in which ships of one initiative attack.
#include <cstddef>

#include "base/parallel.h"
#include "cli/decision_options.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "decide/order.h"
#include "jobs/scenario_input.h"

namespace salvo::cli {
namespace {

int order_command(RunOptions options, bool mine) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options);
  const jobs::Input input = read_input(catalogue, options);
  base::Threads(options.answer.threads).for_each(1, [&](std::size_t) {
    print_decision(decide::best_order(catalogue, input.scenario, mine, input.options), options);
  });
  return kAnswered;
}

}  // namespace

DeclaredCommand add_order(CLI::App& top) {
  struct Texts : DecisionTexts {
    std::string side;
  };
  const auto texts = std::make_shared<Texts>();
  CLI::App& app = add_command(top, "order", "In which order ships of one initiative should shoot.",
                              "\nExamples:\n"
                              "  salvo order four-on-one.toml\n"
                              "  salvo order -a '3 focus' -a '2 lock' -d '2 evade hull=3' --objective kill");
  add_scenario_options(app, *texts);
  add_value(app, "Question", "--side", "SIDE", texts->side, "whose attackers: mine (default) or theirs");
  add_decision_options(app, *texts, "threads (default 0: all cores)");
  return {&app, [&app, texts] {
            const RunOptions options = decision_options(*texts, app).run;
            const bool mine = !given(app, "--side") || parse_name("--side", texts->side, {"mine", "theirs"}) == 0;
            return Task{options, [options, mine] { return order_command(options, mine); }};
          }};
}

}  // namespace salvo::cli
