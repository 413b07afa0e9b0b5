// Reads the pilots of a squad file with their ships and upgrades.
#pragma once

#include <cstddef>
#include <vector>

#include "data/node.h"
#include "load/profile.h"
#include "salvo/squad.h"

namespace salvo::load {

/// Whether these are the upgrades of the pilot's standard loadout, in any order.
bool has_standard_loadout(const PilotSpec& pilot, const std::vector<SquadUpgrade>& upgrades);

/// Adds the pilots to a squad whose card set, ruleset and faction are known, and what is not understood to its unknown
/// ids and notes. Returns how many ids were only guessed, in the sense of CardMatch::sure.
std::size_t read_pilots(const Catalogue& catalogue, const std::vector<data::Node>& pilots, Squad& out);

}  // namespace salvo::load
