// A thread-safe cache of compiled scenarios, for servers, batches and notebooks that repeat requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/lru_cache.h"
#include "compile/compile.h"

namespace salvo::compile {

/// Whether two scenarios are equal except for their origin, which only error messages show.
bool same_question(const Scenario& a, const Scenario& b);
/// Equal for scenarios with same_question().
std::uint64_t hash_of(const Scenario& scenario);
/// A copy without the origin, which may be long.
Scenario without_origin(const Scenario& scenario);

/// The cache key of a compiled scenario, within one edition of one folder of profiles.
struct PlanKey {
  const Scenario& scenario;          ///< compared without its origin
  std::vector<std::uint64_t> cards;  ///< cards of each ship and weapon by PreparedCard::number; 0: none
  std::uint64_t hash = 0;
};
PlanKey plan_key(const Scenario& scenario, std::vector<std::uint64_t> cards);

/// A bounded number of compiled scenarios, each stored from its second request on. Safe to use from several threads at
/// once.
class PlanCache {
 public:
  /// The compiled scenario, or nullptr.
  std::shared_ptr<const CompiledScenario> find(const PlanKey& key);
  /// Stores the compiled scenario if the key was inserted before.
  void insert(const PlanKey& key, const CompiledScenario& question);

 private:
  struct Entry {
    Scenario scenario;
    std::vector<std::uint64_t> cards;
    CompiledScenario question;
  };
  static constexpr std::size_t kMaxEntries = 256;
  base::LruCache<Entry> entries_{kMaxEntries};
};

}  // namespace salvo::compile
