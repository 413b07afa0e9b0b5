// Policy::Table: what a policy looks its options up in: solved graphs of all attacks, or attacks solved when first met.
#pragma once

#include <shared_mutex>
#include <vector>

#include "exact/graph.h"
#include "exact/token_tables.h"
#include "salvo/exact.h"
#include "salvo/policy.h"

namespace salvo {
namespace exact {

/// Value of a state: the objective, and expected damage, which decides between equal values of Objective::Kill.
struct Value {
  double first = 0, second = 0;
};

/// Options of positions that were solved one attack at a time (Greedy and Hold only).
class LazyPolicy {
 public:
  LazyPolicy(const Plan& plan, const Budget& budget) : budget_(budget), attacks_(plan.attacks.size()) {}
  Option choose(const Plan& plan, std::size_t attack, const Position& position);

 private:
  struct Solved {
    PositionTable positions;
    std::vector<Option> options;
  };
  bool look_up(std::size_t attack, const Position& key, Option& option);

  Budget budget_;
  std::shared_mutex mutex_;
  std::vector<Solved> attacks_;
};

/// The choice of every decision node of a graph when the attack is the last one (contract: greedy).
std::vector<int> greedy_choices(const Plan& plan, std::size_t attack, const Graph& graph);

}  // namespace exact

class Policy::Table {
 public:
  std::vector<exact::States> states;           ///< by attack, and one more after the last
  std::vector<exact::Graph> graphs;            ///< by attack
  std::vector<std::vector<int>> choices;       ///< by attack and node: number of the edge taken
  std::unique_ptr<exact::TokenTables> tokens;  ///< instead of the above: a plan in which players only spend tokens
  std::unique_ptr<exact::LazyPolicy> lazy;     ///< instead of the above: attacks are solved when first met
};

}  // namespace salvo
