// Answers a scenario with either engine, or both. All commands, studies and advice go through this function.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "salvo/engine.h"
#include "salvo/errors.h"
#include "salvo/scenario.h"

namespace salvo {

class Catalogue;  // salvo/catalogue.h
struct Report;    // salvo/report.h

/// Keys that replace those of a scenario. Empty: the scenario's own value.
struct Overrides {
  std::optional<std::string> rules = {}, cards = {}, objective = {}, damage_deck = {};
  std::optional<std::string> attacker_policy = {}, defender_policy = {};
  std::optional<int> rounds = {};  ///< as repeat_attacks() does, for scenarios without rounds
  /// The rules that load_policy() read, if a policy above is the name of a file.
  std::shared_ptr<const PolicySpec> attacker_rules = {}, defender_rules = {};
  /// Errors name these keys as command-line options ("--damage-deck") instead of keys ("damage_deck").
  bool as_options = false;
  bool operator==(const Overrides&) const = default;
};

inline constexpr std::uint64_t kDefaultTrials = 1'000'000;
inline constexpr std::uint64_t kMaxTrials = 1'000'000'000'000'000;
/// A precision that needs more trials is refused unless `trials` sets their number.
inline constexpr std::uint64_t kMaxNeededTrials = 100'000'000'000;
inline constexpr double kLargestPrecision = 0.5;  ///< the half-width of the interval from 0 to 1
inline constexpr int kMaxThreads = 1024;

/// The defaults answer exactly if that takes a few seconds and some 400 MB, and sample otherwise.
struct AnswerOptions {
  Overrides overrides = {};                 ///< applied by answer()
  std::optional<EngineChoice> engine = {};  ///< empty: exact if it fits its budget, else sample
  std::optional<double> budget = {};        ///< transitions that the exact engine may use, at least 1; empty: 5e6
  /// For the sampling engine, 1 to kMaxTrials. Empty: kDefaultTrials, or as many as a precision needs.
  std::optional<std::uint64_t> trials = {};
  /// Sample until the half-width of the 95 % confidence interval of every estimate is at most this; above 0 and at most
  /// kLargestPrecision. `trials` then limits the number of trials, and SampleInfo::ended_by says which of the two ended
  /// the run. Without `trials`, answer() throws ScenarioError (path "precision") if more than kMaxNeededTrials would be
  /// needed.
  std::optional<double> precision = {};
  std::uint64_t seed = 1;      ///< of the random numbers; the same seed gives the same answer on every machine
  int threads = 0;             ///< of the sampling engine, 0 to kMaxThreads; 0: all cores. Never changes the answer.
  std::string generator = {};  ///< "philox4x32-10", "ars-7" or "xoshiro256++"; empty: the first
  std::string target = {};     ///< instruction set of the sampling engine; empty: the best. Never changes the answer.
  bool count_tokens = true;    ///< sampling: count the tokens and charges that are left; false is faster
  bool certify = false;        ///< recompute the exact value in rational arithmetic; not for EngineChoice::Sample
  bool would_add = false;      ///< also report what the usual damage deck would add; most of the time of a short answer
  bool weapon_notes = false;   ///< also note where an attack leaves a stronger weapon of its ship unnamed and unused
  /// Called before the first trial, in the calling thread; may be empty.
  std::function<void()> sampling_begins = {};
  /// Called from time to time while sampling, in the calling thread, with the trials done and planned (0: unknown, with
  /// a precision). Return false to stop: the report then covers the trials done and says that it was interrupted. May
  /// be empty. The exact engine cannot be stopped; its budget bounds it.
  std::function<bool(std::uint64_t done, std::uint64_t planned)> progress = {};
};

/// Applies the overrides, compiles the scenario, chooses the engine, solves or samples, cross-checks and reports. The
/// same catalogue, scenario and options (except threads and target) give the same answer, bit for bit.
///
/// Thread-safe for one catalogue, as long as no cards are added to it meanwhile.
///
/// Throws ScenarioError for an invalid option (its path is the name of the field: "generator", "precision"), LoadError
/// for an invalid scenario (path: the key) or a broken profile, and PlanTooLarge if the exact engine or an optimal
/// policy was requested and does not fit its budget. A policy file must be read beforehand, by load_policy() into
/// Scenario::attacker_rules or Overrides::attacker_rules.
Report answer(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options = {});

}  // namespace salvo
