// An attack as a minimal decision tree, with the decisions of the players left open.
#pragma once

#include <cstdint>
#include <vector>

#include "battle/attack_tables.h"

namespace salvo::battle {

struct AttackTree {
  struct Node {
    enum class Kind : std::uint8_t { End, Chance, Attacker, Defender };
    Kind kind = Kind::End;
    int first = 0;  ///< edge; for an End its outcome
    int count = 0;
    int greedy = 0;  ///< the edge, from the first, that the policy greedy takes, if the deciders keep it
  };
  struct Edge {
    int target = 0;
    double chance = 0;  ///< of a Chance node
  };
  bool possible = false;    ///< whether the attack can be made
  std::vector<Node> nodes;  ///< children before parents; the last one is the root
  std::vector<Edge> edges;
  std::vector<Outcome> outcomes;
  std::size_t transitions = 0;  ///< of the graphs that were merged into it
};

/// Which sides decide in the attack. The other spends tokens by the greedy policy.
struct Deciders {
  bool attacker = true, defender = true;
  bool keep_greedy = false;  ///< whether nodes tell what the policy greedy does
};

/// Throws PlanTooLarge when the attack has more than `budget` transitions.
AttackTree attack_tree(AttackTables& tables, const AttackKey& key, Deciders deciders, double budget);

}  // namespace salvo::battle
