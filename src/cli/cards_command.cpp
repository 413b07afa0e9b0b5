#include "cli/cards_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cards/check.h"
#include "cards/coverage.h"
#include "cards/library.h"
#include "cards/suspects.h"
#include "cli/command_options.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "load/catalogue.h"
#include "report/cards.h"

namespace salvo::cli {
namespace {

using Action = CardsOptions::Action;

/// The format of the output, and for a table its width and colours.
report::CardsFormat format_of(const CardsOptions& options) {
  const Format chosen = chosen_format(options.format);
  report::CardsFormat out;
  out.kind = chosen == Format::Table  ? report::CardsFormat::Kind::Table
             : chosen == Format::Json ? report::CardsFormat::Kind::Json
                                      : report::CardsFormat::Kind::Csv;
  out.width = terminal_width(Stream::Output);
  out.colour = colour_wanted(Stream::Output);
  return out;
}

std::string set_of(const Catalogue& catalogue, const CardsOptions& options) {
  return catalogue.card_set(options.set.value_or(""), options.rules);
}

int list(const Catalogue& catalogue, const CardsOptions& options) {
  const std::string set = set_of(catalogue, options);
  write_output(report::card_list(cards::list_cards(catalogue, set, {options.kind, options.search, options.partly}), set,
                                 format_of(options)));
  return kSuccess;
}

int show(const Catalogue& catalogue, const CardsOptions& options) {
  const std::string set = set_of(catalogue, options);
  write_output(
      report::card_pages(cards::find_cards(catalogue, set, options.kind, options.id), set, format_of(options)));
  return kSuccess;
}

int check(const Catalogue& catalogue, const CardsOptions& options) {
  const std::vector<std::string> editions = catalogue.edition_ids();
  parse_name("--rules", options.rules, editions);
  Progress progress({"checking", "cards"});
  progress.start();
  std::vector<cards::CheckedCard> checked;
  for (const std::string& file : options.files) {
    checked.push_back(cards::check_card(catalogue, file, options.rules, set_of(catalogue, options)));
    progress.update(checked.size(), options.files.size());
  }
  progress.erase();
  write_output(report::checked_cards(checked, format_of(options)));
  for (const cards::CheckedCard& card : checked) {
    if (!card.error.empty()) write_error(fmt::format("salvo: {}\n", card.error));
  }
  const bool good = std::all_of(checked.begin(), checked.end(), [](const auto& card) { return card.good(); });
  return good ? kSuccess : kInvalidInput;
}

/// The set of the data: as stated, else the one whose cards they are. Throws UsageError for one of another layout.
std::string set_of(const Catalogue& catalogue, const load::CardData& data, const CardsOptions& options) {
  const std::string set = options.set.value_or(cards::set_of_data(catalogue, data));
  if (data.first_edition != (set == "first-edition")) {
    throw UsageError(fmt::format("--set: {} is not the set of {}, which has the layout of {}-edition data", set,
                                 in_quotes(options.folder), data.first_edition ? "first" : "second"));
  }
  return set;
}

int coverage(const Catalogue& catalogue, const CardsOptions& options) {
  const load::CardData data = load::read_card_data(options.folder);
  cards::Coverage covered = cards::cover(catalogue, data, set_of(catalogue, data, options));
  if (options.kind) {
    std::erase_if(covered.cards, [&](const cards::CoveredCard& card) { return card.kind != *options.kind; });
  }
  write_output(report::coverage(covered, options.state, format_of(options)));
  return kSuccess;
}

int suspects(const Catalogue& catalogue, const CardsOptions& options) {
  const load::CardData data = load::read_card_data(options.folder);
  cards::Suspects out = cards::suspects(catalogue, data, set_of(catalogue, data, options));
  if (options.kind) {
    const auto other = [&](const auto& card) { return card.kind != *options.kind; };
    std::erase_if(out.found, other);
    std::erase_if(out.stale, other);
  }
  write_output(report::suspects(out, options.state, format_of(options)));
  return out.open() == 0 && out.stale.empty() ? kSuccess : kInvalidInput;
}

int cards_command(const CardsOptions& options) {
  end_on_interrupt();
  const Catalogue catalogue;
  switch (options.action) {
    case CardsOptions::Action::List:
      return list(catalogue, options);
    case CardsOptions::Action::Show:
      return show(catalogue, options);
    case CardsOptions::Action::Check:
      return check(catalogue, options);
    case CardsOptions::Action::Coverage:
      return coverage(catalogue, options);
    case CardsOptions::Action::Suspects:
      return suspects(catalogue, options);
  }
  return kInternalError;
}

// ---------------------------------------------------------------- command line

/// Options as typed.
struct CardsArguments {
  std::string id, folder, kind, set, rules, state, format, color;
  std::vector<std::string> files, search;
  bool partly = false, no_progress = false;
};

const std::vector<std::string> kKinds = {"upgrade", "pilot", "ship", "condition"};
const std::vector<std::string> kStates = {"modelled", "partly", "not", "irrelevant", "unclassified", "all"};
const std::vector<std::string> kSuspects = {"checked", "all"};

constexpr const char* kFooter =
    "\nExamples:\n"
    "  salvo cards list --kind upgrade --search reroll\n"
    "  salvo cards show 'fire-control system'\n"
    "  salvo cards check mycard.toml\n"
    "  salvo cards coverage xwing-data2 --list not\n"
    "  salvo cards suspects xwing-data2\n"
    "Each command has its own help: salvo cards check --help";
constexpr const char* kCheckFooter =
    "\nFor each file: errors with their line, else a dry run in the first of many small\n"
    "scenarios in which the card changes something. Exit status 2 when a file is wrong\n"
    "or its card changes nothing in any of them.";
constexpr const char* kCoverageFooter =
    "\nDIR is a checkout of xwing-data2 (or a set of the same layout), or the folder with\n"
    "pilots.js and upgrades.js of first-edition data.\n"
    "States: modelled; partly; not (it can change an attack, but has no file); irrelevant\n"
    "(it cannot); unclassified (not in profiles/cards/relevant.tsv).";

constexpr const char* kSuspectsFooter =
    "\nReads the texts of the cards in DIR, as coverage does, and lists each card whose text\n"
    "mentions something that salvo ignores. profiles/cards/checked.toml lists those that\n"
    "salvo treats right, each with the reason. Exit status 2 when a suspect is left, or\n"
    "an entry of that list matches nothing.";

void add_set(CLI::App& command, CardsArguments& texts, const char* help) {
  add_value(command, "Options", "--set", "SET", texts.set, help);
}

void add_kind(CLI::App& command, CardsArguments& texts) {
  add_value(command, "Options", "--kind", "KIND", texts.kind, "upgrade, pilot, ship or condition (default: all)");
}

void add_output(CLI::App& command, CardsArguments& texts) {
  add_value(command, "Output", "-f,--format", "NAME", texts.format,
            "table, json or csv (default: table on a terminal)");
  add_value(command, "Output", "--color", "WHEN", texts.color, "color tables: auto (default), always, never");
}

/// The subcommands, in the order of Action.
std::vector<CLI::App*> add_cards_commands(CLI::App& cards, CardsArguments& texts) {
  constexpr const char* kSetHelp = "card set: xwa (default), 2025, legacy, first-edition, first-edition-4.2.3";
  constexpr const char* kDataSetHelp = "xwa, 2025, legacy or first-edition (default: the one whose cards these are)";
  CLI::App& list = *cards.add_subcommand("list", "The library as a table.");
  add_kind(list, texts);
  add_set(list, texts, kSetHelp);
  add_list(list, "Options", "--search", "WORDS", texts.search, "only cards with all these words");
  add_flag(list, "Options", "--partly", texts.partly, "only cards that are partly modelled");
  add_output(list, texts);

  CLI::App& show = *cards.add_subcommand("show", "Everything about one card, in plain words.");
  add_words(show, "ID", texts.id, "xws id or name of the card");
  add_kind(show, texts);
  add_set(show, texts, kSetHelp);
  add_output(show, texts);

  CLI::App& check = *cards.add_subcommand("check", "Check home-made cards and try them.");
  add_words(check, "FILE", texts.files, "card files, anywhere");
  add_set(check, texts, kSetHelp);
  add_value(check, "Options", "--rules", "ID", texts.rules, "second-edition (default) or first-edition");
  add_output(check, texts);
  add_flag(check, "Output", "--no-progress", texts.no_progress, "show neither a progress bar nor the elapsed time");
  check.footer(kCheckFooter);

  CLI::App& coverage = *cards.add_subcommand("coverage", "How much of a card data set is modelled.");
  add_words(coverage, "DIR", texts.folder, "checkout of the card data");
  add_set(coverage, texts, kDataSetHelp);
  add_value(coverage, "Options", "--list", "STATE", texts.state,
            "list cards: modelled, partly, not, irrelevant, unclassified, all");
  add_kind(coverage, texts);
  add_output(coverage, texts);
  coverage.footer(kCoverageFooter);

  CLI::App& suspects = *cards.add_subcommand("suspects", "Cards whose text mentions more than salvo models.");
  add_words(suspects, "DIR", texts.folder, "checkout of the card data");
  add_set(suspects, texts, kDataSetHelp);
  add_value(suspects, "Options", "--list", "WHICH", texts.state,
            "checked: those that salvo treats right; all: both (default: those that are not checked)");
  add_kind(suspects, texts);
  add_output(suspects, texts);
  suspects.footer(kSuspectsFooter);

  std::vector<CLI::App*> commands{&list, &show, &check, &coverage, &suspects};
  for (CLI::App* command : commands) command->allow_extras();
  return commands;
}

void check_operands(const CardsArguments& texts, Action action) {
  const auto empty = [](const std::string& text) { return text.empty(); };
  if (action == Action::Show && texts.id.empty()) {
    throw UsageError("no card; name one by its xws id: salvo cards show predator");
  }
  if (action == Action::Check && (texts.files.empty() || std::any_of(texts.files.begin(), texts.files.end(), empty))) {
    throw UsageError("no file; name a card file: salvo cards check mycard.toml");
  }
  if ((action == Action::Coverage || action == Action::Suspects) && texts.folder.empty()) {
    throw UsageError(fmt::format("no folder; name a checkout of the card data: salvo cards {} xwing-data2",
                                 action == Action::Coverage ? "coverage" : "suspects"));
  }
}

CardsOptions options_of(const CardsArguments& texts, const CLI::App& command, Action action) {
  CardsOptions out;
  out.action = action;
  check_operands(texts, action);
  out.id = texts.id;
  out.files = texts.files;
  out.folder = texts.folder;
  out.search = base::words_between(base::joined(texts.search, " "), " ");  // "--search 'a b'", "--search a --search b"
  out.partly = texts.partly;
  out.progress = !texts.no_progress;
  const auto name = [&](const char* option, const std::string& text, const std::vector<std::string>& known) {
    std::optional<std::string> value;
    if (given(command, option)) value = known[parse_name(option, text, known)];
    return value;
  };
  out.kind = name("--kind", texts.kind, kKinds);
  out.set = name("--set", texts.set, Catalogue::card_sets());
  out.state = name("--list", texts.state, action == Action::Suspects ? kSuspects : kStates);
  if (given(command, "--rules")) out.rules = texts.rules;
  if (given(command, "--color")) choose_colour(texts.color);
  if (given(command, "--format")) {
    out.format = static_cast<Format>(parse_name("--format", texts.format, {"table", "json", "csv"}));
  }
  return out;
}

/// Throws UsageError if words are left over.
void check_nothing_left(const CLI::App& cards, const std::vector<CLI::App*>& commands) {
  for (const CLI::App* command : commands) {
    for (const std::string& word : command->remaining()) {
      const std::string help = fmt::format("salvo cards {} --help", command->get_name());
      if (word.size() > 1 && word.starts_with('-')) fail_unknown_option(word, *command, help);
      throw UsageError(fmt::format("{} is one word too many; see {}", in_quotes(word), help));
    }
  }
  const std::vector<std::string> rest = cards.remaining();
  if (rest.empty()) return;
  if (rest.front().size() > 1 && rest.front().starts_with('-')) {
    fail_unknown_option(rest.front(), cards, "salvo cards --help");
  }
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  const std::string near = did_you_mean(rest.front(), names);
  throw UsageError(
      fmt::format("cards: {} is not one of {}{}", in_quotes(rest.front()), base::joined(names, ", "), near));
}

}  // namespace

void declare_cards(CLI::App& cards) {
  static CardsArguments unread;
  cards.footer(kFooter);
  add_cards_commands(cards, unread);
}

Arguments parse_cards_arguments(int argc, const char* const* argv) {
  CLI::App cards(kCardsIntroduction, "salvo cards");
  cards.footer(kFooter);
  cards.get_formatter()->column_width(28);
  cards.set_help_flag("-h,--help", "print this help");
  cards.allow_extras();
  CardsArguments texts;
  const std::vector<CLI::App*> commands = add_cards_commands(cards, texts);
  const auto chosen = [&] {
    return std::find_if(commands.begin(), commands.end(), [](const CLI::App* command) { return command->parsed(); });
  };
  Arguments out;
  try {
    cards.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out.command = Command::Help;
    out.text = chosen() == commands.end() ? help_text(cards, "") : help_text(**chosen(), "salvo cards");
    return out;
  } catch (const CLI::ParseError& error) {
    throw UsageError(reworded(error));
  }
  check_nothing_left(cards, commands);
  const auto command = chosen();
  if (command == commands.end()) {
    out.command = Command::Usage;
    out.text = help_text(cards, "");
    return out;
  }
  out.command = Command::Run;
  out.cards = options_of(texts, **command, static_cast<Action>(command - commands.begin()));
  if (out.cards.progress) out.run.command = fmt::format("cards {}", (*command)->get_name());
  out.action = [options = out.cards] { return cards_command(options); };
  return out;
}

}  // namespace salvo::cli
