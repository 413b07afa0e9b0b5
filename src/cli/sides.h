// Reads the sides of a battle: squads, files of ships, SPECs.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "salvo/battle.h"

namespace salvo::cli {

/// The side that `text` names. `other`: the opposing side, whose card set applies; may be null. Throws LoadError and
/// UsageError.
BattleSide read_side(const Catalogue& catalogue, const std::string& text, const Overrides& overrides,
                     const BattleSide* other);

}  // namespace salvo::cli
