// Reads the command line with CLI11.
#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "cli/cards_command.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace salvo::cli {
namespace {

constexpr const char* kIntroduction = "Exact and sampled distributions of attacks in the X-Wing miniatures game.";
constexpr const char* kTopFooter =
    "\nExample:\n"
    "  salvo run --attack '3 focus lock range=1' --attack '2 focus' \\\n"
    "            --defend '3 focus evade hull=3'\n"
    "  salvo run -a 'Luke Skywalker focus range=1' -d 'TIE interceptor focus'\n\n"
    "Which command for which question:\n"
    "  what do these attacks do?                    run, batch, sweep\n"
    "  spend or keep? reroll what?                  advise, card\n"
    "  shoot at which ship, in which order?         run and advise --on, order\n"
    "  what is a token, shield or upgrade worth?    worth, squad\n"
    "  which of these is better?                    compare\n"
    "  how long does it survive?                    durability\n"
    "  what is it called?                           ships, pilots, upgrades, weapons\n"
    "salvo help COMMAND shows the options of a command, with examples.\n\n"
    "Exit status: 0 answered, 1 the engines disagree, 2 the question is wrong,\n"
    "3 it is too large, 4 a fault of salvo, 130 interrupted.";

constexpr std::string_view kHelpCommand = "help", kRequestCommand = "request";

[[noreturn]] void fail_unknown_command(const std::string& word, const CLI::App& app) {
  if (word.ends_with(".toml") || word.ends_with(".json") || word == "-") {
    throw UsageError(
        fmt::format("{} is not a command; write salvo run {}", in_quotes(word), base::strip_control(word)));
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::string near = did_you_mean(word, names);
  throw UsageError(fmt::format("unknown command {}{}", in_quotes(word), near.empty() ? "; see salvo --help" : near));
}

/// The commands that have the option "--plot".
std::vector<std::string> commands_with(const std::string& option) {
  CLI::App all;
  std::vector<std::string> out;
  for (const DeclaredCommand& command : add_commands(all, {})) {
    if (command.app->get_option_no_throw(option) != nullptr) out.push_back(command.app->get_name());
  }
  return out;
}

/// Throws UsageError if words are left over.
void check_nothing_left(const CLI::App& app) {
  const std::vector<std::string> of_app = app.remaining();
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); };
  const auto refuse_options = [&](const CLI::App& command, const std::vector<std::string>& words,
                                  const std::string& help) {
    const auto option = std::find_if(words.begin(), words.end(), is_option);
    if (option != words.end()) fail_unknown_option(*option, command, help, commands_with);
  };
  for (const CLI::App* command : app.get_subcommands()) {
    std::vector<std::string> words = command->remaining();
    std::erase(words, "--");  // the words after it were read as operands
    refuse_options(*command, words, "salvo " + command->get_name() + " --help");
    if (words.empty()) continue;
    const auto positional = command->get_options([](const CLI::Option* option) { return option->get_positional(); });
    throw UsageError(fmt::format("{} is one word too many; {} takes {}, and texts with spaces need quotes",
                                 in_quotes(words.front()), command->get_name(),
                                 positional.empty() ? "only options" : "one " + positional.front()->get_single_name()));
  }
  if (!of_app.empty() && !is_option(of_app.front())) fail_unknown_command(of_app.front(), app);
  refuse_options(app, of_app, "salvo --help; options follow a command, as in salvo run --attack '3 focus'");
}

void check_command(const std::string& word, const CLI::App& app) {
  const auto commands = app.get_subcommands(nullptr);
  if (std::none_of(commands.begin(), commands.end(),
                   [&](const CLI::App* command) { return command->get_name() == word; }))
    fail_unknown_command(word, app);
}

/// "--engine=" has no value; CLI11 would take the next word.
void check_values(const std::vector<const char*>& words) {
  for (const std::string_view word : words) {
    if (word == "--") return;
    const bool open = word.starts_with("--") && word.ends_with('=') && word.find('=') + 1 == word.size();
    if (open)
      throw UsageError(fmt::format("{}: a value is missing", base::strip_control(word.substr(0, word.size() - 1))));
  }
}

}  // namespace

Arguments parse_arguments(int argc, const char* const* argv) {
  CLI::App app(kIntroduction, "salvo");
  app.footer(kTopFooter);
  app.get_formatter()->column_width(28);  // the subcommands take it over
  app.set_help_flag("-h,--help", "print this help");
  app.allow_extras();
  bool version = false;
  app.add_flag("-V,--version", version, "print version, commit, compiler and instruction set")->disable_flag_override();
  bool verbose = false;
  app.add_flag("--verbose", verbose, "with --version: the libraries, too")->disable_flag_override();
  const std::vector<DeclaredCommand> commands = add_commands(app, {argv + 1, argv + std::max(argc, 1)});
  // parse_cards_arguments() reads it. The verbs of `salvo request` have the names of commands but are operands.
  const bool request = argc > 1 && std::string_view(argv[1]) == kRequestCommand;
  const CLI::App* cards = request ? nullptr : app.add_subcommand(kCardsCommand, kCardsIntroduction);
  if (argc < 2) return {Command::Usage, help_text(app, ""), {}};
  // "salvo help run" is "salvo run --help".
  std::vector<const char*> words(argv, argv + argc);
  if (std::string_view(words[1]) == kHelpCommand) {
    words.erase(words.begin() + 1);
    if (words.size() > 1) check_command(words[1], app);
    words.push_back("--help");
  }
  argc = static_cast<int>(words.size());
  argv = words.data();
  check_values(words);
  if (std::string_view(argv[1]) == kCardsCommand) return parse_cards_arguments(argc - 1, argv + 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    for (const CLI::App* command : app.get_subcommands()) return {Command::Help, help_text(*command, "salvo"), {}};
    return {Command::Help, help_text(app, ""), {}};
  } catch (const CLI::ParseError& error) {
    throw UsageError(reworded(error));
  }
  check_nothing_left(app);
  if (cards != nullptr && cards->parsed()) throw UsageError("cards comes first: salvo cards list");
  if (version) return {.command = Command::Version, .verbose = verbose, .run = {}};
  if (verbose) throw UsageError("--verbose goes with --version");
  for (const DeclaredCommand& command : commands) {
    if (!command.app->parsed()) continue;
    Task task = command.read();
    return {.command = Command::Run, .run = std::move(task.options), .action = std::move(task.action)};
  }
  return {Command::Usage, help_text(app, ""), {}};
}

}  // namespace salvo::cli
