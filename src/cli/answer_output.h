// Answer output: the answer of `salvo run`, printed.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "salvo/report.h"

namespace salvo::cli {

/// Prints an answer, or writes it to the file `out` where one is named, draws its picture, and notes what else should
/// be known. Returns the exit status.
int print_answer(const Report& report, const RunOptions& options, const std::string& out = {});

}  // namespace salvo::cli
