#include "cli/question.h"

#include <fmt/format.h>

#include "answers/options.h"
#include "data/file.h"
#include "load/load.h"

namespace salvo::cli {

std::string Files::read(const std::string& path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  if (elsewhere_) throw LoadError(path + ": was not kept with the question; make its shards anew", "", "");
  return texts_[path] = data::read_file(path);
}

Catalogue open_catalogue(RunOptions& options) {
  Files files;
  return open_catalogue(options, files);
}

Catalogue open_catalogue(RunOptions& options, Files& files) {
  Catalogue catalogue;
  std::optional<std::string>& rules = options.answer.overrides.rules;
  if (rules && (rules->ends_with(".toml") || rules->find('/') != std::string::npos))
    rules = catalogue.add_rules_text(files.read(*rules), *rules);
  for (const std::string& file : options.card_files) catalogue.add_card_text(files.read(file), file);
  return catalogue;
}

Input read_input(const Catalogue& catalogue, const RunOptions& options) {
  Files files;
  return read_input(catalogue, options, files);
}

Input read_input(const Catalogue& catalogue, const RunOptions& options, Files& files) {
  Input out{{}, options.answer};
  Scenario& scenario = out.scenario;
  Overrides& overrides = out.options.overrides;
  scenario = options.attacks.empty()
                 ? parse_scenario(files.read(options.file), options.file)
                 : scenario_from_specs(catalogue, overrides.rules.value_or(scenario.rules),
                                       overrides.cards.value_or(scenario.cards), options.attacks, options.defenders);
  if (!options.returns.empty()) add_return_fire(catalogue, options.returns, scenario);
  if (!options.on.empty()) answers::choose_among(options.on, scenario);
  // A file that an option replaces need not be there; the option's own is named from the working folder.
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

}  // namespace salvo::cli
