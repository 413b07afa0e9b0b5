// What a ship can do in its activation, as a list of results: engines see what is gained and paid, not actions or
// cards.
#pragma once

#include "battle/ship_type.h"

namespace salvo::battle {

/// Fills in the options of a ship type whose slots are complete (docs/battles.md: Actions). Follows actions and
/// abilities in every order that the rules allow, and drops each result that another one gives at a lower price.
void find_options(const CardSource& source, ShipType& type);

}  // namespace salvo::battle
