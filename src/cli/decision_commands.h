// `salvo advise`, `worth`, `order` and `card`: from options to printed answers.
// In: DecisionOptions. Out: the exit status; throws what main() turns into messages.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

int advise_command(const DecisionOptions& options);
int worth_command(const DecisionOptions& options);
int order_command(const DecisionOptions& options);
int card_command(const DecisionOptions& options);

}  // namespace salvo::cli
