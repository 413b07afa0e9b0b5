// Arcs: the names that weapons of ships and cards can have.
#pragma once

#include <string>
#include <vector>

namespace salvo::load {

/// All arcs of both editions; `turret` and `mobile` are the first edition's.
const std::vector<std::string>& arc_names();

}  // namespace salvo::load
