// Tabulates a policy: every position in which a player may have to decide, and what the policy does there.
#pragma once

#include <vector>

#include "game/plan.h"
#include "game/policy.h"

namespace salvo::sample {

/// One effect that a player uses.
struct Act {
  game::Option option;
  game::Pool attack_pool, defense_pool;  ///< before the effect
  bool asked_again = false;              ///< a new decision began here, so reroll marks were forgotten
};

/// What a player does from one position until dice are needed or the player stops.
struct Decision {
  int start = 0;  ///< index into AttackDecisions::starts
  game::Position position;
  std::vector<Act> acts;
  game::Pool attack_pool, defense_pool;  ///< after the last act
  bool again = false;                    ///< the last act was a reroll: the player decides again
};

struct AttackDecisions {
  std::vector<game::Resources> starts;  ///< possible resources at the start of the attack
  /// By step, then by how often the player decided in this window before.
  std::vector<std::vector<std::vector<Decision>>> windows;
};

/// Throws UnsupportedByKernel when it would have to visit more than `budget` positions.
std::vector<AttackDecisions> find_decisions(const game::Plan& plan, const game::Policy& policy, std::size_t budget);

}  // namespace salvo::sample
