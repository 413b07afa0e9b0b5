// Advice for a compiled scenario; see salvo/advise.h.
#pragma once

#include "compile/compile.h"
#include "exact/exact.h"
#include "salvo/advise.h"

namespace salvo::decide {

/// Throws ScenarioError and PlanTooLarge as advise() does.
Advice advise(const compile::CompiledScenario& compiled, const DecisionSpec& reported,
              const exact::Budget& budget = {});

}  // namespace salvo::decide
