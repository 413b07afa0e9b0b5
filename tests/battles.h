// What the tests of battles have in common: the profiles, and a flight in which nothing is left to chance but the dice.
#pragma once

#include "catalogue.h"

namespace battles {

using tests::catalogue;

/// Everybody has everybody in arc at range 2, and nobody has an action.
inline constexpr const char* kBare = R"(format = 1
id = "bare"
[[round]]
ship = [{ is = "any", no_action = 100 }]
)";

}  // namespace battles
