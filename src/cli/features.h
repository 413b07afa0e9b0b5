// Optional features of the program: the server and battles (docs/build.md: Targets).
#pragma once

#include <string>

#include "salvo/gauntlet.h"

namespace salvo::cli {

/// For a command whose feature this program lacks. `what` names the feature, `option` is the CMake option that adds it.
/// A program built by scripts/run is replaced by that script, which builds the feature and repeats the command. Other
/// programs throw UsageError, which says how to get it.
[[noreturn]] void fail_missing_feature(const std::string& what, const std::string& command, const std::string& option);

/// Calls fail_missing_feature() if a verb of requests needs a missing feature.
void require_features_of(const std::string& verb);

/// The solver of the mix of a gauntlet; empty in a program without battles.
EquilibriumSolver equilibrium_solver();

}  // namespace salvo::cli
