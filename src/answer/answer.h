// The front door: a scenario and the options of whoever asks in, a Report out.
// It applies what the asker overrides, compiles, chooses the engine, solves or samples, cross-checks, and says why.
// Everything that asks a question - commands, studies, advice, the library's users - comes through here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "exact/exact.h"
#include "load/catalogue.h"
#include "rules/compile.h"
#include "salvo/report.h"
#include "salvo/scenario.h"
#include "sample/sample.h"

namespace salvo {

/// Which engine answers. Both: each answers, and they are tested against each other.
enum class EngineChoice { Exact, Sample, Both };

/// Keys of a scenario that the asker replaces, whatever the scenario says. Empty: as the scenario has it.
struct Overrides {
  std::optional<std::string> rules, cards, objective, damage_deck, attacker_policy, defender_policy;
  bool operator==(const Overrides&) const = default;
};

/// Puts the overrides into the scenario: the only place where an override is applied. Errors in a key that was
/// overridden are told in the words of the option ("--objective"). Files that policies name are not read
/// (load_policies).
void apply(const Overrides& overrides, Scenario& scenario);

/// How to answer. The overrides are applied before.
struct AnswerOptions {
  std::optional<EngineChoice> engine;  ///< empty: exact when it fits its budget, else sample
  exact::Budget budget;
  sample::Options sampling;
  bool certify = false;                   ///< recompute the exact value in rational arithmetic
  bool would_add = false;                 ///< also say what the usual damage deck would add
  std::function<void()> sampling_begins;  ///< called before the first trial; may be empty
};

/// With a precision alone nothing else limits the number of trials.
inline constexpr std::uint64_t kTrialsForPrecision = 1'000'000'000'000'000;

/// compile() with its errors told as LoadError, in the words of the scenario's source. Throws LoadError.
Question compile_question(const Catalogue& catalogue, const Scenario& scenario);

/// What the sampling engine has to tell the user beside its figures, for Labels::notes.
std::vector<std::string> sampling_notes(const Distribution& sampled);

/// Compiles and answers a scenario whose overrides are applied. Safe to call from several threads at once with one
/// catalogue. Throws LoadError (the scenario cannot be played) and PlanTooLarge (the exact engine or an optimal policy
/// was asked for and does not fit its budget).
Report answer(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options = {});

}  // namespace salvo
