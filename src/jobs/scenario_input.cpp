#include "jobs/scenario_input.h"

#include <fmt/format.h>

#include "answers/options.h"
#include "data/file.h"
#include "load/load.h"

namespace salvo::jobs {

std::string InputFiles::read(const std::string& path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  if (complete_) throw LoadError(path + ": is missing from the shard; make the shard again", "", "");
  return texts_[path] = data::read_file(path);
}

Catalogue open_catalogue(ScenarioRequest& request) {
  InputFiles files;
  return open_catalogue(request, files);
}

Catalogue open_catalogue(ScenarioRequest& request, InputFiles& files) {
  Catalogue catalogue;
  std::optional<std::string>& rules = request.answer.overrides.rules;
  if (rules && (rules->ends_with(".toml") || rules->find('/') != std::string::npos))
    rules = catalogue.add_rules_text(files.read(*rules), *rules);
  for (const std::string& file : request.card_files) catalogue.add_card_text(files.read(file), file);
  return catalogue;
}

Input read_input(const Catalogue& catalogue, const ScenarioRequest& request) {
  InputFiles files;
  return read_input(catalogue, request, files);
}

Input read_input(const Catalogue& catalogue, const ScenarioRequest& request, InputFiles& files) {
  Input out{{}, request.answer};
  Scenario& scenario = out.scenario;
  Overrides& overrides = out.options.overrides;
  scenario = request.attacks.empty() && request.defenders.empty()
                 ? parse_scenario(files.read(request.file), request.file)
                 : scenario_from_specs(catalogue, overrides.rules.value_or(scenario.rules),
                                       overrides.cards.value_or(scenario.cards), request.attacks, request.defenders);
  if (!request.returns.empty()) add_return_fire(catalogue, request.returns, scenario);
  if (!request.on.empty()) answers::choose_among(request.on, scenario);
  // A policy file that an option replaces need not exist; the option's path is relative to the working folder.
  const auto read = [&](std::optional<std::string>& own, const std::optional<std::string>& option, auto& rules) {
    if (!option) return;
    own.reset();
    if (load::is_policy_file(*option))
      rules = std::make_shared<const PolicySpec>(parse_policy(files.read(*option), *option));
  };
  read(scenario.attacker_policy, overrides.attacker_policy, overrides.attacker_rules);
  read(scenario.defender_policy, overrides.defender_policy, overrides.defender_rules);
  load::load_policies(scenario, [&](const std::string& path) { return files.read(path); });
  return out;
}

}  // namespace salvo::jobs
