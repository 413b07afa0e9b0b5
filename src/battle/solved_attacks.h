// SolvedAttacks: attacks that play alike are solved once, whoever makes them and whatever else their ships have.
// In: an attack of a plan, and the resources in which it begins. Out: its ends, as exact::attack_ends has them.
//
// What an attack cannot read, it cannot change either. So it is solved in a plan of its own that has nothing else: the
// same for a ship with an evade token, which only defends with it, and for one without; for ships with the same dice
// and tokens, whatever their hulls. What is found depends on that plan alone, not on who asked first.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "exact/attack_ends.h"
#include "rules/plan.h"

namespace salvo::battle {

/// One attack of a plan and what it reads, from its start.
struct LoneAttack {
  Plan plan;
  std::vector<std::size_t> resources;  ///< of the whole plan, by resource of `plan`
};
LoneAttack lone_attack(const Plan& plan, std::size_t k, const Resources& start);

/// Safe to use from several threads at once.
class SolvedAttacks {
 public:
  using Ends = std::optional<std::vector<exact::AttackEnd>>;
  /// `budget`: transitions of the attack. Throws PlanTooLarge.
  Ends ends(const Plan& plan, std::size_t k, const Resources& start, double budget);
  std::size_t solved() const { return solved_.load(); }

 private:
  struct Entry {
    Plan plan;
    Ends ends;
  };
  using Found = std::shared_ptr<const Entry>;
  Found find(const Plan& lone, std::uint64_t hash);
  Found solve(Plan lone, std::uint64_t hash, double budget);

  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Found> entries_;  ///< by rules::hash_of
  std::atomic<std::size_t> solved_{0};
};

}  // namespace salvo::battle
