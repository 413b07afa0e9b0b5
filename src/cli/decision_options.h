// Options of the commands about decisions: advise, worth, order, card.
// In: the options as typed. Out: scenarios' names and RunOptions, or a UsageError in one sentence.
#pragma once

#include <memory>
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
  std::vector<std::string> files;  ///< scenarios; all commands but card have one; none: SPECs
};

/// The options that all of these have, after those of the question. `threads_help`: as of add_machine_options().
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
