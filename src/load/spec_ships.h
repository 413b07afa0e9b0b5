// Tells several ships in one text apart.
#pragma once

#include <string>
#include <vector>

#include "load/spec_vocabulary.h"
#include "load/specs.h"

namespace salvo::load {

/// The SPECs of the ships in a text with commas or "and" between pilots: "Luke Skywalker focus, Wedge Antilles". A name
/// that is also an upgrade's begins a ship only if the pilot before cannot have the upgrade. `notes` receives how a
/// text was divided.
std::vector<GivenSpec> ships_of(const SpecVocabulary& words, const GivenSpec& spec, std::vector<std::string>& notes);

}  // namespace salvo::load
