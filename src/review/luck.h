// Luck for a compiled scenario; see salvo/luck.h.
#pragma once

#include "compile/compile.h"
#include "exact/exact.h"
#include "salvo/luck.h"

namespace salvo::review {

/// Throws DecisionError and PlanTooLarge as luck() does. The policies of the scenario must be optimal.
Luck luck(const compile::CompiledScenario& compiled, const PlayedAttack& spec, const exact::Budget& budget = {});

}  // namespace salvo::review
