// What the files that read the options about scenarios share. In: texts as typed. Out: checked options.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/arguments.h"

namespace salvo::cli {

/// Options as typed; checked once all are there.
struct RunTexts {
  std::string file, defend, rules, cards, objective, attacker_policy, defender_policy;
  std::string engine, trials, precision, seed, threads, budget, format, generator, target;
  std::vector<std::string> attacks, card_files;
  bool no_progress = false, no_tokens = false, certify = false;
};

/// --rules, --cards, --card, --objective and the policies.
void add_scenario_options(CLI::App& command, RunTexts& texts);

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
