// Decisions: every position in which a player may have to decide, and what the policy does there.
// In: a Plan and a Policy. Out: a table for each window of each attack, and each time that its player is asked.
#pragma once

#include <vector>

#include "game/plan.h"
#include "game/policy.h"

namespace salvo::sample {

/// One effect that the player uses.
struct Act {
  game::Option option;
  game::Pool attack_pool, defense_pool;  ///< before it
  bool asked_again = false;              ///< the player was asked again just before it, so that marks were forgotten
};

/// What the player does from one position until it needs dice or wants no more.
struct Decision {
  int start = 0;  ///< index into AttackDecisions::starts
  game::Position position;
  std::vector<Act> acts;
  game::Pool attack_pool, defense_pool;  ///< after the last act
  bool again = false;                    ///< the last act was a reroll: the player is asked again
};

struct AttackDecisions {
  std::vector<game::Resources> starts;  ///< with which the attack can begin
  /// By step and by how often the player was asked in this window before.
  std::vector<std::vector<std::vector<Decision>>> windows;
};

/// Throws UnsupportedByKernel when more than `budget` positions would be visited.
std::vector<AttackDecisions> find_decisions(const game::Plan& plan, const game::Policy& policy, std::size_t budget);

}  // namespace salvo::sample
