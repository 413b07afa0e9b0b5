// `salvo run`: a scenario from a file or from flags, its answer on standard output.
// In: RunOptions. Out: text and an exit status.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

/// Prints the result and returns the exit status. Throws LoadError, UsageError, PlanTooLarge and std::system_error.
int run_command(const RunOptions& options);

}  // namespace salvo::cli
