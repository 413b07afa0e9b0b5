// Question: what a command asks, with every file read that its options name.
// In: RunOptions. Out: a Scenario and how to answer it.
#pragma once

#include "cli/arguments.h"
#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/scenario.h"

namespace salvo::cli {

/// A scenario as its source has it, and how it is answered: what the options replace is in `options.overrides`.
struct Input {
  Scenario scenario;
  AnswerOptions options;
};

/// The profiles with the home-made cards of the options. Where --rules names a file, its edition is added, and the
/// options name its id afterwards. Throws LoadError.
Catalogue open_catalogue(RunOptions& options);

/// The scenario from a file or from flags, and the policy files that are named. Throws LoadError.
Input read_input(const Catalogue& catalogue, const RunOptions& options);

}  // namespace salvo::cli
