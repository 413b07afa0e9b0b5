// Advice on a question that is compiled already; see salvo/advise.h.
#pragma once

#include "exact/exact.h"
#include "rules/compile.h"
#include "salvo/advise.h"

namespace salvo::decide {

/// Throws ScenarioError and PlanTooLarge as advise() does.
Advice advise(const Question& question, const PointSpec& point, const exact::Budget& budget = {});

}  // namespace salvo::decide
