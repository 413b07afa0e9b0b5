// Standard loadouts of the pilots that SPECs name.
#pragma once

#include <string>

#include "data/value.h"
#include "load/spec_vocabulary.h"

namespace salvo::load {

/// Adds the standard loadout of the pilot in the tree `ship`, as far as the card set has its upgrades. A named upgrade
/// takes the place of the only one of its slot; others are added to it. `flown`: the ship whose pilots are searched, or
/// empty. Returns a note, or nothing if the pilot has no standard loadout.
std::string add_standard_loadout(const SpecVocabulary& words, const data::Value& ship, const std::string& flown,
                                 data::Value& upgrades);

}  // namespace salvo::load
