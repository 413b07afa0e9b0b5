// What the files that read the command line share. In: texts as typed. Out: checked options.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/arguments.h"

namespace salvo::cli {

/// Options as typed; checked once all are there.
struct RunTexts {
  std::string file, defend, rules, cards, objective, attacker_policy, defender_policy;
  std::string engine, trials, precision, seed, threads, budget, format;
  std::vector<std::string> attacks;
  bool no_progress = false;
  bool certify = false;
};

/// An option with one value.
void add_value(CLI::App& command, const char* group, const char* name, const char* value, std::string& target,
               const char* help);
/// --rules, --cards, --objective and the policies.
void add_scenario_options(CLI::App& command, RunTexts& texts);

std::string in_quotes(std::string_view word);
/// The number of `text` among the names in `known`. Throws UsageError.
std::size_t parse_name(const std::string& option, const std::string& text, const std::vector<std::string>& known);

/// What `command` has of the options of run, checked; without the scenario.
RunOptions common_options(const RunTexts& texts, const CLI::App& command);

/// The commands about decisions: advise, worth, order, card.
class DecisionCommands {
 public:
  explicit DecisionCommands(CLI::App& app);
  ~DecisionCommands();
  /// Throws UsageError.
  Arguments arguments(const CLI::App& parsed) const;

 private:
  struct Texts;
  std::unique_ptr<Texts> texts_;
};

}  // namespace salvo::cli
