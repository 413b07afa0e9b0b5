// Finds the decision point that an observed play has reached. In: a compiled scenario and a DecisionSpec. Out: a
// position.
#pragma once

#include "decide/advise.h"
#include "game/play.h"

namespace salvo::decide {

struct DecisionPoint {
  std::size_t attack = 0;  ///< from 0
  game::Position position;
  game::NextEvent event = game::NextEvent::Finished;
};

/// Compiles the scenario with the reported tokens. Without rounds the ships start with them. In rounds the plan only
/// makes room for them and begin_attack_at() sets them, so that later rounds restore the scenario's own tokens.
/// Throws DecisionError, and as prepare() does.
compile::CompiledScenario compile_at(const Catalogue& catalogue, const Scenario& scenario, const DecisionSpec& spec,
                                     const AnswerOptions& options);

/// The round of the attack at hand, from 1; 0 if the scenario has no rounds or no such attack.
int round_of(const compile::CompiledScenario& compiled, const DecisionSpec& spec);

/// The index of the attack at hand in the plan. Throws DecisionError.
std::size_t attack_index(const compile::CompiledScenario& compiled, const DecisionSpec& spec);

/// The resources before attack `k` of the plan: with the reported damage and, in later rounds, the reported tokens;
/// else as if nothing had been spent. Throws DecisionError.
game::Resources resources_at(const compile::CompiledScenario& compiled, const DecisionSpec& spec, std::size_t k);

/// The position in which attack `k` begins, its price paid. Throws DecisionError.
game::Position begin_attack_at(const compile::CompiledScenario& compiled, const DecisionSpec& spec, std::size_t k);

/// The position at which all observations have happened. Throws DecisionError if there is none, or several.
DecisionPoint locate(const compile::CompiledScenario& compiled, const DecisionSpec& spec);

}  // namespace salvo::decide
