#include "cli/command_options.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <limits>

#include "base/text.h"
#include "cli/memory_limit.h"
#include "cli/terminal.h"
#include "data/file.h"
#include "jobs/atomic_file.h"
#include "load/load.h"
#include "sample/sample.h"

namespace salvo::cli {

void add_specs(CLI::App& command, const char* name, std::vector<std::string>& target, const char* help) {
  add_list(command, "Scenario", name, "SPEC", target, help);
}

void add_scenario_options(CLI::App& command, RunTexts& texts, const char* attack_help) {
  add_words(command, "FILE", texts.file, "scenario file, TOML or JSON; - reads standard input");
  add_scenario_specs(command, texts, attack_help);
}

void add_scenario_specs(CLI::App& command, RunTexts& texts, const char* attack_help) {
  add_specs(command, "-a,--attack", texts.attacks, attack_help);
  add_specs(command, "-d,--defend", texts.defends, "a defender; attackers choose among several");
  add_specs(command, "--return", texts.returns, "a ship that shoots back at attacker a1; repeatable");
  add_value(command, "Scenario", "--on", "SHIPS", texts.on, "ships of FILE among which attackers choose");
}

void check_scenario_options(const RunTexts& texts, const CLI::App& command, bool may_be_roll) {
  const bool file = given(command, "FILE"), attack = !texts.attacks.empty(), defend = !texts.defends.empty();
  if (file && (attack || defend)) {
    const bool word = !data::is_file(texts.file) && texts.file != "-" && texts.file.find('.') == std::string::npos;
    if (word) {
      throw UsageError(
          fmt::format("both the scenario {} and {}; give one of them, and a SPEC of several words in quotes, "
                      "as --attack '3 {}'",
                      in_quotes(texts.file), attack ? "--attack" : "--defend", shown(texts.file, 40)));
    }
    throw UsageError(fmt::format("both the scenario {} and {}; give one of them", in_quotes(texts.file),
                                 attack ? "--attack" : "--defend"));
  }
  const bool roll = may_be_roll && texts.attacks.size() + texts.defends.size() == 1;
  if (attack && !defend && !roll)
    throw UsageError("--attack without --defend; say who is shot at, for example --defend '2 focus'");
  if (defend && !attack && !roll)
    throw UsageError("--defend without --attack; say who shoots, for example --attack '3 focus'");
  if (!file && !attack && !roll) {
    throw UsageError("no scenario; name a file, - for standard input, or give --attack and --defend");
  }
  if (file && texts.file.empty()) throw UsageError("the name of the scenario file is empty");
  if ((!attack || roll) && !texts.returns.empty())
    throw UsageError("--return goes with --attack and --defend; a FILE lists the return fire among its attacks");
  if ((attack || roll) && given(command, "--on")) {
    throw UsageError("--on names ships of a FILE; with SPECs give --defend several times");
  }
}

void add_rules_options(CLI::App& command, RunTexts& texts) {
  add_value(command, "Scenario", "--rules", "ID", texts.rules, "second-edition (default), first-edition, FILE");
  add_value(command, "Scenario", "--cards", "SET", texts.cards, "card set, as 2025 or legacy (default: by the rules)");
}

void add_card_option(CLI::App& command, RunTexts& texts) {
  add_list(command, "Scenario", "--card", "FILE", texts.card_files, "a home-made card; repeatable");
}

void add_objective_options(CLI::App& command, RunTexts& texts) {
  const char* group = "Scenario";
  add_value(command, group, "--objective", "NAME", texts.objective, "damage (default), kill, health, exchange");
  add_value(command, group, "--damage-deck", "NAME", texts.damage_deck, "damage cards: none (default), core, ...");
}

void add_policy_options(CLI::App& command, RunTexts& texts, bool files) {
  const char* group = "Scenario";
  const char* policies = files ? "optimal (default), greedy, hold or a file" : "optimal (default), greedy, hold";
  texts.policy_files = files;
  add_objective_options(command, texts);
  add_value(command, group, "--attacker-policy", "NAME", texts.attacker_policy, policies);
  add_value(command, group, "--defender-policy", "NAME", texts.defender_policy, policies);
}

void add_rounds_option(CLI::App& command, RunTexts& texts) {
  texts.repeats_attacks = true;
  add_value(command, "Scenario", "--rounds", "N", texts.rounds, "repeat the attacks for N rounds; green tokens return");
}

void add_engine_options(CLI::App& command, RunTexts& texts) {
  const char* group = "Engines";
  add_value(command, group, "-e,--engine", "NAME", texts.engine, "exact, sample or both (default: exact if it fits)");
  add_value(command, group, "--budget", "N", texts.budget, "limit of the exact engine: transitions (default 5e6)");
  add_value(command, group, "-n,--trials", "N", texts.trials, "sampling: number of trials (default 1e6)");
  add_value(command, group, "--precision", "X", texts.precision, "sample until each 95% half-width is at most X");
  add_value(command, group, "-s,--seed", "N", texts.seed, "sampling: seed of the random numbers (default 1)");
}

void add_sampling_options(CLI::App& command, RunTexts& texts) {
  const char* group = "Engines";
  add_value(command, group, "--generator", "NAME", texts.generator, "philox4x32-10 (default), ars-7, xoshiro256++");
  add_value(command, group, "--target", "NAME", texts.target, "sampling: instruction set, see salvo --version");
  add_flag(command, group, "--no-tokens", texts.no_tokens, "sampling: do not count remaining tokens; faster");
}

void add_machine_options(CLI::App& command, RunTexts& texts, const char* threads_help) {
  if (threads_help != nullptr) add_value(command, "Engines", "-j,--threads", "N", texts.threads, threads_help);
  add_value(command, "Engines", "--memory", "SIZE", texts.memory, "memory limit, such as 4G (default: half of memory)");
}

void add_exact_options(CLI::App& command, RunTexts& texts, const char* threads_help) {
  add_value(command, "Engines", "--budget", "N", texts.budget, "limit of the exact engine: transitions (default 5e6)");
  add_machine_options(command, texts, threads_help);
}

void add_output_options(CLI::App& command, RunTexts& texts, const char* formats) {
  add_value(command, "Output", "-f,--format", "NAME", texts.format, formats);
  add_value(command, "Output", "--color", "WHEN", texts.color, "color tables: auto (default), always, never");
}

void add_plot_option(CLI::App& command, RunTexts& texts, const char* help) {
  add_value(command, "Output", "--plot", "FILE.svg", texts.plot, help);
}

void add_progress_option(CLI::App& command, RunTexts& texts) {
  texts.may_take_long = true;
  add_flag(command, "Output", "--no-progress", texts.no_progress, "show neither a progress bar nor the elapsed time");
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

/// The name of a policy, or of a policy file if the command accepts these.
std::string parse_policy(const RunTexts& texts, const std::string& option, const std::string& text) {
  if (!texts.policy_files || !load::is_policy_file(text)) parse_name(option, text, {"optimal", "greedy", "hold"});
  return text;
}

/// Checks names that do not depend on files.
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
  if (texts.repeats_attacks && given("--rounds"))
    overrides.rounds = static_cast<int>(parse_count("--rounds", texts.rounds, 1, kMaxRounds));
  if (given("--damage-deck")) overrides.damage_deck = texts.damage_deck;
  if (given("--attacker-policy"))
    overrides.attacker_policy = parse_policy(texts, "--attacker-policy", texts.attacker_policy);
  if (given("--defender-policy"))
    overrides.defender_policy = parse_policy(texts, "--defender-policy", texts.defender_policy);
  if (given("--engine")) {
    out.answer.engine = static_cast<EngineChoice>(parse_name("--engine", texts.engine, engine_choices()));
  }
}

/// Checks that no output file is an input.
void check_outputs(const CLI::App& command) {
  for (const char* option : {"--out", "--plot", "--write"}) {
    if (given(command, option)) jobs::check_not_input(option, value_of(command, option), words_that_are_read(command));
  }
}

/// Checks the names of the sampling engine. Options override the environment.
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
  if (given("--trials")) out.answer.trials = parse_count("--trials", texts.trials, 1, kMaxTrials);
  if (given("--precision")) out.answer.precision = parse_precision(texts.precision);
  if (given("--seed")) {
    out.answer.seed = parse_count("--seed", texts.seed, 0, std::numeric_limits<std::uint64_t>::max());
  }
  if (given("--threads"))
    out.answer.threads = static_cast<int>(parse_count("--threads", texts.threads, 0, kMaxThreads));
  if (given("--budget")) out.answer.budget = static_cast<double>(parse_count("--budget", texts.budget, 1, kMaxTrials));
}

}  // namespace

