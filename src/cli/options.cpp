#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cli/arguments.h"
#include "load/load.h"
#include "salvo/engine.h"

namespace salvo::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

CLI::App& add_command(CLI::App& top, const char* name, const char* what, const std::string& footer) {
  CLI::App& command = *top.add_subcommand(name, what);
  command.footer(footer);
  command.allow_extras();
  return command;
}

void add_value(CLI::App& command, const char* group, const char* name, const char* value, std::string& target,
               const char* help) {
  command.add_option(name, target, help)
      ->type_name(value)
      ->group(group)
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void add_list(CLI::App& command, const char* group, const char* name, const char* value,
              std::vector<std::string>& target, const char* help) {
  command.add_option(name, target, help)
      ->type_name(value)
      ->group(group)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_flag(CLI::App& command, const char* group, const char* name, bool& target, const char* help) {
  command.add_flag(name, target, help)->group(group)->disable_flag_override();
}

void add_words(CLI::App& command, const char* name, std::string& target, const char* help) {
  command.add_option(name, target, help)->type_name("");
}

void add_words(CLI::App& command, const char* name, std::vector<std::string>& target, const char* help) {
  command.add_option(name, target, help)->type_name("");
}

bool given(const CLI::App& command, const char* option) {
  // Comparing names takes much longer than counting values, and few options have values.
  return !command.get_options([&](const CLI::Option* one) { return one->count() > 0 && one->check_name(option); })
              .empty();
}

std::string value_of(const CLI::App& command, const char* option) {
  return command.get_option(option)->as<std::string>();
}

std::vector<std::string> words_that_are_read(const CLI::App& command) {
  std::vector<std::string> out;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_single_name();
    if (name == "out" || name == "plot" || name == "report" || name == "write") continue;
    for (const std::string& word : option->results()) {
      // Numbers and names are not files, even if a file has the same name.
      if (option->get_positional() || option->get_type_name().starts_with("FILE") || load::is_policy_file(word))
        out.push_back(word == "-" ? "/dev/stdin" : word);
    }
  }
  return out;
}

std::string name_of(const CLI::App& command) { return command.get_name(); }

std::string help_text(const CLI::App& command, const std::string& parent) {
  std::string text = command.help(parent);
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = base::nearest(word, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

namespace {

/// How to write it, if an unknown option is a word of a SPEC.
std::string word_of_spec(const std::string& option, const CLI::App& command) {
  if (command.get_option_no_throw("--attack") == nullptr) return {};
  const std::string word = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  for (const char* key : {"range=1", "weapon=ID", "hull=3", "shields=2", "ship=ID", "pilot=ID", "initiative=4", "focus",
                          "evade", "calculate", "force", "reinforce", "lock", "strain", "deplete", "obstructed"}) {
    const std::string_view known = key;
    if (word == known.substr(0, known.find('=')))
      return fmt::format("; it is a word of a SPEC, as {} '3 {}'",
                         word == "hull" || word == "shields" ? "--defend" : "--attack", key);
  }
  return {};
}

}  // namespace

void fail_unknown_option(const std::string& word, const CLI::App& command, const std::string& help,
                         const std::function<std::vector<std::string>(const std::string& option)>& commands_with) {
  const std::string option = word.substr(0, word.find('='));
  std::string near = word_of_spec(option, command);
  if (near.empty() && commands_with && option.starts_with("--")) {
    const std::vector<std::string> others = commands_with(option);
    if (!others.empty()) near = fmt::format("; it is an option of {}", base::enumerated(others));
  }
  const std::vector<std::string> known = option_names(command);
  if (near.empty()) near = did_you_mean(option, known);
  if (near.empty() && option.size() > 3) {  // --deck for --damage-deck
    const std::string_view end = std::string_view(option).substr(1);
    const auto longer = std::find_if(known.begin(), known.end(), [&](const auto& name) { return name.ends_with(end); });
    if (longer != known.end()) near = fmt::format("; did you mean {}?", *longer);
  }
  throw UsageError(fmt::format("unknown option {}{}", in_quotes(option), near.empty() ? "; see " + help : near));
}

std::string reworded(const CLI::ParseError& error) {
  const std::string message = error.what();
  const std::string option = message.substr(0, message.find_first_of(": "));
  if (message.find("flag override") != std::string::npos) return "--" + option + " takes no value";
  if (message.find("missing") != std::string::npos) return option + ": a value is missing";
  if (message.find("received") != std::string::npos) return option + ": given more than once";
  return message.substr(0, message.find('\n'));
}

std::vector<std::string> engine_choices() { return {kEngineNames, kEngineNames + kEngineChoices}; }

std::size_t parse_name(const std::string& option, const std::string& text, const std::vector<std::string>& known) {
  const auto found = std::find(known.begin(), known.end(), text);
  if (found == known.end()) {
    throw UsageError(fmt::format("{}: {} is not one of {}{}", option, in_quotes(text), base::joined(known, ", "),
                                 did_you_mean(text, known)));
  }
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace salvo::cli
