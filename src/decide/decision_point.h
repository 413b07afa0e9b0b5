// Point: where a scenario stands, found by playing what the players did. In: a Question and a DecisionSpec. Out:
// Position.
#pragma once

#include "decide/advise.h"
#include "game/play.h"

namespace salvo::decide {

struct DecisionPoint {
  std::size_t attack = 0;  ///< from 0
  game::Position position;
  game::NextEvent need = game::NextEvent::Finished;
};

/// The question of a scenario in which what was told of tokens can be. Without rounds the ships begin with these; in
/// rounds begin_at() sets them, so that what the scenario began with is still what a later round gives again. Throws
/// DecisionError, and as ask() does.
compile::CompiledScenario compile_at(const Catalogue& catalogue, const Scenario& scenario, const DecisionSpec& spec,
                                     const AnswerOptions& options);

/// The round of the attack that a point is in, from 1; 0 where the scenario has no rounds, or no such attack.
int round_of(const compile::CompiledScenario& question, const DecisionSpec& spec);

/// The place in the plan of the attack that a point is in. Throws DecisionError.
std::size_t attack_index(const compile::CompiledScenario& question, const DecisionSpec& spec);

/// What is there before attack `k` of the plan: with the damage and in later rounds the tokens that were told, else
/// those that are there if nothing was spent. Throws DecisionError.
game::Resources resources_at(const compile::CompiledScenario& question, const DecisionSpec& spec, std::size_t k);

/// The position in which it begins, with its price paid. Throws DecisionError.
game::Position begin_attack_at(const compile::CompiledScenario& question, const DecisionSpec& spec, std::size_t k);

/// Throws DecisionError.
DecisionPoint locate(const compile::CompiledScenario& question, const DecisionSpec& spec);

}  // namespace salvo::decide
