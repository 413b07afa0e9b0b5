#include "cli/question.h"

#include <fmt/format.h>

#include "answer/options.h"
#include "load/file.h"
#include "load/load.h"

namespace salvo::cli {

std::string Files::read(const std::string& path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  if (elsewhere_) throw LoadError(path + ": was not kept with the question; make its shards anew", "", "");
  return texts_[path] = load::read_file(path);
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

namespace {

/// A message about the SPECs of --return, which are read as those of --attack.
std::string of_return(const std::string& text) {
  constexpr std::string_view kAttack = "--attack";
  return text.starts_with(kAttack) ? "--return" + text.substr(kAttack.size()) : text;
}

/// Those who shoot at the first attacker once all others have shot.
void add_return_fire(const Catalogue& catalogue, const std::vector<std::string>& specs, Scenario& scenario) {
  const ScenarioShip& first = scenario.ships.at("a1");
  if (!first.ship && !first.pilot && !first.agility)
    throw UsageError("--return: the first attacker has no agility; name its ship, as --attack 'X-wing focus'");
  Scenario read;
  try {
    read = scenario_from_specs(catalogue, scenario.rules, scenario.cards, specs, "0");
  } catch (const LoadError& error) {
    throw LoadError(of_return(error.what()), of_return(error.path), error.why);
  }
  for (std::size_t i = 0; i < read.attacks.size(); ++i) {
    ScenarioAttack attack = read.attacks[i];
    ScenarioShip ship = read.ships.at(attack.by);
    for (std::string& lock : ship.locks) lock = "a1";
    const std::string name = fmt::format("b{}", i + 1), place = fmt::format("--return {}", i + 1);
    for (const char* key : {"", ".ship", ".pilot", ".upgrades", ".attack"})
      scenario.given_by[fmt::format("ships.{}{}", name, key)] =
          *key == 0 ? place : fmt::format("{}: {}", place, key + 1);
    for (const char* key : {"", ".by", ".on", ".weapon", ".range", ".facts"}) {
      scenario.given_by[fmt::format("attacks[{}]{}", scenario.attacks.size(), key)] =
          *key == 0 ? place : fmt::format("{}: {}", place, key + 1);
    }
    attack.by = name;
    attack.on = "a1";
    scenario.ships[name] = std::move(ship);
    scenario.attacks.push_back(std::move(attack));
  }
  for (const std::string& note : read.notes) scenario.notes.push_back(of_return(note));
}

}  // namespace

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
  if (!options.on.empty()) choose_among(options.on, scenario);
  // A file that an option replaces need not be there; the option's own is named from the working folder.
  const auto read = [&](std::optional<std::string>& own, const std::optional<std::string>& option, auto& rules) {
    if (!option) return;
    own.reset();
    if (is_policy_file(*option)) rules = std::make_shared<const PolicySpec>(parse_policy(files.read(*option), *option));
  };
  read(scenario.attacker_policy, overrides.attacker_policy, overrides.attacker_rules);
  read(scenario.defender_policy, overrides.defender_policy, overrides.defender_rules);
  load_policies(scenario, [&](const std::string& path) { return files.read(path); });
  return out;
}

}  // namespace salvo::cli
