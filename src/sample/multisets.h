// Multisets: the ways in which dice that are not told apart can fall.
#pragma once

#include <vector>

#include "game/plan.h"

namespace salvo::sample {

/// All pools of n dice of a die, each once; those with fewest dice of the first face come first. `marked`: the dice
/// were rerolled.
std::vector<game::Pool> multisets(const game::Die& die, int n, bool marked);

}  // namespace salvo::sample
