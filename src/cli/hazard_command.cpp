// `salvo hazard`: dice rolled outside attacks.
#include <fmt/format.h>

#include <memory>
#include <new>

#include "api/hazard_answer.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "jobs/scenario_input.h"
#include "load/specs.h"

namespace salvo::cli {
namespace {

struct HazardRequest {
  RunOptions run;                ///< edition, card set, engine, trials, seed, format
  api::HazardQuestion question;  ///< the rest
};

template <typename R>
int print(const R& report, const RunOptions& options) {
  write_output(render(report, options));
  if constexpr (requires { report.cross_check; }) {
    if (report.cross_check && !report.cross_check->agree) return kEnginesDisagree;
  }
  return kAnswered;
}

/// Names a remedy if memory is short.
api::HazardAnswer answer_within_memory(const Catalogue& catalogue, const api::HazardQuestion& question) try {
  return api::answer_hazard(catalogue, question);
} catch (const std::bad_alloc&) {
  if (question.engine == EngineChoice::Sample) throw;
  throw PlanTooLarge(
      "the exact answer needs more memory than there is, or than is allowed; ask for fewer times or ships, or for "
      "--engine sample",
      0, 0);
}

int hazard_command(HazardRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  const AnswerOptions& options = request.run.answer;
  if (options.overrides.rules) {
    const std::vector<std::string> known = catalogue.edition_ids();
    request.question.rules = known[parse_name("--rules", *options.overrides.rules, known)];
  }
  request.question.cards = options.overrides.cards.value_or("");
  request.question.engine = options.engine;
  request.question.trials = options.trials.value_or(kDefaultTrials);
  request.question.seed = options.seed;
  const api::HazardAnswer answer = answer_within_memory(catalogue, request.question);
  return std::visit([&](const auto& report) { return print(report, request.run); }, answer.report);
}

// ---------------------------------------------------------------- command line

struct HazardTexts : RunTexts {
  std::string name, situation, times;
  std::vector<std::string> ships, numbers;
};

/// "speed=3" for each --set.
std::map<std::string, int> numbers_of(const HazardTexts& texts) {
  std::map<std::string, int> out;
  for (const std::string& word : texts.numbers) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--set: {} is not NAME=N, as in speed=3", in_quotes(word)));
    }
    const std::string name = word.substr(0, equals);
    const auto value = static_cast<int>(parse_count("--set " + name, word.substr(equals + 1), 0, 99));
    if (!out.emplace(name, value).second) throw UsageError(fmt::format("--set: {} is given twice", in_quotes(name)));
  }
  return out;
}

}  // namespace

DeclaredCommand add_hazard(CLI::App& top) {
  CLI::App& app = add_command(top, "hazard", "Dice outside attacks: bombs, mines, obstacles.",
                              "\nNAME is a hazard of profiles/hazards, or list. A SPEC is as for salvo run -d,\n"
                              "with every word optional. Several ships roll separately.\n\n"
                              "Examples:\n"
                              "  salvo hazard list\n"
                              "  salvo hazard proximity-mine --ship 'ship=t65xwing'\n"
                              "  salvo hazard thermal-detonator --ship 'hull=3' --ship 'hull=3' --engine both\n"
                              "  salvo hazard debris-cloud --times 2 --ship 'hull=4 shields=2'\n"
                              "  salvo hazard player-order");
  const auto texts = std::make_shared<HazardTexts>();
  add_words(app, "NAME", texts->name, "the hazard, or list");
  add_specs(app, "--ship,--ships", texts->ships, "a ship that it affects; repeatable");
  add_value(app, "Scenario", "--situation", "ID", texts->situation, "one of its situations (default: the usual one)");
  add_list(app, "Scenario", "--set", "NAME=N", texts->numbers, "a number that it needs, such as speed=3; repeatable");
  add_value(app, "Scenario", "--times", "N", texts->times, "repeat it N times (default 1)");
  add_rules_options(app, *texts);
  add_card_option(app, *texts);
  add_value(app, "Engines", "--engine", "NAME", texts->engine, "exact (default), sample or both");
  add_value(app, "Engines", "--trials", "N", texts->trials, "sampling: number of trials (default 1e6)");
  add_value(app, "Engines", "--seed", "N", texts->seed, "sampling: seed of the random numbers (default 1)");
  add_machine_options(app, *texts);
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            HazardRequest request;
            request.run = common_options(*texts, app);
            if (!given(app, "NAME")) throw UsageError("no hazard; name one, or write salvo hazard list");
            request.question.name = texts->name;
            request.question.ships = load::specs_of_option("--ship", texts->ships);
            request.question.situation = texts->situation;
            request.question.numbers = numbers_of(*texts);
            if (given(app, "--times"))
              request.question.times = static_cast<int>(parse_count("--times", texts->times, 1, 100));
            return Task{request.run, [request] { return hazard_command(request); }};
          }};
}

}  // namespace salvo::cli
