// Brings the keys of a squad to those of XWS, since not all programs write them.
#pragma once

#include "data/value.h"

namespace salvo::load {

/// Whether with_usual_keys() changes anything.
bool has_unusual_keys(const data::Value& value);

/// Keys in lower case; "ships" in place of "pilots" if it is a list; the pilots as a list if they are numbered; "id" in
/// place of a pilot's "xws" or "pilot", or of the pilot alone.
void with_usual_keys(data::Value& value);

}  // namespace salvo::load
