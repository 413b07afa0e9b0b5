// Board facts that a battle knows, so that cards do not assume their usual values.
#pragma once

#include <string>
#include <vector>

#include "battle/ship_type.h"

namespace salvo::battle {

/// What is known of both ships of an attack. A ship without friends has none near, in arc or in the way.
struct KnownOfAttack {
  Shot shot;
  bool attacker_alone = false, defender_alone = false;  ///< the only ship of its side
};

/// The facts as an attack of a scenario states them: "bullseye", "not enemy-near-attacker". No two contradict each
/// other. Beyond range 1 no other enemy counts as near, since the range of the attack says nothing about it.
std::vector<std::string> known_facts(const Catalogue& catalogue, const KnownOfAttack& known);

/// The name of a stated fact.
std::string name_of_fact(const std::string& stated);

}  // namespace salvo::battle
