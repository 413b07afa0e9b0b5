// compile: a Scenario and the Catalogue in, a Plan for the engines and the names for the report out.
#pragma once

#include <cstdint>

#include "load/catalogue.h"
#include "rules/labels.h"
#include "rules/plan.h"
#include "salvo/scenario.h"

namespace salvo {

/// A compiled scenario.
struct Question {
  Plan plan;
  Labels labels;
};

/// How long what is asked lasts: the scenario, which is one round at most; rounds of it one after another; or a battle
/// of which it is one attack. In a battle ships have the faceup damage cards of earlier attacks, and those that they
/// are dealt are read by later ones, so that they are told apart and kept.
enum class Lasts : std::uint8_t { Round, Rounds, Battle };

/// Throws ScenarioError (unknown ship, card, token or policy; values that contradict each other; an attack that cannot
/// be made) and LoadError (a broken profile).
Question compile(const Catalogue& catalogue, const Scenario& scenario, Lasts lasts = Lasts::Round);

}  // namespace salvo
