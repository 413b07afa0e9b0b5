#include "answers/scenario_source.h"

#include <memory>
#include <utility>

#include "answers/options.h"
#include "load/load.h"

namespace salvo::answers {
namespace {

Scenario of_specs(const Catalogue& catalogue, const ScenarioSource& source, const Overrides& overrides) {
  const Scenario usual;
  return load::scenario_from_specs(catalogue, overrides.rules.value_or(usual.rules),
                                   overrides.cards.value_or(usual.cards), source.attacks, source.defenders);
}

void add_return_and_choice(const Catalogue& catalogue, const ScenarioSource& source, Scenario& scenario) {
  if (!source.returns.list.empty()) load::add_return_fire(catalogue, source.returns, scenario);
  if (!source.among.empty()) choose_among(source.among, scenario);
}

}  // namespace

Scenario take_scenario(const Catalogue& catalogue, ScenarioSource& source, const Overrides& overrides) {
  Scenario out = source.keys ? std::move(*source.keys) : of_specs(catalogue, source, overrides);
  add_return_and_choice(catalogue, source, out);
  return out;
}

Scenario read_scenario(const Catalogue& catalogue, const ScenarioSource& source, Overrides& overrides,
                       const std::function<std::string(const std::string& path)>& read) {
  Scenario out = source.attacks.list.empty() && source.defenders.list.empty()
                     ? parse_scenario(read(source.file), source.file)
                     : of_specs(catalogue, source, overrides);
  add_return_and_choice(catalogue, source, out);
  // A policy file that an option replaces need not exist; the option's path is relative to the working folder.
  const auto read_policy = [&](std::optional<std::string>& own, const std::optional<std::string>& option, auto& rules) {
    if (!option) return;
    own.reset();
    if (load::is_policy_file(*option)) rules = std::make_shared<const PolicySpec>(parse_policy(read(*option), *option));
  };
  read_policy(out.attacker_policy, overrides.attacker_policy, overrides.attacker_rules);
  read_policy(out.defender_policy, overrides.defender_policy, overrides.defender_rules);
  load::load_policies(out, read);
  return out;
}

}  // namespace salvo::answers
