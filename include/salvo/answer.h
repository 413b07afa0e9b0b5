// The front door: a scenario and the options of whoever asks in, a Report out.
// Everything that asks a question - commands, studies, advice, programs that use the library - comes through here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "salvo/errors.h"
#include "salvo/scenario.h"

namespace salvo {

class Catalogue;  // salvo/catalogue.h
struct Report;    // salvo/report.h

/// Which engine answers. Both: each answers, and they are tested against each other.
enum class EngineChoice { Exact, Sample, Both };

/// Keys of a scenario that the asker replaces, whatever the scenario says. Empty: as the scenario has it.
struct Overrides {
  std::optional<std::string> rules = {}, cards = {}, objective = {}, damage_deck = {};
  std::optional<std::string> attacker_policy = {}, defender_policy = {};
  std::optional<int> rounds = {};  ///< repeat_attacks(): of a scenario without rounds of its own
  /// Of a policy above that is the name of a file: what load_policy() read there.
  std::shared_ptr<const PolicySpec> attacker_rules = {}, defender_rules = {};
  /// Errors in these keys name them as options of the command line ("--damage-deck"), not as keys ("damage_deck").
  bool as_options = false;
  bool operator==(const Overrides&) const = default;
};

inline constexpr std::uint64_t kDefaultTrials = 1'000'000;
inline constexpr std::uint64_t kMaxTrials = 1'000'000'000'000'000;
/// A precision that needs more is refused, unless `trials` says how many are wanted.
inline constexpr std::uint64_t kMaxNeededTrials = 100'000'000'000;
inline constexpr double kLargestPrecision = 0.5;  ///< the half-width of knowing nothing
inline constexpr int kMaxThreads = 1024;

/// How to answer. The defaults answer exactly when that takes a few seconds and some 400 MB, and sample otherwise.
struct AnswerOptions {
  Overrides overrides = {};                 ///< answer() applies them, and nothing else needs to
  std::optional<EngineChoice> engine = {};  ///< empty: exact when it fits its budget, else sample
  std::optional<double> budget = {};        ///< transitions that the exact engine may use, at least 1; empty: 5e6
  /// Of the sampling engine, 1 to kMaxTrials. Empty: kDefaultTrials, or as many as a precision needs.
  std::optional<std::uint64_t> trials = {};
  /// Sample until the half-width of the 95 % confidence interval of every figure is at most this; above 0 and at most
  /// kLargestPrecision. `trials` is then the most, and SampleInfo::ended_by says which of the two it was; without
  /// `trials`, answer() throws ScenarioError (path "precision") when more than kMaxNeededTrials would be needed.
  std::optional<double> precision = {};
  std::uint64_t seed = 1;      ///< of the random numbers; the same seed gives the same answer on each machine
  int threads = 0;             ///< of the sampling engine, 0 to kMaxThreads; 0: all cores. Never changes the answer.
  std::string generator = {};  ///< "philox4x32-10", "ars-7" or "xoshiro256++"; empty: the first
  std::string target = {};     ///< instruction set of the sampling engine; empty: the best. Never changes the answer.
  bool count_tokens = true;    ///< sampling: count tokens and charges that are left; without, play is faster
  bool certify = false;        ///< recompute the exact value in rational arithmetic; not for EngineChoice::Sample
  bool would_add = false;      ///< also say what the usual damage deck would add
  /// Called before the first trial, in the thread that asked; may be empty.
  std::function<void()> sampling_begins = {};
  /// Called from time to time while sampling, in the thread that asked, with the trials done and planned (0: nobody
  /// knows how many a precision takes). Returns false to stop: the report then has the trials that are done and says
  /// that it was interrupted. May be empty. The exact engine cannot be stopped; its budget bounds it.
  std::function<bool(std::uint64_t done, std::uint64_t planned)> progress = {};
};

/// Answers a scenario: applies the overrides, compiles, chooses the engine, solves or samples, cross-checks, and says
/// why. The same catalogue, scenario and options (but for threads and target) give the same answer, bit for bit.
///
/// Safe to call from several threads at once with one catalogue, as long as nobody adds cards to it meanwhile.
///
/// Throws ScenarioError when an option cannot be (its path is the name of the field: "generator", "precision"),
/// LoadError when the scenario cannot be played (path: the key) or a profile is broken, PlanTooLarge when the exact
/// engine or an optimal policy was asked for and does not fit its budget. A policy that is a file has to be read
/// before, by load_policy() into Scenario::attacker_rules or Overrides::attacker_rules.
Report answer(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options = {});

}  // namespace salvo
