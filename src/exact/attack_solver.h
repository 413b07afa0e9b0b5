// One attack solved backward: what solve, advice and strategy cards share.
// In: the graph of an attack and the values of what comes after it. Out: values and choices by node.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "exact/graph.h"
#include "exact/policy_table.h"

namespace salvo::exact {

/// Equal by the tolerance for ties (docs/format.md: Ties).
inline bool equal(double a, double b) {
  constexpr double kTie = 1e-11;  // docs/format.md: Ties
  return std::abs(a - b) <= kTie * std::max(1.0, std::max(std::abs(a), std::abs(b)));
}

/// What is said when attack k, which begins in `states` states, does not fit the budget.
std::string too_large(const Plan& plan, const Budget& budget, std::size_t k, std::size_t states);

/// The option among 0 .. count - 1 that a player takes who maximises sign times the value: the best by the objective,
/// then by expected damage, then by the tie key (docs/format.md: Ties); -1 when none is `allowed`.
template <typename ValueOf, typename TieOf, typename Allowed>
int best_of(int count, double sign, ValueOf value_of, TieOf tie_of, Allowed allowed) {
  double first = -HUGE_VAL, second = -HUGE_VAL;
  for (int e = 0; e < count; ++e) {
    if (allowed(e)) first = std::max(first, sign * value_of(e).first);
  }
  for (int e = 0; e < count; ++e) {
    if (allowed(e) && equal(sign * value_of(e).first, first)) second = std::max(second, sign * value_of(e).second);
  }
  int out = -1;
  for (int e = 0; e < count; ++e) {
    if (!allowed(e) || !equal(sign * value_of(e).first, first) || !equal(sign * value_of(e).second, second)) continue;
    if (out < 0 || tie_of(e) > tie_of(out)) out = e;
  }
  return out;
}

/// Choices of the roles that do not play Optimal, by node: 0 (no more, or what has to be done) for Hold, the attack's
/// own minimax solution for Greedy, the best of the attack's own that the rules allow for Rules. 0 at the nodes of
/// other roles.
std::vector<int> fixed_choices(const Plan& plan, std::size_t attack, const Graph& graph);

/// By decision node of a role its edges, best first, when the attack is the last one; ties as in play. `foe`: how the
/// other role plays it, Optimal (docs/format.md: Policies, greedy) or Hold.
std::vector<std::vector<int>> greedy_preferences(const Plan& plan, std::size_t attack, const Graph& graph,
                                                 bool attacker, PolicyKind foe);

/// Values by node. `next`: by state in which the next attack begins; empty: nothing is still to come. Choices of a role
/// whose policy is Optimal are found and written, the others are read.
std::vector<Value> solve_attack(const Plan& plan, std::size_t attack, const Graph& graph,
                                const std::vector<Value>& next, PolicyKind attacker, PolicyKind defender,
                                std::vector<int>& choices);

/// What a play spends and rerolls.
struct PlayCost {
  std::vector<int> spent;            ///< by resource
  std::uint32_t rerolled_faces = 0;  ///< a bit for each face of the dice picked up
  int rerolled = 0;
};
PlayCost cost_of(const Plan& plan, std::size_t attack, const std::vector<Option>& options);

/// True when a play does nothing but what has to be done (Effect::forced); no rule limits it.
bool has_to_be(const Plan& plan, std::size_t attack, const std::vector<Option>& options);

/// True when a rule allows a play of that cost.
bool allows(const PolicyRule& rule, const PlayCost& cost);

/// The first rule of the deciding role that holds at a decision node, or nullptr.
const PolicyRule* rule_at(const Plan& plan, std::size_t attack, const Graph& graph, int node);

/// By edge of a decision node: whether the rule allows it. A play that does no more than it must is always
/// allowed.
std::vector<bool> allowed_plays(const Plan& plan, std::size_t attack, const Graph& graph, int node,
                                const PolicyRule* rule);

}  // namespace salvo::exact
