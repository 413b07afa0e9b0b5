// `salvo card`: finds or measures a short list of rules that plays nearly optimally.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/question_command.h"
#include "cli/status_line.h"
#include "decide/strategy.h"
#include "jobs/atomic_file.h"
#include "salvo/load.h"

namespace salvo::cli {
namespace {

struct CardRequest {
  CommandOptions run;
  std::vector<std::string> files;  ///< scenarios; empty: SPECs
  decide::StrategyOptions how;
  std::optional<std::string> write_file, measured;
};

struct CardArguments : TypedFields {
  std::vector<std::string> files;
  std::string role, side, most, write_file, measured;
};

int card_command(CardRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  if (request.files.empty()) request.files = {""};  // the SPECs
  std::vector<Scenario> scenarios;
  decide::StrategyOptions how = request.how;
  for (const std::string& file : request.files) {
    CommandOptions one = request.run;
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
  write_output(chosen_format(request.run.format) == Format::Json
                   ? decide::to_json(strategy)
                   : decide::to_table(strategy, terminal_width(Stream::Output), colour_wanted(Stream::Output)));
  return kSuccess;
}

// ---------------------------------------------------------------- command line

void add_card_options(CLI::App& app, CardArguments& t) {
  add_words(app, "FILE", t.files, "scenario files, TOML or JSON; - reads standard input");
  add_fields(app, t, [](questions::ScenarioQuestion& question, questions::FieldList& list) {
    describe_specs(question, list);
    describe_play(question, list, false);
    describe_exact_engine(question, list, "threads (default 0: all cores)");
  });
  add_value(app, "Question", "--role", "ROLE", t.role, "attacker or defender (default: who gains more)");
  add_value(app, "Question", "--side", "SIDE", t.side, "mine or theirs (default: first side in that role)");
  add_value(app, "Question", "--most", "N", t.most, "maximum number of rules, 1 to 5 (default 3)");
  add_value(app, "Question", "--measure", "FILE", t.measured, "measure this policy file instead of finding one");
  add_machine_options(app, t);
  add_output_options(app, t, "table or json (default: table on a terminal)");
  add_progress_option(app, t);
  add_value(app, "Output", "--write", "FILE", t.write_file, "write the card as a policy file");
}

/// Throws UsageError and LoadError unless there are either files or SPECs.
void check_scenarios(const CardArguments& texts, const answers::ScenarioSource& specs) {
  const bool attack = !specs.attacks.list.empty(), defend = !specs.defenders.list.empty();
  if (!texts.files.empty() && (attack || defend)) fail_both(texts.files.front(), attack ? "--attack" : "--defend");
  if (texts.files.empty() && !attack && !defend) throw UsageError(questions::kNoScenario);
  for (const std::string& file : texts.files) {
    if (file.empty()) throw UsageError("the name of the scenario file is empty");
    questions::check_scenario_file(file);
  }
  questions::check(*texts.asked.list, specs);
}

CardRequest card_request(const CLI::App& app, CardArguments& texts) {
  CardRequest out;
  out.run = read_fields(texts, app);
  out.files = texts.files;
  if (out.run.format == Format::Csv) throw UsageError("--format: card prints table or json");
  answers::ScenarioSource& source = out.run;
  source = static_cast<questions::ScenarioQuestion&>(*texts.asked.common).source;
  check_scenarios(texts, source);
  decide::StrategyOptions& how = out.how;
  if (given(app, "--side")) how.mine = parse_name("--side", texts.side, {"mine", "theirs"}) == 0;
  if (given(app, "--role")) how.attacker = parse_name("--role", texts.role, {"attacker", "defender"}) == 0;
  if (given(app, "--most")) how.max_rules = static_cast<int>(parse_count("--most", texts.most, 1, 5));
  if (given(app, "--write")) out.write_file = texts.write_file;
  if (given(app, "--measure")) out.measured = texts.measured;
  return out;
}

}  // namespace

DeclaredCommand add_card(CLI::App& top) {
  const auto texts = std::make_shared<CardArguments>();
  CLI::App& app = add_command(top, "card", "A short list of rules that plays nearly best.",
                              "\nExamples:\n"
                              "  salvo card joust.toml duel.toml --role attacker\n"
                              "  salvo card -a '3 focus lock' -a '3 focus' -d '2 focus evade' --most 2\n"
                              "  salvo card joust.toml --write mine.toml");
  add_card_options(app, *texts);
  return {&app, [&app, texts] {
            const CardRequest request = card_request(app, *texts);
            return Task{request.run, [request] { return card_command(request); }};
          }};
}

}  // namespace salvo::cli
