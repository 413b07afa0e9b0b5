// `salvo card`: finds or measures a short list of rules that plays nearly optimally.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "base/parallel.h"
#include "cli/decision_options.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/status_line.h"
#include "decide/strategy.h"
#include "jobs/atomic_file.h"
#include "salvo/load.h"

namespace salvo::cli {
namespace {

struct CardRequest {
  RunOptions run;
  std::vector<std::string> files;  ///< scenarios
  decide::StrategyOptions how;
  std::optional<std::string> write_file, measured;
};

int card_command(CardRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  if (request.files.empty()) request.files = {""};  // the SPECs
  std::vector<Scenario> scenarios;
  decide::StrategyOptions how = request.how;
  for (const std::string& file : request.files) {
    RunOptions one = request.run;
    one.file = file;
    jobs::Input input = read_input(catalogue, one);
    scenarios.push_back(std::move(input.scenario));
    how.answer = std::move(input.options);
  }
  Progress progress;
  progress.start();
  how.progress = [&](std::size_t tried, double loss) {
    progress.show(fmt::format("tried {} lists, smallest loss {:.5f}", tried, std::isfinite(loss) ? loss : 0.0));
    return true;
  };
  decide::Strategy strategy;
  base::Threads(request.run.answer.threads).for_each(1, [&](std::size_t) {
    strategy = request.measured ? decide::measure_strategy(catalogue, scenarios, load_policy(*request.measured), how)
                                : decide::find_strategy(catalogue, scenarios, how);
  });
  progress.erase();
  if (request.write_file) {
    strategy.policy.name = fmt::format("card for the {}", strategy.attacker ? "attacker" : "defender");
    jobs::write_file("--write", *request.write_file, decide::to_toml(strategy.policy));
  }
  print_decision(strategy, request.run);
  return kAnswered;
}

}  // namespace

DeclaredCommand add_card(CLI::App& top) {
  struct Texts : DecisionTexts {
    std::string role, side, most, write_file, measured;
  };
  const auto texts = std::make_shared<Texts>();
  Texts& t = *texts;
  CLI::App& app = add_command(top, "card", "A short list of rules that plays nearly best.",
                              "\nExamples:\n"
                              "  salvo card joust.toml duel.toml --role attacker\n"
                              "  salvo card -a '3 focus lock' -a '3 focus' -d '2 focus evade' --most 2\n"
                              "  salvo card joust.toml --write mine.toml");
  add_words(app, "FILE", t.files, "scenario files, TOML or JSON; - reads standard input");
  add_scenario_specs(app, t);
  add_value(app, "Question", "--role", "ROLE", t.role, "attacker or defender (default: who gains more)");
  add_value(app, "Question", "--side", "SIDE", t.side, "mine or theirs (default: first side in that role)");
  add_value(app, "Question", "--most", "N", t.most, "maximum number of rules, 1 to 5 (default 3)");
  add_value(app, "Question", "--measure", "FILE", t.measured, "measure this policy file instead of finding one");
  add_decision_options(app, t, "threads (default 0: all cores)");
  add_value(app, "Output", "--write", "FILE", t.write_file, "write the card as a policy file");
  return {&app, [&app, texts] {
            DecisionOptions options = decision_options(*texts, app);
            CardRequest request{options.run, options.files, {}, {}, {}};
            decide::StrategyOptions& how = request.how;
            if (given(app, "--side")) how.mine = parse_name("--side", texts->side, {"mine", "theirs"}) == 0;
            if (given(app, "--role")) how.attacker = parse_name("--role", texts->role, {"attacker", "defender"}) == 0;
            if (given(app, "--most")) how.max_rules = static_cast<int>(parse_count("--most", texts->most, 1, 5));
            request.write_file = if_given(app, "--write", texts->write_file);
            request.measured = if_given(app, "--measure", texts->measured);
            return Task{request.run, [request] { return card_command(request); }};
          }};
}

}  // namespace salvo::cli
