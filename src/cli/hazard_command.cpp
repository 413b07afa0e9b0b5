// `salvo hazard`: dice that are rolled outside attacks.
#include <fmt/format.h>

#include <memory>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/question.h"
#include "cli/terminal.h"
#include "load/load.h"
#include "report/hazard.h"

namespace salvo::cli {
namespace {

struct HazardRequest {
  RunOptions run;                  ///< edition, card set, engine, trials, seed, format
  std::string name;                ///< an id, or "list"
  std::vector<std::string> ships;  ///< one SPEC each; empty: one ship of which nothing is known
  std::string situation;           ///< empty: the usual one
  std::map<std::string, int> numbers;
  int times = 1;
};

/// Fills exact, sample and cross_check of a report as the engine asked for wants it.
template <typename Report, typename Enumerate, typename Sample, typename Check>
void answer(const RunOptions& options, Report& report, Enumerate enumerate, Sample sample, Check check) {
  const EngineChoice engine = options.answer.engine.value_or(EngineChoice::Exact);
  report.engine = engine == EngineChoice::Exact ? "exact" : engine == EngineChoice::Sample ? "sample" : "both";
  if (engine != EngineChoice::Sample) report.exact = enumerate();
  if (engine != EngineChoice::Exact)
    report.sample = sample(options.answer.trials.value_or(kUsualTrials), options.answer.seed);
  if (engine == EngineChoice::Both) report.cross_check = check(*report.exact, *report.sample);
}

template <typename Report>
int print(const Report& report, const RunOptions& options) {
  write_output(render(report, options));
  return report.cross_check && !report.cross_check->agree ? kEnginesDisagree : kAnswered;
}

int contest(const Edition& edition, const hazard::Hazard& hazard, const HazardRequest& request) {
  if (!request.ships.empty() || !request.situation.empty() || !request.numbers.empty() || request.times != 1) {
    throw UsageError(
        fmt::format("{} is a roll of the players; it takes no ships, situation, numbers or times", hazard.id));
  }
  report::ContestReport report{&hazard, edition.id, "", std::nullopt, std::nullopt, std::nullopt};
  const hazard::Contest& roll = *hazard.contest;
  answer(
      request.run, report, [&] { return hazard::enumerate(edition, roll); },
      [&](std::uint64_t trials, std::uint64_t seed) { return hazard::sample(edition, roll, trials, seed); },
      [](const auto& exact, const auto& sample) { return report::cross_check(exact, sample); });
  return print(report, request.run);
}

std::vector<hazard::Target> targets(const Catalogue& catalogue, const Edition& edition, const std::string& cards,
                                    const std::vector<std::string>& specs, std::vector<std::string>& notes) {
  const std::vector<ScenarioShip> ships = ships_from_specs(catalogue, edition.id, cards, specs, &notes);
  std::map<std::string, ScenarioShip> by_name;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < ships.size(); ++i) {
    order.push_back(fmt::format("s{}", i + 1));
    by_name[order.back()] = ships[i];
  }
  return hazard::find_targets(catalogue, edition, cards, by_name, order);
}

int ships(const Catalogue& catalogue, const Edition& edition, const hazard::Hazard& hazard,
          const HazardRequest& request) {
  const std::vector<std::string> specs = request.ships.empty() ? std::vector<std::string>{""} : request.ships;
  std::vector<std::string> notes;
  const hazard::Occurrence question = hazard::ask(
      edition, hazard, targets(catalogue, edition, request.run.answer.overrides.cards.value_or(""), specs, notes),
      request.situation, request.numbers, request.times);
  report::HazardReport report{&question, "", std::nullopt, std::nullopt, std::nullopt, std::move(notes)};
  for (const hazard::Target& target : question.targets) {
    if (!target.upgrades.empty()) {
      report.notes.push_back(fmt::format("{}: of {} only what changes hull and shields counts", target.name,
                                         fmt::join(target.upgrades, ", ")));
    }
  }
  answer(
      request.run, report, [&] { return hazard::enumerate(question); },
      [&](std::uint64_t trials, std::uint64_t seed) { return hazard::sample(question, trials, seed); },
      [&](const auto& exact, const auto& sample) { return report::cross_check(question, exact, sample); });
  return print(report, request.run);
}

const Edition& edition_of(const Catalogue& catalogue, const RunOptions& options) {
  const std::string id = options.answer.overrides.rules.value_or("second-edition");
  if (const Edition* edition = catalogue.edition(id)) return *edition;
  const std::vector<std::string> known = catalogue.edition_ids();
  return *catalogue.edition(known[parse_name("--rules", id, known)]);  // which throws: it is none of them
}

int hazard_command(HazardRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  const Edition& edition = edition_of(catalogue, request.run);
  if (request.name == "list") {
    write_output(render(report::HazardList{edition.id, hazard::load_hazards(catalogue.root(), edition)}, request.run));
    return kAnswered;
  }
  const hazard::Hazard hazard = hazard::load_hazard(catalogue.root(), edition, request.name);
  return hazard.contest ? contest(edition, hazard, request) : ships(catalogue, edition, hazard, request);
}

// ---------------------------------------------------------------- the command line

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
                              "\nNAME is a hazard of profiles/hazards, or list. A SPEC is that of salvo run --defend,\n"
                              "and every word may be left out. Several ships roll on their own.\n\n"
                              "Examples:\n"
                              "  salvo hazard list\n"
                              "  salvo hazard proximity-mine --ship 'ship=t65xwing'\n"
                              "  salvo hazard thermal-detonator --ship 'hull=3' --ship 'hull=3' --engine both\n"
                              "  salvo hazard debris-cloud --times 2 --ship 'hull=4 shields=2'\n"
                              "  salvo hazard player-order");
  const auto texts = std::make_shared<HazardTexts>();
  add_words(app, "NAME", texts->name, "the hazard, or list");
  add_specs(app, "--ship,--ships", texts->ships, "a ship it happens to; repeatable");
  add_value(app, "Scenario", "--situation", "ID", texts->situation, "which of its situations (default: the usual one)");
  add_list(app, "Scenario", "--set", "NAME=N", texts->numbers, "a number that it asks for, as speed=3; repeatable");
  add_value(app, "Scenario", "--times", "N", texts->times, "so often, one after the other (default 1)");
  add_rules_options(app, *texts);
  add_card_option(app, *texts);
  add_value(app, "Engines", "--engine", "NAME", texts->engine, "exact (default), sample or both");
  add_value(app, "Engines", "--trials", "N", texts->trials, "sampling: number of trials (default 1e6)");
  add_value(app, "Engines", "--seed", "N", texts->seed, "sampling: seed of the random numbers (default 1)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  return {&app, [&app, texts] {
            HazardRequest request;
            request.run = common_options(*texts, app);
            if (!given(app, "NAME")) throw UsageError("no hazard; name one, or write salvo hazard list");
            request.name = texts->name;
            request.ships = texts->ships;
            request.situation = texts->situation;
            request.numbers = numbers_of(*texts);
            if (given(app, "--times")) request.times = static_cast<int>(parse_count("--times", texts->times, 1, 100));
            return Task{request.run, [request] { return hazard_command(request); }};
          }};
}

}  // namespace salvo::cli
