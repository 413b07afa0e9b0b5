// One attack solved backward: what solve, advice and strategy cards share.
// In: the graph of an attack and the values of what comes after it. Out: values and choices by node.
#pragma once

#include <vector>

#include "exact/graph/graph.h"
#include "exact/value.h"

namespace salvo::exact {

/// Choices of the roles that do not play Optimal, by node: 0 (no more, or what has to be done) for Hold, the attack's
/// own minimax solution for Greedy, the best of the attack's own that the rules allow for Rules. 0 at the nodes of
/// other roles.
std::vector<int> fixed_choices(const game::Plan& plan, std::size_t attack, const Graph& graph);

/// By decision node of a role its edges, best first, when the attack is the last one; ties as in play. `opponent`: how
/// the other role plays it, Optimal (docs/format.md: Policies, greedy) or Hold.
std::vector<std::vector<int>> greedy_preferences(const game::Plan& plan, std::size_t attack, const Graph& graph,
                                                 bool attacker, game::PolicyKind opponent);

/// Values by node. `next`: by state in which the next attack begins; empty: nothing is still to come. Choices of a role
/// whose policy is Optimal are found and written, the others are read.
std::vector<Value> solve_attack(const game::Plan& plan, std::size_t attack, const Graph& graph,
                                const std::vector<Value>& next, game::PolicyKind attacker, game::PolicyKind defender,
                                std::vector<int>& choices);

/// Values by state in which the attack begins, from those of its nodes and those of the states after it.
std::vector<Value> values_of_starts(const Graph& graph, const std::vector<Value>& nodes,
                                    const std::vector<Value>& next);

/// What a play spends and rerolls.
struct PlayCost {
  std::vector<int> spent;            ///< by resource
  std::uint32_t rerolled_faces = 0;  ///< a bit for each face of the dice picked up
  int rerolled = 0;
};
PlayCost cost_of(const game::Plan& plan, std::size_t attack, const std::vector<game::Option>& options);

/// True when a play does nothing but what has to be done (Effect::forced); no rule limits it.
bool has_to_be(const game::Plan& plan, std::size_t attack, const std::vector<game::Option>& options);

/// True when a rule allows a play of that cost.
bool allows(const game::PolicyRule& rule, const PlayCost& cost);

/// The first rule of the deciding role that holds at a decision node, or nullptr.
const game::PolicyRule* rule_at(const game::Plan& plan, std::size_t attack, const Graph& graph, int node);

/// By edge of a decision node: whether the rule allows it. A play that does no more than it must is always
/// allowed.
std::vector<bool> allowed_plays(const game::Plan& plan, std::size_t attack, const Graph& graph, int node,
                                const game::PolicyRule* rule);

}  // namespace salvo::exact
