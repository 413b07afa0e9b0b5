// Attack trees: an attack with the decisions of the players left open, as small as it can be.
// In: an attack of the book, and who still decides. Out: nodes, alike ones as one, with what it comes to as ends.
#pragma once

#include <cstdint>
#include <vector>

#include "battle/attack_tables.h"

namespace salvo::battle {

struct AttackTree {
  struct Node {
    enum class Kind : std::uint8_t { End, Chance, Attacker, Defender };
    Kind kind = Kind::End;
    int first = 0;  ///< edge; of an end: its outcome
    int count = 0;
  };
  struct Edge {
    int target = 0;
    double chance = 0;  ///< of a Chance node
  };
  bool possible = false;    ///< the attack can be made
  std::vector<Node> nodes;  ///< children before parents; the last one is the root
  std::vector<Edge> edges;
  std::vector<Outcome> outcomes;
};

/// Who decides in the attack. The others spend as the policy greedy does.
struct Deciders {
  bool attacker = true, defender = true;
};

/// Throws PlanTooLarge when the attack has more than `budget` transitions.
AttackTree attack_tree(AttackTables& tables, const AttackKey& key, Deciders deciders, double budget);

}  // namespace salvo::battle
