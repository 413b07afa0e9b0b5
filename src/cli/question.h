// Question: from the options of a command to a scenario. In: RunOptions. Out: a Scenario and how to answer it.
#pragma once

#include "answer/answer.h"
#include "cli/arguments.h"
#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::cli {

/// Adds the home-made cards of the options. Throws LoadError.
void add_own_cards(Catalogue& catalogue, const RunOptions& options);

/// The scenario from a file or from flags, with the options that win over its keys. Throws LoadError.
Scenario read_scenario(const Catalogue& catalogue, const RunOptions& options);

/// The keys of a scenario that the options replace.
Overrides overrides_of(const RunOptions& options);

/// What the options say about how to answer.
AnswerOptions answer_options(const RunOptions& options);

}  // namespace salvo::cli
