// Declares and reads options. Wraps CLI11, whose header takes seconds to compile, so that commands need only the name
// of its App.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "jobs/user_input.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace salvo::cli {

/// Adds a command without options. `footer`: the end of its help text.
CLI::App& add_command(CLI::App& top, const char* name, const char* what, const std::string& footer = {});

/// An option with one value.
void add_value(CLI::App& command, const char* group, const char* name, const char* value, std::string& target,
               const char* help);

/// An option with one value that may be given several times.
void add_list(CLI::App& command, const char* group, const char* name, const char* value,
              std::vector<std::string>& target, const char* help);

/// An option without a value.
void add_flag(CLI::App& command, const char* group, const char* name, bool& target, const char* help);

/// A positional argument, or any number of them.
void add_words(CLI::App& command, const char* name, std::string& target, const char* help);
void add_words(CLI::App& command, const char* name, std::vector<std::string>& target, const char* help);

/// Whether the command has the option or argument and the user gave it.
bool given(const CLI::App& command, const char* option);

/// The value of an option that was given once.
std::string value_of(const CLI::App& command, const char* option);

/// The values of options that may name input files, and the positional arguments.
std::vector<std::string> words_that_are_read(const CLI::App& command);

std::string name_of(const CLI::App& command);

/// CLI11's help text without its double empty lines. `parent` precedes the command's name.
std::string help_text(const CLI::App& command, const std::string& parent);

using jobs::in_quotes;
using jobs::shown;

/// "; did you mean list?", or empty if no known word is similar.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// Throws UsageError for an unknown option. `help` is the command that lists the options. `commands_with`, if not
/// empty, names the commands that have an option.
[[noreturn]] void fail_unknown_option(
    const std::string& word, const CLI::App& command, const std::string& help,
    const std::function<std::vector<std::string>(const std::string& option)>& commands_with = {});

/// CLI11's message for an option without a value or given twice, reworded.
std::string reworded(const CLI::ParseError& error);

/// The values of --engine, in the order of EngineChoice.
std::vector<std::string> engine_choices();

/// The index of `text` in `known`. Throws UsageError if it is not there.
std::size_t parse_name(const std::string& option, const std::string& text, const std::vector<std::string>& known);

}  // namespace salvo::cli
