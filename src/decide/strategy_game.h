// StrategyGame: one scenario's game in a form in which decision lists over a fixed vocabulary are measured fast.
// In: a Scenario, a role, conditions and limits. Out: the value of the game for any list made of them.
#pragma once

#include <bitset>
#include <vector>

#include "compile/compile.h"
#include "decide/strategy.h"
#include "exact/graph/attack_solver.h"

namespace salvo::decide {

inline constexpr std::size_t kMaxConditions = 128;

/// A list by numbers of the vocabulary: the first entry all of whose conditions hold gives the limit.
struct ListEntry {
  std::vector<std::size_t> conditions;
  std::size_t limit = 0;
  bool operator==(const ListEntry&) const = default;
};
using DecisionList = std::vector<ListEntry>;

class StrategyGame {
 public:
  /// `vocabulary`: a policy whose rules are never played as a list: a list names them one by one, their conditions and
  /// their limits. Only attacks in which the role belongs to the side `mine` follow the list. Throws PlanTooLarge.
  StrategyGame(const Catalogue& catalogue, Scenario scenario, const PolicySpec& vocabulary, bool attacker, bool mine,
               const exact::Budget& budget);

  /// Value of the game when the role plays the list, the other by its own policy (optimal: the best answer).
  double value(const DecisionList& list) const;
  /// Value when the role plays as well as can be.
  double optimal() const { return optimal_value_; }
  /// What the side loses with a value, never below 0.
  double loss(double value) const;
  /// Whether a condition differs between decisions of the role, and where it holds, all decisions in a row.
  std::vector<bool> pattern(std::size_t condition) const;
  std::size_t decisions() const;

  /// Where a list loses, largest expected loss first.
  std::vector<StrategySituation> situations(const DecisionList& list) const;
  const compile::CompiledScenario& question() const { return question_; }

 private:
  /// A decision of the role.
  struct Decision {
    int node = 0;
    std::bitset<kMaxConditions> holds;
    std::vector<int> by_limit;  ///< edge that greedy play takes within each limit of the vocabulary
    int free = 0;               ///< edge that greedy play takes
  };
  struct Attack {
    exact::Graph graph;
    std::vector<int> fixed;  ///< choices of roles with a policy that does not depend on the list
    std::vector<Decision> decisions;
    bool plays_list = false;  ///< the role belongs to the side here
  };
  struct Solved {
    std::vector<std::vector<exact::Value>> values;  ///< by attack and node
    std::vector<std::vector<int>> choices;
    exact::Value start;
  };

  void prepare(std::size_t k, std::size_t vocabulary);
  int choice(const Decision& decision, const DecisionList& list) const;
  /// `list` empty pointer: the role plays as well as can be.
  Solved solve(const DecisionList* list) const;
  std::string roll_text(std::size_t k, const game::Position& position) const;

  bool attacker_, mine_;
  compile::CompiledScenario question_;
  std::vector<exact::States> states_;
  std::vector<Attack> attacks_;
  double optimal_value_ = 0;
};

}  // namespace salvo::decide
