#include <fmt/format.h>

#include "salvo/scenario.h"

namespace salvo {

std::string attack_path(const Scenario& scenario, std::size_t attack) {
  if (scenario.rounds.empty()) return "attacks[" + std::to_string(attack) + "]";
  const int round = scenario.attacks[attack].round;
  std::size_t first = attack;
  while (first > 0 && scenario.attacks[first - 1].round == round) --first;
  if (scenario.repeats) return fmt::format("attacks[{}]", attack - first);
  return fmt::format("rounds[{}].attacks[{}]", round, attack - first);
}

void repeat_attacks(Scenario& scenario, int rounds) {
  if (rounds < 1 || rounds > kMaxRounds)
    throw ScenarioError("rounds", fmt::format("{} is not a number of rounds from 1 to {}", rounds, kMaxRounds));
  if (!scenario.rounds.empty() && !scenario.repeats)
    throw ScenarioError("rounds", "the scenario already has rounds; leave out the number of rounds");
  std::erase_if(scenario.attacks, [](const ScenarioAttack& attack) { return attack.round > 0; });
  scenario.rounds.clear();
  scenario.repeats = false;
  if (rounds == 1) return;
  const std::vector<ScenarioAttack> once = scenario.attacks;
  scenario.repeats = true;
  scenario.rounds.assign(static_cast<std::size_t>(rounds), {.again = true});
  scenario.rounds.front().again = false;
  for (int round = 1; round < rounds; ++round) {
    for (ScenarioAttack attack : once) {
      attack.round = round;
      scenario.attacks.push_back(std::move(attack));
    }
  }
}

}  // namespace salvo