std::optional<jobs::Shard> read_shard(const CLI::App& command, const std::string& text) {
  if (!given(command, "--shard")) return std::nullopt;
  const jobs::Shard out = jobs::parse_shard("--shard", text);
  if (!given(command, "--out")) throw UsageError("--shard: name its file with --out");
  return out;
}

double parse_share(const std::string& option, const std::string& text, double least, double most) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value >= least && value <= most)) {
    throw UsageError(fmt::format("{}: {} is not a number from {} to {}", option, in_quotes(text), least, most));
  }
  return value;
}

void choose_colour(const std::string& when) {
  const std::size_t chosen = parse_name("--color", when, {"auto", "always", "never"});
  if (chosen > 0) set_colour(chosen == 1);
}

RunOptions output_options(const RunTexts& texts, const CLI::App& command) {
  RunOptions out;
  const auto given = [&](const char* option) { return cli::given(command, option); };
  out.progress = !texts.no_progress;
  if (texts.may_take_long && out.progress) out.command = name_of(command);
  if (given("--color")) choose_colour(texts.color);
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
  check_outputs(command);
  if (given("--memory")) out.memory = parse_memory("--memory", texts.memory);
  return out;
}

RunOptions common_options(const RunTexts& texts, const CLI::App& command) {
  RunOptions out = output_options(texts, command);
  out.file = texts.file;
  out.attacks = texts.attacks;
  out.returns = texts.returns;
  out.card_files = texts.card_files;
  if (given(command, "--defend")) out.defenders = texts.defends.empty() ? std::vector{texts.defend} : texts.defends;
  if (!out.defenders.empty()) out.defend = out.defenders.front();
  if (given(command, "--on")) out.on = jobs::split_words(texts.on);
  if (given(command, "--on") && out.on.empty()) throw UsageError("--on: names no ship; write 'luke wedge'");
  check_names(texts, command, out);
  check_sampling(texts, command, out);
  check_numbers(texts, command, out);
  out.answer.certify = texts.certify;
  if (out.answer.certify && out.answer.engine == EngineChoice::Sample)
    throw UsageError("--certify is for exact values; leave out --engine sample");
  return out;
}

}  // namespace salvo::cli
