// `salvo cards` with its subcommands list, show, check, coverage and suspects.
#pragma once

#include "cli/arguments.h"
#include "cli/options.h"

namespace salvo::cli {

inline constexpr const char* kCardsCommand = "cards";
inline constexpr const char* kCardsIntroduction = "The card library: list, show, check, coverage, ...";

/// Declares the subcommands and their options for the manual and completions; reads no arguments.
void declare_cards(CLI::App& cards);

/// argv[0] is "cards". Throws UsageError.
Arguments parse_cards_arguments(int argc, const char* const* argv);

}  // namespace salvo::cli
