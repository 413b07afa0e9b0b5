// `salvo cards`: list, show, check, coverage, each a command of its own.
// In: the words from "cards" on. Out: Arguments, or a UsageError in one sentence.
#pragma once

#include "cli/arguments.h"
#include "cli/options.h"

namespace salvo::cli {

inline constexpr const char* kCardsCommand = "cards";
inline constexpr const char* kCardsIntroduction = "The card library: list, show, check, coverage.";

/// Declares its commands and options, for those who describe them; nothing is read with it.
void declare_cards(CLI::App& cards);

/// argv[0] is "cards". Throws UsageError.
Arguments parse_cards_arguments(int argc, const char* const* argv);

}  // namespace salvo::cli
