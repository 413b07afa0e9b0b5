// `salvo cards`: the card library, checks of home-made cards, coverage of a card data set.
// In: CardsOptions. Out: text on standard output, an exit status.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

/// Throws LoadError and UsageError for what the user can set right.
int cards_command(const CardsOptions& options);

}  // namespace salvo::cli
