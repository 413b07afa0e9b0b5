#include "cli/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/cards_command.h"
#include "questions/question.h"
#include "salvo/catalogue.h"

namespace salvo::cli {
namespace {

/// The possible values of an option with a fixed list: those of the field of a question, or of what other commands
/// have.
std::vector<std::string> words_of_value(const std::string& command, const std::string& option) {
  if (const questions::Question* question = questions::find(command)) {
    const questions::OpenQuestion asked = question->begin(true);
    for (const questions::Field& field : asked.list->fields()) {
      if (field.name.option != nullptr && field.long_option() == option && field.words != nullptr) return *field.words;
    }
  }
  static const std::map<std::string, std::vector<std::string>> known{
      {"--engine", engine_choices()},
      {"--format", {"table", "json", "csv"}},
      {"--color", {"auto", "always", "never"}},
      {"--objective", {"damage", "kill", "health", "exchange"}},
      {"--attacker-policy", {"optimal", "greedy", "hold"}},
      {"--defender-policy", {"optimal", "greedy", "hold"}},
      {"--role", {"attacker", "defender"}},
      {"--rules", {"second-edition", "first-edition"}},
      {"--cards", Catalogue::card_sets()},
      {"--set", Catalogue::card_sets()},
      {"--kind", {"upgrade", "pilot", "ship"}},
      {"--generator", {"philox4x32-10", "ars-7", "xoshiro256++"}}};
  const auto at = known.find(option);
  return at == known.end() ? std::vector<std::string>() : at->second;
}

OptionHelp describe_option(const CLI::App& command, const CLI::Option& option) {
  OptionHelp out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) out.value = option.get_type_name();
  out.help = option.get_description();
  out.group = option.get_group();
  if (!out.value.empty()) out.words = words_of_value(command.get_name(), out.names.back());
  return out;
}

CommandHelp describe_command(const CLI::App& command, const std::string& name) {
  CommandHelp out{.name = name,
                  .help = command.get_description(),
                  .footer = command.get_footer(),
                  .operand = {},
                  .operand_help = {},
                  .options = {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      out.operand = option->get_single_name();
      out.operand_help = option->get_description();
    } else {
      out.options.push_back(describe_option(command, *option));
    }
  }
  return out;
}

/// Escapes text for roff: control characters at the start of a line, and hyphens, which are literal.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += "\\&";
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string roff_options(const std::vector<OptionHelp>& options) {
  std::string out;
  for (const OptionHelp& option : options) {
    out += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(base::joined(option.names, ", ")),
                       option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR", roff(option.help));
  }
  return out;
}

/// The footer of --help, verbatim.
std::string roff_footer(const std::string& footer) {
  const std::size_t first = footer.find_first_not_of('\n');
  if (first == std::string::npos) return {};
  return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer.substr(first)));
}

/// Quotes a text for a shell.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::vector<std::string> names_of(const CommandHelp& command) {
  std::vector<std::string> out;
  for (const OptionHelp& option : command.options) out.insert(out.end(), option.names.begin(), option.names.end());
  return out;
}

bool is_subcommand(const CommandHelp& command) { return command.name.find(' ') != std::string::npos; }

/// The names of the commands, or of the subcommands of `of`.
std::vector<std::string> commands_of(const std::vector<CommandHelp>& commands, const std::string& of) {
  std::vector<std::string> out;
  for (const CommandHelp& command : commands) {
    const std::size_t blank = command.name.find(' ');
    if (of.empty() && !command.name.empty() && blank == std::string::npos) out.push_back(command.name);
    if (!of.empty() && blank != std::string::npos && command.name.substr(0, blank) == of)
      out.push_back(command.name.substr(blank + 1));
  }
  return out;
}

std::string bash(const std::vector<CommandHelp>& commands) {
  std::string out =
      "# bash completion of salvo, made from the descriptions of salvo --help\n"
      "_salvo() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=\n"
      "  COMPREPLY=()\n"
      "  [[ $command == cards && $COMP_CWORD -gt 2 ]] && command=\"cards ${COMP_WORDS[2]}\"\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n";
  out +=
      fmt::format("    words={}\n", shell_quoted(fmt::format("{} help {}", base::joined(commands_of(commands, ""), " "),
                                                             base::joined(names_of(commands.front()), " "))));
  out += "  else\n    case \"$command:$prev\" in\n";
  for (const CommandHelp& command : commands) {
    for (const OptionHelp& option : command.options) {
      if (option.words.empty()) continue;
      std::string patterns;
      for (const std::string& name : option.names)
        patterns += fmt::format("{}{}", patterns.empty() ? "" : " | ", shell_quoted(command.name + ":" + name));
      out += fmt::format("      {}) words={} ;;\n", patterns, shell_quoted(base::joined(option.words, " ")));
    }
  }
  out += "    esac\n    if [[ -z $words ]]; then\n      case \"$command\" in\n";
  out += fmt::format("        help) words={} ;;\n", shell_quoted(base::joined(commands_of(commands, ""), " ")));
  for (const CommandHelp& command : commands) {
    if (command.name.empty()) continue;
    const std::vector<std::string> below = commands_of(commands, command.name);
    if (!below.empty()) {
      out += fmt::format("        {}) words={} ;;\n", command.name, shell_quoted(base::joined(below, " ")));
    } else {
      out += fmt::format("        {}) [[ $cur == -* ]] && words={} ;;\n", shell_quoted(command.name),
                         shell_quoted(base::joined(names_of(command), " ")));
    }
  }
  out +=
      "      esac\n    fi\n  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
      "}\n"
      "complete -o bashdefault -o default -F _salvo salvo\n";
  return out;
}

