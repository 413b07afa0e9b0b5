// Options of advise and luck that report what was rolled, rerolled and spent so far.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/decision_options.h"
#include "salvo/advise.h"

namespace salvo::cli {

inline constexpr const char* kPointGroup = "What happened so far";

/// The reports as typed.
struct PointTexts : DecisionTexts {
  std::string attack, rolled, rerolled, spent, defense_rolled, defense_rerolled, defense_spent;
  std::vector<std::string> tokens;
};

void add_point_options(CLI::App& app, PointTexts& texts);
void add_tokens_option(CLI::App& app, PointTexts& texts);

/// The option that gives the number of the current attack: with a FILE it may be --attack.
std::string number_option(const CLI::App& command);

/// Reads all reports except tokens, damage and who is to move.
DecisionSpec point_of(const PointTexts& texts, const CLI::App& command);

/// Adds reported tokens before the current attack, which replace those of the scenario: "NAME TOKEN=N ...".
void report_tokens(DecisionSpec& point, Scenario& scenario, const std::string& text);

/// Parses damage before the current attack: "black=2 red=1".
std::map<std::string, int> damage_before(const char* option, Scenario& scenario, const std::string& text);

/// Rethrows the error with the names of options. `number_option`: the result of number_option().
[[noreturn]] void fail_point(const DecisionError& error, const std::string& number_option);

}  // namespace salvo::cli
