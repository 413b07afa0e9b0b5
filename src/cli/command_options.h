// What the readers of command lines share: options as typed, and how they are declared and checked.
// In: commands being declared. Out: RunOptions, or a UsageError in one sentence.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/options.h"

namespace salvo::cli {

/// Options as typed; checked once all are there.
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

/// The scenario of a command, from a file or from SPECs: FILE, --attack, --defend, --on. `attack_help`: of --attack.
/// The second without FILE, for a command that takes several.
void add_scenario_options(CLI::App& command, RunTexts& texts,
                          const char* attack_help = "an attacker and its attack; repeatable, in order");
void add_scenario_specs(CLI::App& command, RunTexts& texts,
                        const char* attack_help = "an attacker and its attack; repeatable, in order");
/// Throws UsageError unless either a file or SPECs ask the question.
void check_scenario_options(const RunTexts& texts, const CLI::App& command);

/// Groups of options that several commands have.
void add_rules_options(CLI::App& command, RunTexts& texts);
void add_card_option(CLI::App& command, RunTexts& texts);
/// --objective and --damage-deck, and the same with policies.
void add_objective_options(CLI::App& command, RunTexts& texts);
/// `files`: the command plays policies from files, too.
void add_policy_options(CLI::App& command, RunTexts& texts, bool files = false);
/// --rounds: the attacks once more in each of several rounds.
void add_rounds_option(CLI::App& command, RunTexts& texts);
void add_engine_options(CLI::App& command, RunTexts& texts);
/// How sampling is done: generator, instruction set, what is counted.
void add_sampling_options(CLI::App& command, RunTexts& texts);
/// Of those that the exact engine answers alone: --budget and the next.
void add_exact_options(CLI::App& command, RunTexts& texts, const char* threads_help = nullptr);
/// Of every command that answers questions: --memory, and --threads where `threads_help` says what they do.
void add_machine_options(CLI::App& command, RunTexts& texts, const char* threads_help = nullptr);
void add_output_options(CLI::App& command, RunTexts& texts, const char* formats);
void add_plot_option(CLI::App& command, RunTexts& texts, const char* help);
/// Of every command that may take long: --no-progress. It shows that it is at work (elapsed.h).
void add_progress_option(CLI::App& command, RunTexts& texts);

/// The options above, checked as far as that goes without reading a file.
RunOptions common_options(const RunTexts& texts, const CLI::App& command);

/// The value of --color: whether what is printed has colours. Throws UsageError.
void choose_colour(const std::string& when);

/// A share from `least` to `most`. Throws UsageError.
double parse_share(const std::string& option, const std::string& text, double least, double most);

}  // namespace salvo::cli