/// An option in the syntax of _arguments of zsh.
std::string zsh_option(const OptionHelp& option, const std::string& name) {
  std::string help = option.help;
  for (const char c : {'\\', '[', ']', ':'}) {
    for (std::size_t at = 0; (at = help.find(c, at)) != std::string::npos; at += 2) help.insert(at, 1, '\\');
  }
  std::string value;
  if (!option.value.empty())
    value = fmt::format(":{}:{}", option.value,
                        option.words.empty() ? "_files" : fmt::format("({})", base::joined(option.words, " ")));
  return shell_quoted(fmt::format("*{}[{}]{}", name, help, value));
}

std::string zsh(const std::vector<CommandHelp>& commands) {
  std::string out =
      "#compdef salvo\n# zsh completion of salvo, made from the descriptions of salvo --help\n"
      "_salvo() {\n  local command=$words[2]\n  [[ $command == cards && CURRENT -gt 3 ]] && command=\"cards "
      "$words[3]\"\n"
      "  if (( CURRENT == 2 )); then\n    local -a list=(";
  for (const CommandHelp& command : commands) {
    if (!command.name.empty() && !is_subcommand(command)) out += " " + shell_quoted(command.name + ":" + command.help);
  }
  out += " )\n    _describe command list\n    return\n  fi\n  case $command in\n";
  out += fmt::format("    help) compadd {} ;;\n", base::joined(commands_of(commands, ""), " "));
  for (const CommandHelp& command : commands) {
    if (command.name.empty()) continue;
    const std::vector<std::string> below = commands_of(commands, command.name);
    if (!below.empty()) {
      out += fmt::format("    {}) compadd {} ;;\n", command.name, base::joined(below, " "));
      continue;
    }
    out += fmt::format("    {}) _arguments", shell_quoted(command.name));
    for (const OptionHelp& option : command.options) {
      for (const std::string& name : option.names) out += " \\\n      " + zsh_option(option, name);
    }
    out += " \\\n      '*:file:_files' ;;\n";
  }
  return out + "  esac\n}\n_salvo \"$@\"\n";
}

std::string fish(const std::vector<CommandHelp>& commands) {
  std::string out = "# fish completion of salvo, made from the descriptions of salvo --help\n";
  for (const CommandHelp& command : commands) {
    const std::size_t blank = command.name.find(' ');
    const std::string above = command.name.substr(0, std::min(blank, command.name.size()));
    if (!command.name.empty() && blank == std::string::npos) {
      out += fmt::format("complete -c salvo -n __fish_use_subcommand -a {} -d {}\n", command.name,
                         shell_quoted(command.help));
    } else if (blank != std::string::npos) {
      out += fmt::format("complete -c salvo -n '__fish_seen_subcommand_from {}' -a {} -d {}\n", above,
                         command.name.substr(blank + 1), shell_quoted(command.help));
    }
    std::string when = command.name.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + above;
    if (blank != std::string::npos) when += "; and __fish_seen_subcommand_from " + command.name.substr(blank + 1);
    for (const OptionHelp& option : command.options) {
      out += fmt::format("complete -c salvo -n {}", shell_quoted(when));
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.words.empty()) {
        out += fmt::format(" -x -a {}", shell_quoted(base::joined(option.words, " ")));
      } else if (!option.value.empty()) {
        out += " -r";
      }
      out += " -d " + shell_quoted(option.help) + "\n";
    }
  }
  return out;
}

}  // namespace

std::vector<CommandHelp> describe_commands(const CLI::App& top) {
  std::vector<CommandHelp> out{describe_command(top, "")};
  for (const CLI::App* command : top.get_subcommands(nullptr)) {
    const std::string name = command->get_name();
    if (name != kCardsCommand) {
      out.push_back(describe_command(*command, name));
      continue;
    }
    CLI::App cards(kCardsIntroduction, kCardsCommand);
    declare_cards(cards);
    out.push_back(describe_command(cards, name));
    for (const CLI::App* below : cards.get_subcommands(nullptr))
      out.push_back(describe_command(*below, name + " " + below->get_name()));
  }
  return out;
}

std::string man_page(const std::vector<CommandHelp>& commands, const std::string& version) {
  const CommandHelp& top = commands.front();
  std::string out =
      fmt::format(".\\\" Made from the descriptions of salvo \\-\\-help.\n.TH SALVO 1 \"\" \"salvo {}\"\n", version);
  out += ".SH NAME\nsalvo \\- " + roff(top.help) + "\n";
  out += ".SH SYNOPSIS\n.B salvo\n.I command\n[\\fIoptions\\fR]\n.br\n.B salvo help\n[\\fIcommand\\fR]\n";
  out += ".SH OPTIONS\n" + roff_options(top.options) + roff_footer(top.footer);
  out += ".SH COMMANDS\n";
  for (const CommandHelp& command : commands) {
    if (command.name.empty()) continue;
    out += fmt::format(".SS salvo {}{}\n{}\n", roff(command.name), command.operand.empty() ? "" : " " + command.operand,
                       roff(command.help));
    if (!command.operand.empty())
      out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", command.operand, roff(command.operand_help));
    out += roff_options(command.options) + roff_footer(command.footer);
  }
  out +=
      ".SH ENVIRONMENT\n"
      ".TP\n.B SALVO_PROFILES\nthe folder with editions, ships and cards, in place of the installed one\n"
      ".TP\n.B SALVO_TARGET\nthe instruction set of the sampler, as \\-\\-target\n"
      ".TP\n.BR NO_COLOR \", \" TERM=dumb\na table without colours\n"
      ".TP\n.B COLUMNS\nthe width of a table that does not go to a terminal\n";
  return out;
}

std::string completion(const std::vector<CommandHelp>& commands, const std::string& shell) {
  return shell == "bash" ? bash(commands) : shell == "zsh" ? zsh(commands) : fish(commands);
}

}  // namespace salvo::cli
