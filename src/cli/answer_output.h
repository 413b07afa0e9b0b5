// Prints the answer of `salvo run`.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "salvo/report.h"

namespace salvo::cli {

/// Prints an answer, or writes it to the file `out` unless that is empty; draws the plot and prints notes. Returns the
/// exit status.
int print_answer(const Report& report, const RunOptions& options, const std::string& out = {});

}  // namespace salvo::cli
