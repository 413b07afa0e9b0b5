// Options of an answer, for those who answer parts of it themselves: checked, applied, and in the engines' words.
// In: AnswerOptions. Out: the scenario that is asked about, and what each engine is told.
#pragma once

#include "exact/exact.h"
#include "salvo/answer.h"
#include "sample/sample.h"

namespace salvo::answers {

/// Puts the overrides into the scenario: the only place where an override is applied. What asks a question calls it
/// once, before anything is compiled.
void apply(const Overrides& overrides, Scenario& scenario);

/// Attacks that none of these ships makes are on one of them, as their attackers choose.
void choose_among(const std::vector<std::string>& ships, Scenario& scenario);

/// Throws ScenarioError for a value that cannot be; its path is the name of the field.
void check(const AnswerOptions& options);

exact::Budget budget_of(const AnswerOptions& options);
/// The options have to be checked.
sample::Options sampling_of(const AnswerOptions& options);

}  // namespace salvo::answers
