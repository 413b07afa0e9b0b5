// The cache of an edition: reports by question, exact solutions by plan, since different questions may compile to the
// same plan. Both are LRU caches of bounded size (docs/speed.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/lru_cache.h"
#include "exact/exact.h"
#include "game/distribution.h"
#include "load/derived_data.h"
#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/report.h"

namespace salvo::compile {
struct PlanKey;
}

namespace salvo::answers {

/// A report with its cost. Where work is limited (base/work_limit.h), a cached report costs as much as a computed one.
struct CachedReport {
  Report report;
  double work = 0;              ///< without deck_work
  double deck_work = 0;         ///< of Report::would_add
  load::DerivedData text = {};  ///< what higher layers derive from the report
};
using SharedAnswer = std::shared_ptr<const CachedReport>;

/// Everything that an exact answer depends on, within an edition.
struct AnswerKey {
  AnswerKey(const compile::PlanKey& question, const AnswerOptions& options);

  const compile::PlanKey& question;
  std::optional<EngineChoice> engine;
  double edges;
  bool certify, would_add, weapon_notes;
  bool sourced;  ///< the scenario has a source
  std::uint64_t hash;
};

/// A plan solved and enumerated within a budget, or the error that says it exceeds the budget.
struct CachedSolution {
  game::Distribution distribution;
  double edges = 0, work = 0;  ///< `work`: what solving and enumerating spent
  std::optional<PlanTooLarge> too_large = {};
  std::vector<game::Distribution> rounds = {};  ///< after each round but the last (Plan::round_ends)
};

/// Thread-safe.
class AnswerCache : public load::DerivedData::Base {
 public:
  /// The report, or null. Its work is not counted yet.
  SharedAnswer find(const AnswerKey& key) const;
  /// True when this question was looked up before: only then is its report worth caching.
  bool seen_before(const AnswerKey& key) const { return reports_.seen_before(key.hash); }
  void store(const AnswerKey& key, SharedAnswer answer) const;

  /// exact::solve() and exact::enumerate(), from the cache where possible. `solution` receives what exact::solve()
  /// returned, even when enumerating fails. Throws PlanTooLarge.
  std::shared_ptr<const CachedSolution> solve(const game::Plan& plan, const exact::Budget& budget,
                                              std::optional<exact::Solution>& solution) const;

 private:
  struct ReportEntry;
  struct SolutionEntry;

  // Both bounds keep the cache of an edition below 16 MiB each: a ship or an attack of a report with its text takes at
  // most about 4 KiB, an effect of a plan about 1 KiB. A report of one attack has three parts.
  static constexpr std::size_t kMaxReportParts = 4096, kMaxSolutionParts = 16384;

  std::shared_ptr<const CachedSolution> find(const game::Plan& plan, std::uint64_t hash,
                                             const exact::Budget& budget) const;
  void store(const game::Plan& plan, std::uint64_t hash, const exact::Budget& budget,
             std::shared_ptr<const CachedSolution> solved) const;

  mutable base::LruCache<ReportEntry> reports_{kMaxReportParts};
  mutable base::LruCache<SolutionEntry> solutions_{kMaxSolutionParts};
};

const AnswerCache& answer_cache(const load::Edition& edition);

/// answer() for callers that only read the report: a cached report is not copied.
SharedAnswer answer_shared(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options = {});

}  // namespace salvo::answers
