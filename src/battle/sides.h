// Sides of a battle from trees. In: a table with ships, as parse_battle_side reads it from text. Out: a BattleSide.
#pragma once

#include <string>
#include <vector>

#include "load/node.h"
#include "salvo/battle.h"

namespace salvo::battle {

/// Throws LoadError.
BattleSide read_side(const load::Node& root);

/// SPECs with | between them.
std::vector<std::string> split_specs(const std::string& text);

}  // namespace salvo::battle
