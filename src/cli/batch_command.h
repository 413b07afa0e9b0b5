// `salvo batch`: scenarios as lines of JSON on standard input, results as lines of JSON on standard output, in order.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

/// Each line is a scenario, with the options of its run beside the keys of the scenario ("engine", "trials", "seed",
/// "precision", "budget") and an "id" to repeat; `options` hold for lines that do not say otherwise. A line that cannot
/// be answered gives {"error": {"line", "place", "message", "status"}}. Empty lines are passed over.
int batch_command(const RunOptions& options);

}  // namespace salvo::cli
