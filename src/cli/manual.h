// The manual page and shell completions, made from the same descriptions as --help.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace salvo::cli {

/// One option of a command.
struct OptionHelp {
  std::vector<std::string> names;  ///< "-f", "--format"
  std::string value;               ///< "NAME"; empty if it takes no value
  std::string help, group;
  std::vector<std::string> words;  ///< the possible values, if they are a fixed list
};

/// A command; the first one is `salvo` itself.
struct CommandHelp {
  std::string name;  ///< "run", "cards list"; empty: salvo
  std::string help, footer;
  std::string operand, operand_help;  ///< "FILE"; empty if it takes none
  std::vector<OptionHelp> options;
};

std::vector<CommandHelp> describe_commands(const CLI::App& top);

/// A page for man in roff. `version`: "1.0.0".
std::string man_page(const std::vector<CommandHelp>& commands, const std::string& version);
/// `shell`: "bash", "zsh" or "fish".
std::string completion(const std::vector<CommandHelp>& commands, const std::string& shell);

}  // namespace salvo::cli
