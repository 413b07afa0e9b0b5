// The options that commands share: how they are declared and checked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/options.h"
#include "jobs/shard.h"

namespace salvo::cli {

/// How to run and to print, as typed.
struct CommandArguments {
  std::string color, memory, format, plot, report, target;
  bool no_progress = false;
  bool may_take_long = false;  ///< it has add_progress_option()
};

/// Throws UsageError for a scenario file besides SPECs of an option.
[[noreturn]] void fail_both(const std::string& file, const std::string& option);

/// --memory
void add_machine_options(CLI::App& command, CommandArguments& texts);
void add_output_options(CLI::App& command, CommandArguments& texts, const char* formats);
/// --plot and --report, each if it has a help text.
void add_file_options(CLI::App& command, CommandArguments& texts, const char* plot, const char* report);
/// --no-progress, for commands that may take long. These show the elapsed time (status_line.h).
void add_progress_option(CLI::App& command, CommandArguments& texts);

/// How to run and to print: machine, output and progress options.
CommandOptions output_options(const CommandArguments& texts, const CLI::App& command);

/// The instruction set of --target, whose value is `text`, or of the environment; empty: the best. Throws UsageError.
std::string chosen_target(const CLI::App& command, const std::string& text);

/// Applies the value of --color. Throws UsageError.
void choose_colour(const std::string& when);

/// The value of --shard, which needs --out; empty if it is not given. Throws UsageError.
std::optional<jobs::Shard> read_shard(const CLI::App& command, const std::string& text);

}  // namespace salvo::cli
