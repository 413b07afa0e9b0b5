// SolvedAttacks: attacks that play alike are solved once, whoever makes them and whatever else their ships have.
// In: an attack of a plan, and the resources in which it begins. Out: its ends, as exact::attack_ends has them.
//
// What an attack cannot read, it cannot change either. So it is solved in a plan of its own that has nothing else: the
// same for a ship with an evade token, which only defends with it, and for one without; for ships with the same dice
// and tokens, whatever their hulls. What is found depends on that plan alone, not on who asked first.
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
  /// `budget`: transitions of the attack. Throws PlanTooLarge.
  Ends ends(const game::Plan& plan, std::size_t k, const game::Resources& start, double budget);
  /// How many attacks are kept, of some 5 KB each.
  base::CacheStats state() const { return entries_.state(); }

 private:
  struct Entry {
    game::Plan plan;
    Ends ends;
  };
  using Found = std::shared_ptr<const Entry>;
  static std::size_t bytes_of(const Entry& entry);
  Found solve(game::Plan lone, std::uint64_t hash, double budget);

  static constexpr std::size_t kMaxBytes = std::size_t{96} << 20;
  base::LruCache<Entry> entries_{kMaxBytes};  ///< by rules::hash_of
};

}  // namespace salvo::battle
