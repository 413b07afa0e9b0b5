// Sides of a battle as they are named on the command line: squads, files of ships, SPECs.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "salvo/battle.h"

namespace salvo::cli {

/// The side that `text` names. `other`: the side that it fights, with whose card set it is read; may be null. Throws
/// LoadError, UsageError.
BattleSide read_side(const Catalogue& catalogue, const std::string& text, const Overrides& overrides,
                     const BattleSide* other);

}  // namespace salvo::cli
