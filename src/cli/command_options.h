// The options that commands share: how they are declared and checked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/options.h"
#include "jobs/shard.h"

namespace salvo::cli {

/// Options as typed, before they are checked.
struct RunTexts {
  std::string file, defend, on, color, rules, cards, objective, damage_deck, attacker_policy, defender_policy;
  std::string rounds, engine, trials, precision, seed, threads, memory, budget, format, plot, generator, target;
  std::vector<std::string> attacks, defends, returns, card_files;
  bool no_progress = false, no_tokens = false, certify = false;
  bool policy_files = false;     ///< the command plays policies from files
  bool repeats_attacks = false;  ///< it has add_rounds_option()
  bool may_take_long = false;    ///< it has add_progress_option()
};

/// A SPEC that may be given several times.
void add_specs(CLI::App& command, const char* name, std::vector<std::string>& target, const char* help);

/// The scenario of a command, from a file or from SPECs: FILE, --attack, --defend, --on. add_scenario_specs() omits
/// FILE, for commands that take several files.
void add_scenario_options(CLI::App& command, RunTexts& texts,
                          const char* attack_help = "an attacker and its attack; repeatable, in order");
void add_scenario_specs(CLI::App& command, RunTexts& texts,
                        const char* attack_help = "an attacker and its attack; repeatable, in order");
/// Throws UsageError unless there is either a file or SPECs. `may_be_roll`: one SPEC alone is a roll (Scenario::roll).
void check_scenario_options(const RunTexts& texts, const CLI::App& command, bool may_be_roll = false);

/// Groups of options that several commands have.
void add_rules_options(CLI::App& command, RunTexts& texts);
void add_card_option(CLI::App& command, RunTexts& texts);
/// --objective and --damage-deck; add_policy_options() adds the policies. `files`: policies may be files.
void add_objective_options(CLI::App& command, RunTexts& texts);
void add_policy_options(CLI::App& command, RunTexts& texts, bool files = false);
/// --rounds: repeats the attacks in each of several rounds.
void add_rounds_option(CLI::App& command, RunTexts& texts);
void add_engine_options(CLI::App& command, RunTexts& texts);
/// The generator, the instruction set and what sampling counts.
void add_sampling_options(CLI::App& command, RunTexts& texts);
/// For commands that only the exact engine answers: --budget and the machine options.
void add_exact_options(CLI::App& command, RunTexts& texts, const char* threads_help = nullptr);
/// --memory, and --threads unless `threads_help` is null.
void add_machine_options(CLI::App& command, RunTexts& texts, const char* threads_help = nullptr);
void add_output_options(CLI::App& command, RunTexts& texts, const char* formats);
void add_plot_option(CLI::App& command, RunTexts& texts, const char* help);
/// --no-progress, for commands that may take long. These show the elapsed time (status_line.h).
void add_progress_option(CLI::App& command, RunTexts& texts);

/// How to run and to print: machine, output and progress options.
RunOptions output_options(const RunTexts& texts, const CLI::App& command);
/// The options above, checked as far as possible without reading a file.
RunOptions common_options(const RunTexts& texts, const CLI::App& command);

/// Applies the value of --color. Throws UsageError.
void choose_colour(const std::string& when);

/// The value of --shard, which needs --out; empty if it is not given. Throws UsageError.
std::optional<jobs::Shard> read_shard(const CLI::App& command, const std::string& text);

/// A number from `least` to `most`. Throws UsageError.
double parse_share(const std::string& option, const std::string& text, double least, double most);

}  // namespace salvo::cli
