// Luck of a question that is compiled already; see salvo/luck.h.
#pragma once

#include "compile/compile.h"
#include "exact/exact.h"
#include "salvo/luck.h"

namespace salvo::review {

/// Throws DecisionError and PlanTooLarge as luck() does. The policies of the question are to be optimal.
Luck luck(const compile::CompiledScenario& question, const PlayedAttack& spec, const exact::Budget& budget = {});

}  // namespace salvo::review
