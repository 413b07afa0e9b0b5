// One answer from scenario to report: applies overrides, compiles, chooses the engine, runs it and reports.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "answers/answer_cache.h"
#include "compile/plan_builder.h"
#include "game/policy.h"
#include "sample/sample.h"

namespace salvo::answers {

/// What the engines computed.
struct EngineResults {
  std::string engine_reason;                        ///< why that engine; may be empty
  std::shared_ptr<const game::Distribution> exact;  ///< null: the exact engine did not answer
  std::optional<game::Distribution> sample;
  /// After each round but the last, by the engine whose estimates are reported (Plan::round_ends).
  std::vector<game::Distribution> rounds;
  std::optional<CrossCheck> cross_check;
  std::optional<Certificate> certificate;
};

/// The arguments of the constructor must outlive the job. A scenario that names ships, pilots or upgrades instead of
/// giving ids, the rare case, is copied and gets ids. Errors in the scenario carry its source and line.
/// Over 250 lines with its methods, since all steps share the scenario, the options and the compiled plan.
class AnswerJob {
 public:
  /// Checks the options, applies the overrides and looks up ships and cards. Throws as answer() does.
  AnswerJob(const Catalogue& catalogue, const Scenario& given, const AnswerOptions& options);
  AnswerJob(const AnswerJob&) = delete;
  AnswerJob& operator=(const AnswerJob&) = delete;

  /// The scenario with its overrides. Names are ids where they were resolved.
  const Scenario& scenario() const { return with_ids_ ? *with_ids_ : with_overrides(); }
  /// Call it before anything below.
  compile::CompiledScenario& compile(compile::Lifetime lifetime = compile::Lifetime::Round);
  const compile::CompiledScenario& compiled() const { return builder_->compiled(); }

  /// The cached answer, its work counted; null: there is none.
  SharedAnswer cached() const;
  CachedReport compute();
  /// Whether the computed answer belongs in the cache: it is exact and complete, and its question was looked up before.
  bool worth_caching() const { return cacheable() && complete_ && cache().seen_before(key()); }
  void cache(SharedAnswer answer) const { cache().store(key(), std::move(answer)); }

  /// The policy for the sampling engine alone. `reason`: why it is not the requested one.
  game::Policy policy_to_sample(std::string& reason);
  /// Samples the rounds but the last, or none if the trials were interrupted.
  std::vector<game::Distribution> sampled_rounds(const game::Policy& policy, const game::Distribution& whole) const;
  Report report(EngineResults results) const;

 private:
  const game::Plan& plan() const { return compiled().plan; }
  const compile::Labels& labels() const { return compiled().labels; }
  const Scenario& with_overrides() const { return overridden_ ? *overridden_ : given_; }
  void begin_with_ids();
  template <typename Do>
  void with_location(const Do& work) const;

  EngineResults run();
  EngineResults run_best();
  EngineResults run_sample();
  EngineResults run_both();
  EngineResults run_exact(const exact::Solution& solution) const;
  game::Distribution sampled(const game::Policy& policy) const;
  std::vector<game::Distribution> first_sampled_rounds(const game::Policy& policy,
                                                       const game::Distribution& whole) const;
  std::string too_large(const PlanTooLarge& error) const;
  game::Policy unsolved_policy(const PlanTooLarge& error, std::string& why);
  void settle_for_greedy(const PlanTooLarge& error);
  std::optional<DeckWouldAdd> would_add(const Report& report);
  /// Notes unread tokens, and attacks that name no weapon although another than the primary does more damage.
  void add_hints(Report& report);

  bool cacheable() const { return options_.engine.value_or(EngineChoice::Exact) == EngineChoice::Exact; }
  /// It changes when compile() turns names into ids.
  AnswerKey key() const { return {builder_->key(), options_}; }
  const AnswerCache& cache() const { return answer_cache(builder_->edition()); }

  const Catalogue& catalogue_;
  const Scenario& given_;
  const AnswerOptions& options_;
  const exact::Budget budget_;
  std::optional<Scenario> overridden_, with_ids_;
  std::optional<compile::PlanBuilder> builder_;
  bool complete_ = true;  ///< nothing was sampled, or left out for lack of time or memory
};

}  // namespace salvo::answers
