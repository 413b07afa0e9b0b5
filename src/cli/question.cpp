#include "cli/question.h"

#include <fmt/format.h>

#include <array>

#include "load/load.h"

namespace salvo::cli {
namespace {

/// A key of the scenario that an option replaces.
struct Override {
  const char* option;
  const char* key;
  const std::optional<std::string>& value;
};

std::array<Override, 6> overrides(const RunOptions& options) {
  return {{{"--rules", "rules", options.rules},
           {"--cards", "cards", options.cards},
           {"--objective", "objective", options.objective},
           {"--damage-deck", "damage_deck", options.damage_deck},
           {"--attacker-policy", "attacker_policy", options.attacker_policy},
           {"--defender-policy", "defender_policy", options.defender_policy}}};
}

}  // namespace

void add_own_cards(Catalogue& catalogue, const RunOptions& options) {
  for (const std::string& file : options.card_files) catalogue.add_card(file);
}

Scenario read_scenario(const Catalogue& catalogue, const RunOptions& options) {
  Scenario scenario;
  if (options.attacks.empty()) {
    scenario = load_scenario(options.file);
  } else {
    scenario =
        scenario_from_specs(catalogue, options.rules.value_or(scenario.rules), options.cards.value_or(scenario.cards),
                            options.attacks, options.defend.value_or(""));
  }
  if (options.rules) scenario.rules = *options.rules;
  if (options.cards) scenario.cards = *options.cards;
  if (options.objective) scenario.objective = *options.objective;
  if (options.damage_deck) scenario.damage_deck = *options.damage_deck;
  if (options.attacker_policy) scenario.attacker_policy = options.attacker_policy;
  if (options.defender_policy) scenario.defender_policy = options.defender_policy;
  load_policies(scenario, options.attacker_policy.has_value(), options.defender_policy.has_value());
  return scenario;
}

Question compile_scenario(const Catalogue& catalogue, const Scenario& scenario, const RunOptions& options) {
  try {
    return compile(catalogue, scenario);
  } catch (const ScenarioError& error) {
    for (const auto& [option, key, value] : overrides(options)) {
      if (value && error.path == key) throw UsageError(fmt::format("{}: {}", option, error.what()));
    }
    throw LoadError(describe(scenario, error));
  }
}

}  // namespace salvo::cli
