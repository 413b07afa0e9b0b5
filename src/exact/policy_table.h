// SolvedPlan: what a policy looks its options up in: solved graphs of all attacks, or attacks solved when first met.
#pragma once

#include <map>
#include <shared_mutex>
#include <vector>

#include "exact/exact.h"
#include "exact/graph.h"
#include "exact/token_tables.h"
#include "rules/policy.h"

namespace salvo {
namespace exact {

struct SegmentTables;

/// Value of a state: the objective, and expected damage, which decides between equal values of Objective::Kill.
struct Value {
  double first = 0, second = 0;
};

/// Attacks solved on their own, each from the resources with which it begins, when these are first met (Greedy, Hold
/// and Rules: they need no more than the current attack).
class LazyPolicy {
 public:
  LazyPolicy(const Plan& plan, const Budget& budget) : budget_(budget), attacks_(plan.attacks.size()) {}
  void decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
              std::vector<Option>& options);

 private:
  /// One attack as a plan of its own, and its solution.
  struct Solved {
    Plan plan;
    Policy policy;
  };
  std::shared_ptr<const Solved> solved(const Plan& plan, std::size_t attack, const Resources& start);

  Budget budget_;
  std::shared_mutex mutex_;
  std::vector<std::map<std::array<std::uint64_t, 2>, std::shared_ptr<const Solved>>> attacks_;  ///< by start
};

/// A solved plan.
class SolvedPlan : public Policy::Table {
 public:
  void decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
              std::vector<Option>& options) const override;

  std::vector<exact::States> states;           ///< by attack, and one more after the last
  std::vector<exact::Graph> graphs;            ///< by attack
  std::vector<std::vector<int>> choices;       ///< by attack and node: number of the edge taken
  std::unique_ptr<exact::TokenTables> tokens;  ///< instead of the above: a plan in which players only spend tokens
  std::shared_ptr<const exact::SegmentTables> segments;  ///< instead of the above: attacks cut into parts
  std::unique_ptr<exact::LazyPolicy> lazy;               ///< instead of the above: attacks are solved when first met
};

}  // namespace exact
}  // namespace salvo
