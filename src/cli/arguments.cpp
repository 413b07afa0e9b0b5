// The command line, read with CLI11.
// In: argc and argv. Out: Arguments, or a UsageError in one sentence.
#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "base/text.h"
#include "cli/cards_arguments.h"
#include "cli/command_options.h"
#include "load/load.h"
#include "sample/sample.h"

namespace salvo::cli {
namespace {

// ---------------------------------------------------------------- what there is

constexpr const char* kIntroduction = "Exact and sampled distributions of attacks in the X-Wing miniatures game.";
constexpr const char* kTopFooter =
    "\nExample:\n"
    "  salvo run --attack '3 focus lock range=1' --attack '2 focus' \\\n"
    "            --defend '3 focus evade hull=3'\n\n"
    "Exit status: 0 answered, 1 the engines disagree, 2 the question is wrong,\n"
    "3 it is too large, 4 a fault of salvo, 130 interrupted.";
constexpr const char* kRunFooter =
    "\nA SPEC is one number (attack value, or agility) and words: focus, lock, evade=2,\n"
    "hull=3, range=1, obstructed, ship=ID, pilot=ID, weapon=ID, upgrades, facts.\n"
    "Options win over what the scenario file says.";

}  // namespace

void add_specs(CLI::App& command, const char* name, std::vector<std::string>& target, const char* help) {
  command.add_option(name, target, help)
      ->type_name("SPEC")
      ->group("Scenario")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_rules_options(CLI::App& command, RunTexts& texts) {
  add_value(command, "Scenario", "--rules", "ID", texts.rules, "second-edition (default) or first-edition");
  add_value(command, "Scenario", "--cards", "SET", texts.cards, "card set, as 2025 or legacy (default: by the rules)");
}

void add_card_option(CLI::App& command, RunTexts& texts) {
  command.add_option("--card", texts.card_files, "a home-made card; repeatable")
      ->type_name("FILE")
      ->group("Scenario")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_policy_options(CLI::App& command, RunTexts& texts, bool files) {
  const char* group = "Scenario";
  const char* policies = files ? "optimal (default), greedy, hold or a file" : "optimal (default), greedy, hold";
  texts.policy_files = files;
  add_value(command, group, "--objective", "NAME", texts.objective, "damage (default), kill, health, exchange");
  add_value(command, group, "--damage-deck", "NAME", texts.damage_deck, "damage cards: none (default), core, ...");
  add_value(command, group, "--attacker-policy", "NAME", texts.attacker_policy, policies);
  add_value(command, group, "--defender-policy", "NAME", texts.defender_policy, policies);
}

void add_engine_options(CLI::App& command, RunTexts& texts) {
  const char* group = "Engines";
  add_value(command, group, "--engine", "NAME", texts.engine, "exact, sample or both (default: exact if it fits)");
  add_value(command, group, "--budget", "N", texts.budget, "transitions the exact engine may use (default 5e6)");
  add_value(command, group, "--trials", "N", texts.trials, "sampling: number of trials (default 1e6)");
  add_value(command, group, "--precision", "X", texts.precision, "sampling: until each 95% half-width is at most X");
  add_value(command, group, "--seed", "N", texts.seed, "sampling: seed of the random numbers (default 1)");
}

void add_sampling_options(CLI::App& command, RunTexts& texts) {
  const char* group = "Engines";
  add_value(command, group, "--generator", "NAME", texts.generator, "philox4x32-10 (default), ars-7, xoshiro256++");
  add_value(command, group, "--target", "NAME", texts.target, "sampling: instruction set, see salvo --version");
  command.add_flag("--no-tokens", texts.no_tokens, "sampling: do not count tokens left; faster")
      ->group(group)
      ->disable_flag_override();
}

void add_threads_option(CLI::App& command, RunTexts& texts, const char* help) {
  add_value(command, "Engines", "--threads", "N", texts.threads, help);
}

void add_output_options(CLI::App& command, RunTexts& texts, const char* formats) {
  add_value(command, "Output", "--format", "NAME", texts.format, formats);
}

void add_plot_option(CLI::App& command, RunTexts& texts, const char* help) {
  add_value(command, "Output", "--plot", "FILE.svg", texts.plot, help);
}

void add_progress_option(CLI::App& command, RunTexts& texts) {
  command.add_flag("--no-progress", texts.no_progress, "no progress bar")->group("Output")->disable_flag_override();
}

namespace {

void add_run_options(CLI::App& run, RunTexts& texts) {
  run.add_option("FILE", texts.file, "scenario file, TOML or JSON; - reads standard input")->type_name("");
  add_specs(run, "--attack", texts.attacks, "one attacker and its attack; repeatable, in order");
  add_value(run, "Scenario", "--defend", "SPEC", texts.defend, "the ship that all --attack shoot at");
  add_rules_options(run, texts);
  add_card_option(run, texts);
  add_policy_options(run, texts, true);
  add_engine_options(run, texts);
  add_threads_option(run, texts, "sampling: threads (default 0: all cores)");
  add_sampling_options(run, texts);
  run.add_flag("--certify", texts.certify, "recompute the exact value as a fraction")
      ->group("Engines")
      ->disable_flag_override();
  add_output_options(run, texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(run, texts, "also draw the distribution of damage");
  add_progress_option(run, texts);
}

// ---------------------------------------------------------------- what is wrong

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

// ---------------------------------------------------------------- values

}  // namespace

bool given(const CLI::App& command, const char* option) {
  const CLI::Option* known = command.get_option_no_throw(option);
  return known != nullptr && known->count() > 0;
}

namespace {

double parse_precision(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value > 0 && value <= kLargestPrecision)) {
    throw UsageError(
        fmt::format("--precision: {} is not a number above 0 and at most {}", in_quotes(text), kLargestPrecision));
  }
  return value;
}

/// A policy by its name; where policy files are played, a word that looks like a file is one.
std::string parse_policy(const RunTexts& texts, const std::string& option, const std::string& text) {
  if (!texts.policy_files || !is_policy_file(text)) parse_name(option, text, {"optimal", "greedy", "hold"});
  return text;
}

/// Names that do not depend on files.
void check_names(const RunTexts& texts, const CLI::App& run, RunOptions& out) {
  const auto given = [&](const char* option) { return cli::given(run, option); };
  Overrides& overrides = out.answer.overrides;
  overrides.as_options = true;
  if (given("--rules")) overrides.rules = texts.rules;
  if (given("--cards")) {
    parse_name("--cards", texts.cards, Catalogue::card_sets());
    overrides.cards = texts.cards;
  }
  if (given("--objective")) {
    parse_name("--objective", texts.objective, {"damage", "kill", "health", "exchange"});
    overrides.objective = texts.objective;
  }
  if (given("--damage-deck")) overrides.damage_deck = texts.damage_deck;
  if (given("--attacker-policy"))
    overrides.attacker_policy = parse_policy(texts, "--attacker-policy", texts.attacker_policy);
  if (given("--defender-policy"))
    overrides.defender_policy = parse_policy(texts, "--defender-policy", texts.defender_policy);
  if (given("--engine")) {
    out.answer.engine = static_cast<EngineChoice>(parse_name("--engine", texts.engine, {"exact", "sample", "both"}));
  }
  if (given("--format")) {
    out.format = static_cast<Format>(parse_name("--format", texts.format, {"table", "json", "csv"}));
  }
  if (given("--plot")) {
    if (!texts.plot.ends_with(".svg")) {
      throw UsageError(
          fmt::format("--plot: {} does not end in .svg; pictures are written as SVG", in_quotes(texts.plot)));
    }
    out.plot = texts.plot;
  }
}

/// Names that the sampling engine knows. The option wins over the environment.
void check_sampling(const RunTexts& texts, const CLI::App& run, RunOptions& out) {
  if (given(run, "--generator")) {
    parse_name("--generator", texts.generator, sample::generator_names());
    out.answer.generator = texts.generator;
  }
  const char* environment = std::getenv("SALVO_TARGET");
  if (given(run, "--target")) {
    out.answer.target = texts.target;
    parse_name("--target", texts.target, sample::targets());
  } else if (environment != nullptr && *environment != '\0') {
    out.answer.target = environment;
    parse_name("SALVO_TARGET", environment, sample::targets());
  }
  out.answer.count_tokens = !texts.no_tokens;
}

void check_numbers(const RunTexts& texts, const CLI::App& run, RunOptions& out) {
  const auto given = [&](const char* option) { return cli::given(run, option); };
  if (given("--trials")) out.answer.trials = parse_count("--trials", texts.trials, 1, kMostTrials);
  if (given("--precision")) out.answer.precision = parse_precision(texts.precision);
  if (given("--seed")) {
    out.answer.seed = parse_count("--seed", texts.seed, 0, std::numeric_limits<std::uint64_t>::max());
  }
  if (given("--threads"))
    out.answer.threads = static_cast<int>(parse_count("--threads", texts.threads, 0, kMostThreads));
  if (given("--budget")) out.answer.budget = static_cast<double>(parse_count("--budget", texts.budget, 1, kMostTrials));
}

/// Either a file or flags ask the question.
void check_question(const RunTexts& texts, const CLI::App& run) {
  const bool file = run.count("FILE") > 0, attack = !texts.attacks.empty(), defend = run.count("--defend") > 0;
  if (file && (attack || defend)) {
    throw UsageError(fmt::format("both the scenario {} and {}; give one of them", in_quotes(texts.file),
                                 attack ? "--attack" : "--defend"));
  }
  if (attack && !defend)
    throw UsageError("--attack without --defend; say who is shot at, for example --defend '2 focus'");
  if (defend && !attack) throw UsageError("--defend without --attack; say who shoots, for example --attack '3 focus'");
  if (!file && !attack) {
    throw UsageError("no scenario; name a file, - for standard input, or give --attack and --defend");
  }
  if (file && texts.file.empty()) throw UsageError("the name of the scenario file is empty");
}

}  // namespace

RunOptions common_options(const RunTexts& texts, const CLI::App& command) {
  RunOptions out;
  out.progress = !texts.no_progress;
  out.file = texts.file;
  out.attacks = texts.attacks;
  out.card_files = texts.card_files;
  if (given(command, "--defend")) out.defend = texts.defend;
  check_names(texts, command, out);
  check_sampling(texts, command, out);
  check_numbers(texts, command, out);
  out.answer.certify = texts.certify;
  if (out.answer.certify && out.answer.engine == EngineChoice::Sample)
    throw UsageError("--certify is for exact values; leave out --engine sample");
  return out;
}

Arguments parse_arguments(int argc, const char* const* argv) {
  CLI::App app(kIntroduction, "salvo");
  app.footer(kTopFooter);
  app.get_formatter()->column_width(28);  // the subcommands take it over
  app.set_help_flag("-h,--help", "print this help");
  app.allow_extras();
  bool version = false;
  app.add_flag("--version", version, "print version, commit, compiler and instruction set")->disable_flag_override();
  RunTexts texts;
  CLI::App& run = *app.add_subcommand("run", "Answer one scenario: what its attacks do.");
  run.footer(kRunFooter);
  run.allow_extras();
  add_run_options(run, texts);
  std::vector<OtherCommand> others = add_decision_commands(app);
  for (OtherCommand& other : add_other_commands(app)) others.push_back(std::move(other));
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
  for (const OtherCommand& other : others) {
    if (other.app->parsed()) return {.command = Command::Other, .action = other.read()};
  }
  if (!run.parsed()) return {Command::Usage, help_text(app, ""), {}};
  RunOptions options = common_options(texts, run);
  check_question(texts, run);
  return {.command = Command::Run, .run = options};
}

}  // namespace salvo::cli
