// Solves the graph of one attack backward: values and choices by node. Shared by solve, advice and strategy cards.
#pragma once

#include <vector>

#include "exact/graph/graph.h"
#include "exact/value.h"

namespace salvo::exact {

/// Choices by node of the roles that do not play Optimal. Hold: 0 ("no more", or a forced option). Greedy: the minimax
/// solution of the attack alone. Rules: the best choice in the attack alone that the rules allow. 0 at all other nodes.
std::vector<int> fixed_choices(const game::Plan& plan, std::size_t attack, const Graph& graph);

/// By decision node of a role: its edges, best first, if the attack is the last one. `opponent`: the policy of the
/// other role, Optimal (docs/format.md: Policies, greedy) or Hold.
std::vector<std::vector<int>> greedy_preferences(const game::Plan& plan, std::size_t attack, const Graph& graph,
                                                 bool attacker, game::PolicyKind opponent);

/// Values by node. `next`: values by state after the attack; empty: all 0. Writes the choices of roles whose policy is
/// Optimal and reads the others.
std::vector<Value> solve_attack(const game::Plan& plan, std::size_t attack, const Graph& graph,
                                const std::vector<Value>& next, game::PolicyKind attacker, game::PolicyKind defender,
                                std::vector<int>& choices);

/// Values by state in which the attack begins.
std::vector<Value> values_of_starts(const Graph& graph, const std::vector<Value>& nodes,
                                    const std::vector<Value>& next);

/// What a play spends and rerolls, for comparison with the limits of a rule.
struct PlayCost {
  std::vector<int> spent;            ///< by resource
  std::uint32_t rerolled_faces = 0;  ///< a bit for each face of the rerolled dice
  int rerolled = 0;
};
PlayCost cost_of(const game::Plan& plan, std::size_t attack, const std::vector<game::Option>& options);

/// Whether all options of a play are forced (Effect::forced). No rule limits such a play.
bool is_forced_play(const game::Plan& plan, std::size_t attack, const std::vector<game::Option>& options);

/// Whether a rule allows a play of that cost.
bool allows(const game::PolicyRule& rule, const PlayCost& cost);

/// The first rule of the deciding role that holds at a decision node, or nullptr.
const game::PolicyRule* rule_at(const game::Plan& plan, std::size_t attack, const Graph& graph, int node);

/// By edge of a decision node: whether the rule (or nullptr) allows it. Forced plays are always allowed.
std::vector<bool> allowed_plays(const game::Plan& plan, std::size_t attack, const Graph& graph, int node,
                                const game::PolicyRule* rule);

}  // namespace salvo::exact
