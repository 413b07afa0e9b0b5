// Options: what the commands' readers of the command line share, and all that they know of CLI11.
// In: commands being declared and words as typed. Out: options, help texts, messages. CLI11's header costs seconds in
// each file that includes it: commands name its App and leave the rest to options.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/user_input.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace salvo::cli {

/// A command without options as yet. `footer`: what its help ends with.
CLI::App& add_command(CLI::App& top, const char* name, const char* what, const std::string& footer = {});

/// An option with one value.
void add_value(CLI::App& command, const char* group, const char* name, const char* value, std::string& target,
               const char* help);

/// An option with one value that may be given several times.
void add_list(CLI::App& command, const char* group, const char* name, const char* value,
              std::vector<std::string>& target, const char* help);

/// An option without a value.
void add_flag(CLI::App& command, const char* group, const char* name, bool& target, const char* help);

/// A word without an option before it, and any number of them.
void add_words(CLI::App& command, const char* name, std::string& target, const char* help);
void add_words(CLI::App& command, const char* name, std::vector<std::string>& target, const char* help);

/// Whether the command has the option (or word) and the user gave it.
bool given(const CLI::App& command, const char* option);

/// The value of an option that was given once.
std::string value_of(const CLI::App& command, const char* option);

/// The words as typed of options that may name files which the command reads, and the words without an option.
std::vector<std::string> words_that_are_read(const CLI::App& command);

std::string name_of(const CLI::App& command);

/// CLI11's help without its double empty lines. `parent` stands before the command's name.
std::string help_text(const CLI::App& command, const std::string& parent);

using jobs::in_quotes;
using jobs::shown;

/// "; did you mean list?", or empty when nothing known is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// For a word that no command or option takes. Throws UsageError; `help` is the command that lists the options.
[[noreturn]] void fail_unknown_option(const std::string& word, const CLI::App& command, const std::string& help);

/// CLI11's message for an option with no value or given twice, in our words.
std::string reworded(const CLI::ParseError& error);

/// The place of `text` among the names in `known`. Throws UsageError when it is none of them.
std::size_t parse_name(const std::string& option, const std::string& text, const std::vector<std::string>& known);

}  // namespace salvo::cli
