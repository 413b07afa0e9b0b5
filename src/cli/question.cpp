#include "cli/question.h"

#include <fmt/format.h>

#include <array>

#include "load/load.h"

namespace salvo::cli {
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
  apply(overrides_of(options), scenario);
  load_policies(scenario, options.attacker_policy.has_value(), options.defender_policy.has_value());
  return scenario;
}

Overrides overrides_of(const RunOptions& options) {
  return {options.rules,       options.cards,           options.objective,
          options.damage_deck, options.attacker_policy, options.defender_policy};
}

AnswerOptions answer_options(const RunOptions& options) {
  AnswerOptions out;
  out.engine = options.engine;
  out.certify = options.certify;
  if (options.budget) out.budget.edges = *options.budget;
  if (options.precision) {
    out.sampling.precision = *options.precision;
    out.sampling.trials = kTrialsForPrecision;
  }
  if (options.trials) out.sampling.trials = *options.trials;
  out.sampling.seed = options.seed;
  out.sampling.threads = options.threads;
  if (options.generator) out.sampling.generator = *sample::generator_of(*options.generator);
  out.sampling.target = options.target.value_or("");
  out.sampling.tokens = options.count_tokens;
  return out;
}

}  // namespace salvo::cli
