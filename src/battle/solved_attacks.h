// Caches solved attacks. The key is how an attack plays, so attacks that differ only
// in their ships, or in cards that do not matter, share a solution.
//
// An attack cannot change anything that it does not read. So it is solved in a separate plan that contains nothing
// else. Attackers that differ only in an evade token, which helps their defense, have the same plan, and so have ships
// with the same dice and tokens but different hulls. The solution depends on that plan alone, not on who needed it
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/lru_cache.h"
#include "exact/attack_ends.h"
#include "game/plan.h"

namespace salvo::battle {

/// Safe to use from several threads at once.
class SolvedAttacks {
 public:
  using Ends = std::optional<std::vector<exact::AttackEnd>>;
  /// The ends of attack k of a plan that begins with these resources, as exact::attack_ends returns them. `budget`:
  /// transitions of the attack. Throws PlanTooLarge.
  Ends ends(const game::Plan& plan, std::size_t k, const game::Resources& start, double budget);
  /// Usage of the cache. An attack takes some 5 KB.
  base::CacheStats state() const { return entries_.stats(); }

 private:
  struct Entry {
    game::Plan plan;
    Ends ends;
  };
  using Found = std::shared_ptr<const Entry>;
  static std::size_t bytes_of(const Entry& entry);
  Found solve(game::Plan lone, std::uint64_t hash, double budget);

  static constexpr std::size_t kMaxBytes = std::size_t{96} << 20;
  base::LruCache<Entry> entries_{kMaxBytes};  ///< by game::hash_of
};

}  // namespace salvo::battle
