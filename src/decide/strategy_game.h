// The game of one scenario, prepared to measure decision lists over a fixed vocabulary fast. In: a Scenario, a role,
// conditions and limits. Out: the value of the game for any list made of them.
#pragma once

#include <bitset>
#include <vector>

#include "compile/compile.h"
#include "decide/strategy.h"
#include "exact/graph/attack_solver.h"

namespace salvo::decide {

inline constexpr std::size_t kMaxConditions = 128;

/// Indices into the vocabulary: the first entry whose conditions all hold gives the limit.
struct ListEntry {
  std::vector<std::size_t> conditions;
  std::size_t limit = 0;
  bool operator==(const ListEntry&) const = default;
};
using DecisionList = std::vector<ListEntry>;

class StrategyGame {
 public:
  /// `vocabulary`: a policy whose rules are not played as a list; lists refer to their conditions and limits. Only
  /// attacks in which the role belongs to the side `mine` follow the list. Throws PlanTooLarge.
  StrategyGame(const Catalogue& catalogue, Scenario scenario, const PolicySpec& vocabulary, bool attacker, bool mine,
               const exact::Budget& budget);

  /// Value of the game when the role plays the list and the other role its own policy (optimal: the best answer).
  double value(const DecisionList& list) const;
  /// Value of optimal play.
  double optimal() const { return optimal_value_; }
  /// The loss of the side at a value, at least 0.
  double loss(double value) const;
  /// Where a condition holds: one entry for each decision of the role.
  std::vector<bool> pattern(std::size_t condition) const;
  std::size_t decisions() const;

  /// The situations in which a list loses.
  std::vector<StrategySituation> situations(const DecisionList& list) const;
  const compile::CompiledScenario& compiled() const { return compiled_; }

 private:
  /// A decision of the role.
  struct Decision {
    int node = 0;
    std::bitset<kMaxConditions> holds;
    std::vector<int> by_limit;  ///< greedy choice within each limit of the vocabulary
    int free = 0;               ///< greedy choice without a limit
  };
  struct Attack {
    exact::Graph graph;
    std::vector<int> fixed;  ///< choices of roles whose policy does not depend on the list
    std::vector<Decision> decisions;
    bool plays_list = false;  ///< the role belongs to the side in this attack
  };
  struct Solved {
    std::vector<std::vector<exact::Value>> values;  ///< by attack and node
    std::vector<std::vector<int>> choices;
    exact::Value start;
  };

  void prepare(std::size_t k, std::size_t vocabulary);
  int choice(const Decision& decision, const DecisionList& list) const;
  /// A null `list` means optimal play.
  Solved solve(const DecisionList* list) const;
  std::string roll_text(std::size_t k, const game::Position& position) const;

  bool attacker_, mine_;
  compile::CompiledScenario compiled_;
  std::vector<exact::States> states_;
  std::vector<Attack> attacks_;
  double optimal_value_ = 0;
};

}  // namespace salvo::decide
