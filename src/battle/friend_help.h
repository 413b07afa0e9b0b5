// Ships that help attacks and defenses of their friends for free, such as Howlrunner
// (docs/battles.md: Help from friends).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "battle/ship_type.h"

namespace salvo::battle {

/// The ship as a helper in the attacks of its friends: without tokens, and with those cards alone that help for free.
/// Nothing where it has none.
std::optional<ScenarioShip> as_helper(const CardSource& source, const ScenarioShip& ship);

/// Lets the first ship of a side that can help do so for all others. Returns its index, or -1.
int add_helper(const CardSource& source, std::vector<NamedShip>& side);

}  // namespace salvo::battle
