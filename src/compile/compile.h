// compile: a Scenario and the Catalogue in, a Plan for the engines and the names for the report out.
#pragma once

#include <cstdint>

#include "compile/labels.h"
#include "game/plan.h"
#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::compile {

/// A compiled scenario.
struct CompiledScenario {
  game::Plan plan;
  Labels labels;
};

/// How long what is asked lasts: the scenario, which is one round at most; rounds of it one after another; or a battle
/// of which it is one attack. In a battle ships have the faceup damage cards of earlier attacks, and those that they
/// are dealt are read by later ones, so that they are told apart and kept.
enum class Lifetime : std::uint8_t { Round, Rounds, Battle };

/// Throws ScenarioError (unknown ship, card, token or policy; values that contradict each other; an attack that cannot
/// be made) and LoadError (a broken profile).
CompiledScenario compile_scenario(const Catalogue& catalogue, const Scenario& scenario,
                                  Lifetime lasts = Lifetime::Round);

}  // namespace salvo::compile
