// Options of the commands about decisions: advise, worth, order, card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace salvo::cli {

struct DecisionTexts : RunTexts {
  std::vector<std::string> files;
};

struct DecisionOptions {
  RunOptions run;
  std::vector<std::string> files;  ///< scenario files, one for all commands except card; empty: SPECs
};

/// The options common to these commands. `threads_help`: see add_machine_options().
void add_decision_options(CLI::App& command, RunTexts& texts, const char* threads_help = nullptr);
DecisionOptions decision_options(const DecisionTexts& texts, const CLI::App& command);

std::optional<std::string> if_given(const CLI::App& command, const char* option, const std::string& text);

/// Prints an answer as JSON or as a table.
template <typename Answer>
void print_decision(const Answer& answer, const RunOptions& options) {
  write_output(chosen_format(options.format) == Format::Json
                   ? to_json(answer)
                   : to_table(answer, terminal_width(Stream::Output), colour_wanted(Stream::Output)));
}

}  // namespace salvo::cli
