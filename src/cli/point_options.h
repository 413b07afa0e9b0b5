// Options that say where a scenario stands: what was rolled, rerolled and spent. Of advise and luck.
// In: texts as typed. Out: a DecisionSpec, or a UsageError in one sentence.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/decision_options.h"
#include "salvo/advise.h"

namespace salvo::cli {

inline constexpr const char* kPointGroup = "What happened so far";

/// Where a scenario stands, as typed.
struct PointTexts : DecisionTexts {
  std::string attack, rolled, rerolled, spent, defense_rolled, defense_rerolled, defense_spent;
  std::vector<std::string> tokens;
};

void add_point_options(CLI::App& app, PointTexts& texts);
void add_tokens_option(CLI::App& app, PointTexts& texts);

/// The option that says which attack is at hand: beside a FILE it may be --attack.
std::string number_option(const CLI::App& command);

/// Without tokens, damage and who is to move.
DecisionSpec point_of(const PointTexts& texts, const CLI::App& command);

/// Tells of tokens before the attack at hand, in place of those of the scenario: "NAME TOKEN=N ...".
void tell_tokens(DecisionSpec& point, Scenario& scenario, const std::string& text);

/// Damage before the attack at hand: "black=2 red=1".
std::map<std::string, int> damage_before(const char* option, Scenario& scenario, const std::string& text);

/// The error in the words of the options. `number_option`: the one that said which attack is at hand.
[[noreturn]] void fail_point(const DecisionError& error, const std::string& number_option);

}  // namespace salvo::cli
