// Question: from the options of a command to a compiled scenario. In: RunOptions. Out: Scenario, Question.
#pragma once

#include "cli/arguments.h"
#include "load/catalogue.h"
#include "rules/compile.h"
#include "salvo/scenario.h"

namespace salvo::cli {

/// Adds the home-made cards of the options. Throws LoadError.
void add_own_cards(Catalogue& catalogue, const RunOptions& options);

/// The scenario from a file or from flags, with the options that win over its keys. Throws LoadError.
Scenario read_scenario(const Catalogue& catalogue, const RunOptions& options);

/// compile() with errors told in the words of the user's own source: the file, or the option that replaced its key.
Question compile_scenario(const Catalogue& catalogue, const Scenario& scenario, const RunOptions& options);

}  // namespace salvo::cli
