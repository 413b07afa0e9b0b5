// AnswerOptions checked, applied, and converted to the options of the engines.
#pragma once

#include "exact/exact.h"
#include "salvo/answer.h"
#include "sample/sample.h"

namespace salvo::answers {

/// Applies the overrides to the scenario, the only place that does. Every question calls it once, before compiling.
void apply(const Overrides& overrides, Scenario& scenario);

/// Lets the attackers of these ships choose: attacks by other ships may target any of them.
void choose_among(const std::vector<std::string>& ships, Scenario& scenario);

/// Throws ScenarioError for an invalid value; its path is the name of the field.
void check(const AnswerOptions& options);

exact::Budget budget_of(const AnswerOptions& options);
/// The options must have been checked.
sample::Options sampling_of(const AnswerOptions& options);

}  // namespace salvo::answers
