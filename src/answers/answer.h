// The steps of answer() for callers that need only some of them.
#pragma once

#include "answers/options.h"
#include "compile/compile.h"
#include "game/distribution.h"
#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/report.h"

namespace salvo::answers {

/// A scenario ready for the engines.
struct PreparedScenario {
  Scenario scenario;  ///< with its overrides, names replaced by ids
  compile::CompiledScenario compiled;
};

/// The first step of every answer: checks the options, applies the overrides and compiles. Throws ScenarioError and
/// LoadError as answer() does.
PreparedScenario prepare(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options);

/// compile() for scenarios that may name ships, pilots and upgrades: replaces the names in `scenario` by ids. Throws
/// LoadError with the scenario's source and line. Its notes have those on unread tokens, but none on cards of other
/// ships.
compile::CompiledScenario compile_named(const Catalogue& catalogue, Scenario& scenario,
                                        compile::Lifetime lifetime = compile::Lifetime::Round);
/// The same, without changing the scenario, and without notes on unread tokens.
compile::CompiledScenario compile_copy(const Catalogue& catalogue, const Scenario& scenario,
                                       compile::Lifetime lifetime = compile::Lifetime::Round);

}  // namespace salvo::answers
