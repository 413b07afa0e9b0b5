// `salvo cards`: list, show, check, coverage, each a command of its own.
// In: the words from "cards" on. Out: Arguments, or a UsageError in one sentence.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

inline constexpr const char* kCardsCommand = "cards";
inline constexpr const char* kCardsIntroduction = "The card library: list, show, check, coverage.";

/// argv[0] is "cards". Throws UsageError.
Arguments parse_cards_arguments(int argc, const char* const* argv);

}  // namespace salvo::cli
