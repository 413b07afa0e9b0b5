// Kept answers: what the front door found before, kept with an edition for whoever asks the same again - a server, a
// batch, a notebook - and exact solutions of plans, since different questions may come to the same plan.
// In: a question, or a plan. Out: the very answer that would be found anew. Both are bounded (docs/speed.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/lru_cache.h"
#include "exact/exact.h"
#include "game/distribution.h"
#include "load/attachment.h"
#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/report.h"

namespace salvo::compile {
struct PlanKey;
}

namespace salvo::answers {

/// An answer, and what it costs where work is limited (base/work_limit.h): an answer that is kept counts as much.
struct CachedReport {
  Report report;
  double work = 0;             ///< without the next
  double deck_work = 0;        ///< of Report::would_add
  load::Attachment text = {};  ///< of rooms above: what they made of the report
};
using SharedAnswer = std::shared_ptr<const CachedReport>;

/// What an exact answer depends on, within an edition.
struct AnswerKey {
  AnswerKey(const compile::PlanKey& question, const AnswerOptions& options);

  const compile::PlanKey& question;
  std::optional<EngineChoice> engine;
  double edges;
  bool certify, would_add;
  std::uint64_t hash;
};

/// Any number of threads may use it.
class ReportCache {
 public:
  /// The answer, or null. It was not counted as work yet.
  SharedAnswer find(const AnswerKey& key);
  /// True when the question was asked before: then its answer is worth keeping.
  bool seen_before(const AnswerKey& key) { return entries_.seen_before(key.hash); }
  void keep(const AnswerKey& key, SharedAnswer answer);

 private:
  struct Entry;
  static constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
  base::LruCache<Entry> entries_{kMaxBytes};
};

/// A plan that was solved and enumerated within a budget, or that does not fit it.
struct SolvedExactly {
  game::Distribution distribution;
  double edges = 0;
  std::optional<PlanTooLarge> too_large = {};
  std::vector<game::Distribution> rounds = {};  ///< after each round but the last (Plan::round_ends)
};

/// Any number of threads may use it.
class SolutionCache {
 public:
  /// Fewer transitions are solved as fast as a plan is found and copied.
  static constexpr double kWorthKeeping = 1000;

  /// The solution, or null. It was not counted as work yet.
  std::shared_ptr<const SolvedExactly> find(const game::Plan& plan, std::uint64_t hash, const exact::Budget& budget);
  bool seen_before(std::uint64_t hash) { return entries_.seen_before(hash); }
  void keep(const game::Plan& plan, std::uint64_t hash, const exact::Budget& budget,
            std::shared_ptr<const SolvedExactly> solved);

 private:
  struct Entry;
  static constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
  base::LruCache<Entry> entries_{kMaxBytes};
};

/// What is kept with an edition.
struct FrontDoor : load::Attachment::Base {
  mutable ReportCache answers;
  mutable SolutionCache solutions;
};
const FrontDoor& front_door(const load::Edition& edition);

/// answer() for those who only read the report: one that is kept is not copied.
SharedAnswer answer_shared(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options = {});

}  // namespace salvo::answers
