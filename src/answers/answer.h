// The front door's parts, for those who need less than a whole answer or do something else in between.
// In: a scenario whose overrides are applied. Out: what the engines are asked.
#pragma once

#include "answers/options.h"
#include "compile/compile.h"
#include "game/distribution.h"
#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/report.h"

namespace salvo::answers {

/// A question as it is put to the engines.
struct Asked {
  Scenario scenario;  ///< with the overrides
  compile::CompiledScenario question;
};

/// What every question begins with: checks the options, applies the overrides, compiles. Throws ScenarioError and
/// LoadError as answer() does.
Asked ask(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options);

/// compile() with its errors told as LoadError, in the words of the scenario's source. Names of ships, pilots and
/// upgrades in the scenario become ids. Throws LoadError.
compile::CompiledScenario compile_named(const Catalogue& catalogue, Scenario& scenario,
                                        compile::Lifetime lasts = compile::Lifetime::Round);
/// The same of a scenario that stays as it is.
compile::CompiledScenario compile_question(const Catalogue& catalogue, const Scenario& scenario,
                                           compile::Lifetime lasts = compile::Lifetime::Round);

}  // namespace salvo::answers
