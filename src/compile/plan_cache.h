// Kept: questions that were compiled before, for those who ask the same again: a server, a batch, a notebook.
// In: a scenario, and the cards that its ships turned out to have. Out: the same question as if it were compiled anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/lru_cache.h"
#include "compile/compile.h"

namespace salvo::compile {

/// Whether two scenarios ask the same. Where they come from does not matter: only messages tell that.
bool same_question(const Scenario& a, const Scenario& b);
/// The same for scenarios that ask the same.
std::uint64_t hash_of(const Scenario& scenario);
/// Without where it comes from, which may be long.
Scenario without_places(const Scenario& scenario);

/// What a question depends on, within one edition of one folder of profiles.
struct PlanKey {
  const Scenario& scenario;          ///< all but where it comes from
  std::vector<std::uint64_t> cards;  ///< the cards of each ship and of each weapon, by PreparedCard::number; 0: none
  std::uint64_t hash = 0;
};
PlanKey plan_key(const Scenario& scenario, std::vector<std::uint64_t> cards);

/// A bounded number of questions, each from the second time on that it is asked. Any number of threads may use it.
class PlanCache {
 public:
  /// The question, or nothing.
  std::shared_ptr<const CompiledScenario> find(const PlanKey& key);
  /// Keeps the question, if it has been asked before.
  void keep(const PlanKey& key, const CompiledScenario& question);

 private:
  struct Entry {
    Scenario scenario;
    std::vector<std::uint64_t> cards;
    CompiledScenario question;
  };
  static constexpr std::size_t kMost = 256;
  base::LruCache<Entry> entries_{kMost};
};

}  // namespace salvo::compile
