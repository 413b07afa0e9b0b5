// Answer: which engine plays the question, and what it finds.
// In: a compiled Question. Out: a Report.
#pragma once

#include <functional>
#include <optional>

#include "answer/report.h"
#include "cli/arguments.h"
#include "exact/exact.h"
#include "rules/compile.h"
#include "sample/sample.h"

namespace salvo::cli {

/// How to answer.
struct AnswerOptions {
  std::optional<EngineChoice> engine;  ///< empty: exact when it fits its budget, else sample
  /// Whether the user asked for the role's policy. One that is only the default may become greedy when it does not fit.
  bool attacker_policy_named = false, defender_policy_named = false;
  exact::Budget budget;
  sample::Options sampling;
  bool certify = false;                   ///< recompute the exact value in rational arithmetic
  std::function<void()> sampling_begins;  ///< called before the first trial; may be empty
};

/// With --precision alone nothing else limits the number of trials.
inline constexpr std::uint64_t kTrialsForPrecision = 1'000'000'000'000'000;

/// What the options of a command say about the answer to a scenario.
AnswerOptions answer_options(const RunOptions& options, const Scenario& scenario);

/// compile() with its errors told as LoadError, in the words of the scenario's source.
Question compile_question(const Catalogue& catalogue, const Scenario& scenario);

/// What the usual damage deck of the edition (its deck "core") would change about an exact answer without one. Empty
/// where the scenario has a deck, ships without hull, no critical hit that reaches a hull, or is too large to tell
/// fast.
std::optional<DeckWouldAdd> would_add(const Catalogue& catalogue, const Scenario& scenario, const Report& report);

/// Throws PlanTooLarge when the exact engine was asked for and does not fit, or a policy that was asked for does not.
Report answer(Question question, const AnswerOptions& options);

}  // namespace salvo::cli
