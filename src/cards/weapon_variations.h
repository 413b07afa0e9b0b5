// What is varied in the dry runs of a card: the weapons, and the bonus attacks that cards grant.
#pragma once

#include <vector>

#include "cards/variations.h"

namespace salvo::cards {

/// The attacker shoots with an upgrade of the library, and has what that needs.
Change shoot_with(const load::CardSpec& weapon);

/// Weapons that a condition may ask for: by arc, by name, one that is ordnance and one that is not.
Dimension weapon_dimension(const load::CardSpec& card, const Mentions& mentions,
                           const std::vector<const load::CardSpec*>& weapons);

/// Bonus attacks that the card grants and the scenario has to list.
void add_bonus(const load::CardSpec& card, Dimension& out);

}  // namespace salvo::cards
