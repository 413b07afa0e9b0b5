#include "answers/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "exact/certificate.h"

namespace salvo::answers {
namespace {

void check_name(const char* field, const std::string& value, const std::vector<std::string>& known) {
  if (value.empty() || std::find(known.begin(), known.end(), value) != known.end()) return;
  const std::string near = base::nearest(value, known);
  throw ScenarioError(
      field, fmt::format("\"{}\" is not one of {}{}", base::clip_to_width(base::strip_control(value), 60),
                         base::joined(known, ", "), near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

}  // namespace

void apply(const Overrides& overrides, Scenario& scenario) {
  const auto replace = [&](const char* key, const char* option, const std::optional<std::string>& value, auto& target) {
    if (!value) return;
    target = *value;
    scenario.given_by[key] = overrides.as_options ? option : key;
  };
  replace("rules", "--rules", overrides.rules, scenario.rules);
  replace("cards", "--cards", overrides.cards, scenario.cards);
  replace("objective", "--objective", overrides.objective, scenario.objective);
  replace("damage_deck", "--damage-deck", overrides.damage_deck, scenario.damage_deck);
  replace("attacker_policy", "--attacker-policy", overrides.attacker_policy, scenario.attacker_policy);
  replace("defender_policy", "--defender-policy", overrides.defender_policy, scenario.defender_policy);
  if (overrides.rounds) repeat_attacks(scenario, *overrides.rounds);
  if (overrides.attacker_policy) scenario.attacker_rules = overrides.attacker_rules;
  if (overrides.defender_policy) scenario.defender_rules = overrides.defender_rules;
}

void choose_among(const std::vector<std::string>& ships, Scenario& scenario) {
  for (ScenarioAttack& attack : scenario.attacks) {
    const bool own = std::find(ships.begin(), ships.end(), attack.by) != ships.end();
    if (own || !attack.bonus.empty()) continue;
    attack.on = ships.front();
    attack.targets.assign(ships.begin() + 1, ships.end());
  }
}

void check(const AnswerOptions& options) {
  check_name("generator", options.generator, sample::generator_names());
  if (!options.target.empty()) check_name("target", options.target, sample::targets());
  if (options.budget && !(*options.budget >= 1))
    throw ScenarioError("budget", fmt::format("{} is not a number of transitions, at least 1", *options.budget));
  if (options.trials && (*options.trials < 1 || *options.trials > kMaxTrials))
    throw ScenarioError("trials", fmt::format("{} is not a whole number from 1 to 1e15", *options.trials));
  if (options.precision && !(*options.precision > 0 && *options.precision <= kLargestPrecision)) {
    throw ScenarioError(
        "precision", fmt::format("{} is not a number above 0 and at most {}", *options.precision, kLargestPrecision));
  }
  if (options.threads < 0 || options.threads > kMaxThreads)
    throw ScenarioError("threads", fmt::format("{} is not a whole number from 0 to {}", options.threads, kMaxThreads));
  if (options.certify && !exact::kCertifies)
    throw ScenarioError("certify", "certificates are left out of this build; ask the program salvo");
  if (options.certify && options.engine == EngineChoice::Sample)
    throw ScenarioError("certify", "a sampled value cannot be certified; choose another engine");
}

exact::Budget budget_of(const AnswerOptions& options) {
  exact::Budget out;
  if (options.budget) out.edges = *options.budget;
  return out;
}

sample::Options sampling_of(const AnswerOptions& options) {
  sample::Options out;
  const bool open = options.precision && !options.trials;  // nothing else limits the number of trials
  out.trials = options.trials.value_or(open ? kMaxTrials : kDefaultTrials);
  out.precision = options.precision.value_or(0.0);
  if (open) out.most_needed = kMaxNeededTrials;
  out.seed = options.seed;
  out.threads = options.threads;
  if (!options.generator.empty()) out.generator = *sample::generator_of(options.generator);
  out.target = options.target;
  out.tokens = options.count_tokens;
  if (options.progress) {
    out.progress = [&options, open](std::uint64_t done, std::uint64_t planned) {
      return options.progress(done, open ? 0 : planned);
    };
  }
  return out;
}

}  // namespace salvo::answers
