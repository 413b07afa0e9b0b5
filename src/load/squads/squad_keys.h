// Brings the keys of a squad to those of XWS, since not all programs write them.
#pragma once

#include "data/value.h"

namespace salvo::load {

/// Writes keys in lower case, if the table has no such key already; "pilots" in place of "ships", if that is a list and
/// nothing in the tree has pilots; numbered pilots as a list; "id" in place of a pilot's "xws" or "pilot", or of its
/// text alone. Leaves everything else as it is.
void with_usual_keys(data::Value& value);

}  // namespace salvo::load
