// Prints the answers of described questions.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "questions/question.h"

namespace salvo::cli {

/// Prints an answer, or writes it to the file `out` unless that is empty; draws the plot, writes the page, prints
/// warnings and notes. Returns the exit status.
int print_answer(const questions::Answer& answer, const CommandOptions& options, const std::string& out = {});

}  // namespace salvo::cli
