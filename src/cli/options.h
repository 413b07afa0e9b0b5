// Options: what the commands' readers of the command line share.
// In: CLI11 objects and words as typed. Out: options, help texts, messages. For .cpp files of the command line only.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::cli {

/// An option with one value.
void add_value(CLI::App& command, const char* group, const char* name, const char* value, std::string& target,
               const char* help);

/// CLI11's help without its double empty lines. `parent` stands before the command's name.
std::string help_text(const CLI::App& command, const std::string& parent);

std::string in_quotes(std::string_view word);

/// "; did you mean list?", or empty when nothing known is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// For a word that no command or option takes. Throws UsageError; `help` is the command that lists the options.
[[noreturn]] void fail_unknown_option(const std::string& word, const CLI::App& command, const std::string& help);

/// CLI11's message for an option with no value or given twice, in our words.
std::string reworded(const CLI::ParseError& error);

/// The place of `text` among the names in `known`. Throws UsageError when it is none of them.
std::size_t parse_name(const std::string& option, const std::string& text, const std::vector<std::string>& known);

}  // namespace salvo::cli
