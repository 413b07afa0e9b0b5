// Compiles a Scenario with the data of the Catalogue to a Plan for the engines and Labels for reports.
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

/// What follows the scenario: nothing; the same shots or the same round again and again, so that a shield that is paid
/// counts as damage; or, if the scenario is one attack of a battle, the rest of that battle. In a battle, ships start
/// with faceup damage cards from earlier attacks, and later attacks read the cards dealt in this one, so all of them
/// stay distinguishable.
enum class Lifetime : std::uint8_t { Round, Shots, Rounds, Battle };

/// Throws ScenarioError (unknown ship, card, token or policy; contradictory values; an impossible attack) and LoadError
/// (a broken profile).
CompiledScenario compile_scenario(const Catalogue& catalogue, const Scenario& scenario,
                                  Lifetime lifetime = Lifetime::Round);

}  // namespace salvo::compile
