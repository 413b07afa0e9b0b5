#include "questions/hazard_answer.h"

#include <fmt/format.h>

#include "base/text.h"
#include "data/message.h"
#include "questions/question.h"

namespace salvo::questions {
namespace {

using report::ContestReport;
using report::HazardList;
using report::HazardReport;

/// Fills exact, sample and cross_check of a report for the requested engine.
template <typename Report, typename Enumerate, typename Sample, typename Check>
void fill(const HazardRequest& asked, Report& report, Enumerate enumerate, Sample sample, Check check) {
  const EngineChoice engine = asked.engine.value_or(EngineChoice::Exact);
  report.engine = engine_of(engine);
  if (engine != EngineChoice::Sample) report.exact = enumerate();
  if (engine != EngineChoice::Exact) report.sample = sample();
  if (engine == EngineChoice::Both) report.cross_check = check(*report.exact, *report.sample);
}

ContestReport contest(const load::Edition& edition, const load::Hazard& hazard, const HazardRequest& asked) {
  const char* const key = !asked.ships.list.empty()  ? "ships"
                          : !asked.situation.empty() ? "situation"
                          : !asked.numbers.empty()   ? "numbers"
                          : asked.times != 1         ? "times"
                                                     : nullptr;
  if (key != nullptr) throw FieldError(key, fmt::format("{} is a roll of the players; leave it out", hazard.id));
  ContestReport out{&hazard, edition.id, Engine::Exact, std::nullopt, std::nullopt, std::nullopt};
  const load::HazardContest& roll = *hazard.contest;
  fill(
      asked, out, [&] { return hazard::enumerate(edition, roll); },
      [&] { return hazard::sample(edition, roll, asked.trials, asked.seed); },
      [](const auto& exact, const auto& sample) { return hazard::cross_check(exact, sample); });
  return out;
}

std::vector<hazard::Target> targets(const Catalogue& catalogue, const load::Edition& edition,
                                    const HazardRequest& asked, std::vector<std::string>& notes) {
  const load::GivenSpecs specs = asked.ships.list.empty() ? load::specs_of_option("--ship", {""}) : asked.ships;
  const std::vector<ScenarioShip> ships = load::ships_from_specs(catalogue, edition.id, asked.cards, specs, &notes);
  std::map<std::string, ScenarioShip> by_name;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < ships.size(); ++i) {
    order.push_back(fmt::format("s{}", i + 1));
    by_name[order.back()] = ships[i];
  }
  return hazard::find_targets(catalogue, edition, asked.cards, by_name, order);
}

HazardReport occurrence(const hazard::Occurrence& question, const HazardRequest& asked,
                        std::vector<std::string> notes) {
  HazardReport out{&question, Engine::Exact, std::nullopt, std::nullopt, std::nullopt, std::move(notes)};
  for (const hazard::Target& target : question.targets) {
    if (!target.upgrades.empty()) {
      out.notes.push_back(fmt::format("{}: of {} only what changes hull and shields counts", target.name,
                                      base::joined(target.upgrades, ", ")));
    }
    if (target.faceup > 0)
      out.notes.push_back(fmt::format("{}: what its faceup damage cards do is left out", target.name));
  }
  fill(
      asked, out, [&] { return hazard::enumerate(question); },
      [&] { return hazard::sample(question, asked.trials, asked.seed); },
      [&](const auto& exact, const auto& sample) { return hazard::cross_check(question, exact, sample); });
  return out;
}

const load::Edition& edition_of(const Catalogue& catalogue, const std::string& id) {
  if (const load::Edition* edition = catalogue.edition(id)) return *edition;
  throw ScenarioError("rules", data::not_among(id, catalogue.edition_ids()));
}

}  // namespace

HazardAnswer answer_hazard(const Catalogue& catalogue, const HazardRequest& question) {
  const load::Edition& edition = edition_of(catalogue, question.rules);
  if (question.name == "list")
    return {nullptr, nullptr, HazardList{edition.id, load::load_hazards(catalogue.profiles(), edition)}};
  HazardAnswer out;
  out.hazard = std::make_unique<const load::Hazard>(load::load_hazard(catalogue.profiles(), edition, question.name));
  if (out.hazard->contest) {
    out.report = contest(edition, *out.hazard, question);
    return out;
  }
  std::vector<std::string> notes;
  out.question = std::make_unique<const hazard::Occurrence>(
      hazard::ask(edition, *out.hazard, targets(catalogue, edition, question, notes), question.situation,
                  question.numbers, question.times));
  out.report = occurrence(*out.question, question, std::move(notes));
  return out;
}

}  // namespace salvo::questions
