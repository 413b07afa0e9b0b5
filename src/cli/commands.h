// Commands: what `salvo` can do, one file each with its options beside its action.
// To add one: a file <name>_command.cpp with add_<name>(), and its name in the two lists of commands.cpp.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cli/arguments.h"
#include "cli/options.h"

namespace salvo::cli {

/// What a command line asks for, checked as far as that goes without reading a file.
struct Task {
  RunOptions options;
  std::function<int()> action;  ///< does it and returns the exit status; throws what main() turns into messages
};

/// A command and its options on the command line.
struct DeclaredCommand {
  CLI::App* app = nullptr;
  std::function<Task()> read;  ///< of what was typed; throws UsageError
};

/// Declares all commands but `salvo cards`, which has commands of its own; only one, when that is all that the words on
/// the command line can mean.
std::vector<DeclaredCommand> add_commands(CLI::App& top, std::span<const char* const> words);

}  // namespace salvo::cli
