// A typical hobby simulator, for ratios: std::mt19937, a vector per pool, one die at a time.
#pragma once

#include <cstdint>

namespace hobby {

/// Mean damage of 3 dice with focus and lock on 3 dice with focus and evade.
double one_attack(std::uint64_t trials, std::uint32_t seed);

/// Mean damage of three such attackers in a row on one defender, who spends focus and evade as soon as they help.
double three_attacks(std::uint64_t trials, std::uint32_t seed);

/// The same three attackers with Predator, Marksmanship and Outmaneuver on 3 dice with Elusive and Lone Wolf.
double three_attacks_with_cards(std::uint64_t trials, std::uint32_t seed);

}  // namespace hobby
