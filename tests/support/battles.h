// Shared by the tests of battles: the profiles, and a flight in which only dice are random.
#pragma once

#include "support/catalogue.h"

namespace battles {

using tests::catalogue;

/// Each ship has each enemy in arc at range 2, and none has an action.
inline constexpr const char* kBare = R"(format = 1
id = "bare"
[[round]]
ship = [{ is = "any", no_action = 100 }]
)";

}  // namespace battles
