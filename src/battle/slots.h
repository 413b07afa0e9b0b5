// Slots: what of a ship can be counted (book.h), and what of a plan counts it.
#pragma once

#include <array>
#include <string>

#include "battle/attack_tables.h"

namespace salvo::battle {

/// Actions that give a token of their own name.
inline constexpr std::array kTokenActions{"focus", "evade", "calculate", "reinforce"};

/// The slot of that label, or -1.
int slot_of(const ShipType& type, const std::string& label);

/// What a resource of a ship is called among the slots; empty: it is none (a lock, a flag of this attack).
std::string slot_label(const game::Plan& plan, const compile::Labels& labels, std::size_t r);

}  // namespace salvo::battle
