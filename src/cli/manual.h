// The manual page and the completions of shells, made from the same descriptions as --help.
// In: CLI11's App with all its commands. Out: text for man, bash, zsh, fish.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace salvo::cli {

/// One option of a command.
struct OptionHelp {
  std::vector<std::string> names;  ///< "-f", "--format"
  std::string value;               ///< "NAME"; empty: it takes none
  std::string help, group;
  std::vector<std::string> words;  ///< what the value may be, where that is a fixed list
};

/// One command, `salvo` itself first.
struct CommandHelp {
  std::string name;  ///< "run", "cards list"; empty: salvo
  std::string help, footer;
  std::string operand, operand_help;  ///< "FILE"; empty: it takes none
  std::vector<OptionHelp> options;
};

std::vector<CommandHelp> describe_commands(const CLI::App& top);

/// A page for man in roff. `version`: "0.1.0".
std::string man_page(const std::vector<CommandHelp>& commands, const std::string& version);
/// `shell`: "bash", "zsh" or "fish".
std::string completion(const std::vector<CommandHelp>& commands, const std::string& shell);

}  // namespace salvo::cli
