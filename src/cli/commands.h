// The commands of `salvo`: those of questions, and others, one file each. To add one of these, write
// <name>_command.cpp with add_<name>() and add it to the two lists in commands.cpp.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cli/arguments.h"
#include "cli/options.h"
#include "questions/question.h"

namespace salvo::cli {

/// A command with checked options.
struct Task {
  CommandOptions options;
  std::function<int()>
      action;  ///< performs the command and returns the exit status; main() turns its exceptions into messages
};

/// A command and its declared options.
struct DeclaredCommand {
  CLI::App* app = nullptr;
  std::function<Task()> read;  ///< reads the typed options; throws UsageError
};

/// Declares the command of a described question.
DeclaredCommand add_question(CLI::App& top, const questions::Question& question);

/// Declares all commands except `salvo cards`, which has subcommands. Declares only one command if the words on the
/// command line cannot mean another.
std::vector<DeclaredCommand> add_commands(CLI::App& top, std::span<const char* const> words);

}  // namespace salvo::cli
