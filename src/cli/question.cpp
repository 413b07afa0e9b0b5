#include "cli/question.h"

#include "answer/options.h"
#include "load/load.h"

namespace salvo::cli {

Catalogue open_catalogue(RunOptions& options) {
  Catalogue catalogue;
  std::optional<std::string>& rules = options.answer.overrides.rules;
  if (rules && (rules->ends_with(".toml") || rules->find('/') != std::string::npos))
    rules = catalogue.add_rules(*rules);
  for (const std::string& file : options.card_files) catalogue.add_card(file);
  return catalogue;
}

Input read_input(const Catalogue& catalogue, const RunOptions& options) {
  Input out{{}, options.answer};
  Scenario& scenario = out.scenario;
  Overrides& overrides = out.options.overrides;
  scenario = options.attacks.empty()
                 ? load_scenario(options.file)
                 : scenario_from_specs(catalogue, overrides.rules.value_or(scenario.rules),
                                       overrides.cards.value_or(scenario.cards), options.attacks, options.defenders);
  if (!options.on.empty()) choose_among(options.on, scenario);
  // A file that an option replaces need not be there; the option's own is named from the working folder.
  const auto read = [](std::optional<std::string>& own, const std::optional<std::string>& option, auto& rules) {
    if (!option) return;
    own.reset();
    if (is_policy_file(*option)) rules = std::make_shared<const PolicySpec>(load_policy(*option));
  };
  read(scenario.attacker_policy, overrides.attacker_policy, overrides.attacker_rules);
  read(scenario.defender_policy, overrides.defender_policy, overrides.defender_rules);
  load_policies(scenario);
  return out;
}

}  // namespace salvo::cli
