// The command line, read with CLI11.
// In: argc and argv. Out: Arguments, or a UsageError in one sentence.
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
    "            --defend '3 focus evade hull=3'\n\n"
    "Exit status: 0 answered, 1 the engines disagree, 2 the question is wrong,\n"
    "3 it is too large, 4 a fault of salvo, 130 interrupted.";

[[noreturn]] void fail_unknown_command(const std::string& word, const CLI::App& app) {
  if (word.ends_with(".toml") || word.ends_with(".json") || word == "-") {
    throw UsageError(fmt::format("{} is not a command; write salvo run {}", in_quotes(word), text::clean(word)));
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::string near = did_you_mean(word, names);
  throw UsageError(fmt::format("unknown command {}{}", in_quotes(word), near.empty() ? "; see salvo --help" : near));
}

/// Words that were left over, if any.
void check_nothing_left(const CLI::App& app) {
  const std::vector<std::string> of_app = app.remaining();
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); };
  const auto refuse_options = [&](const CLI::App& command, const std::vector<std::string>& words,
                                  const std::string& help) {
    const auto option = std::find_if(words.begin(), words.end(), is_option);
    if (option != words.end()) fail_unknown_option(*option, command, help);
  };
  for (const CLI::App* command : app.get_subcommands()) {
    const std::vector<std::string> words = command->remaining();
    refuse_options(*command, words, "salvo " + command->get_name() + " --help");
    if (words.empty()) continue;
    const auto positional = command->get_options([](const CLI::Option* option) { return option->get_positional(); });
    throw UsageError(fmt::format("{} is one word too many; {} takes {}, and texts with spaces need quotes",
                                 in_quotes(words.front()), command->get_name(),
                                 positional.empty() ? "only options" : "one " + positional.front()->get_single_name()));
  }
  refuse_options(app, of_app, "salvo --help");
  if (!of_app.empty()) fail_unknown_command(of_app.front(), app);
}

}  // namespace

Arguments parse_arguments(int argc, const char* const* argv) {
  CLI::App app(kIntroduction, "salvo");
  app.footer(kTopFooter);
  app.get_formatter()->column_width(28);  // the subcommands take it over
  app.set_help_flag("-h,--help", "print this help");
  app.allow_extras();
  bool version = false;
  app.add_flag("--version", version, "print version, commit, compiler and instruction set")->disable_flag_override();
  const std::vector<DeclaredCommand> commands = add_commands(app, {argv + 1, argv + std::max(argc, 1)});
  CLI::App& cards = *app.add_subcommand(kCardsCommand, kCardsIntroduction);  // read by parse_cards_arguments
  if (argc < 2) return {Command::Usage, help_text(app, ""), {}};
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
  if (cards.parsed()) throw UsageError("cards comes first: salvo cards list");
  if (version) return {Command::Version, "", {}};
  for (const DeclaredCommand& command : commands) {
    if (!command.app->parsed()) continue;
    Task task = command.read();
    return {.command = Command::Run, .run = std::move(task.options), .action = std::move(task.action)};
  }
  return {Command::Usage, help_text(app, ""), {}};
}

}  // namespace salvo::cli
