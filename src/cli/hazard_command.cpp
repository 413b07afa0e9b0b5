// `salvo hazard`: see hazard_command.h.
#include "cli/hazard_command.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "load/load.h"
#include "report/hazard.h"

namespace salvo::cli {
namespace {

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
                                    const std::vector<std::string>& specs) {
  const std::vector<ScenarioShip> ships = ships_from_specs(catalogue, edition.id, cards, specs);
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
  const hazard::Question question =
      hazard::ask(edition, hazard, targets(catalogue, edition, request.run.answer.overrides.cards.value_or(""), specs),
                  request.situation, request.numbers, request.times);
  report::HazardReport report{&question, "", std::nullopt, std::nullopt, std::nullopt, {}};
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

}  // namespace

int hazard_command(const HazardRequest& request) {
  end_on_interrupt();
  const Catalogue catalogue(Catalogue::find_profiles());
  const Edition& edition = edition_of(catalogue, request.run);
  if (request.name == "list") {
    write_output(render(report::HazardList{edition.id, hazard::load_hazards(catalogue.root(), edition)}, request.run));
    return kAnswered;
  }
  const hazard::Hazard hazard = hazard::load_hazard(catalogue.root(), edition, request.name);
  return hazard.contest ? contest(edition, hazard, request) : ships(catalogue, edition, hazard, request);
}

}  // namespace salvo::cli
