// Options of advise and luck that report what was rolled, rerolled and spent so far.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/decision_options.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "jobs/scenario_input.h"
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

/// A decision point, as far as it can be read without the scenario.
struct PointRequest {
  RunOptions run;
  DecisionSpec point;  ///< without tokens and damage
  std::vector<std::string>
      tokens;                 ///< before the current attack, in place of those of the scenario: "NAME TOKEN=N ..."
  std::string number_option;  ///< gives the number of the current attack: with a FILE it may be --attack
  std::string damage_option;  ///< gives the damage before the current attack
  std::optional<std::string> damage = {};  ///< its value: "black=2 red=1"
};

/// Reads all reports except who is to move.
PointRequest point_request(const PointTexts& texts, const CLI::App& command, const char* damage_option,
                           const std::string& damage);

/// Adds the reported tokens and damage to the point.
void add_reports(const PointRequest& request, Scenario& scenario, DecisionSpec& point);

/// Rethrows the error with the names of options.
[[noreturn]] void fail_point(const DecisionError& error, const std::string& number_option);

/// Prints `ask(catalogue, scenario, point, options)`.
template <typename Ask>
int answer_point(PointRequest request, const Ask& ask) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  jobs::Input input = read_input(catalogue, request.run);
  add_reports(request, input.scenario, request.point);
  try {
    print_decision(ask(catalogue, input.scenario, request.point, input.options), request.run);
  } catch (const DecisionError& error) {
    fail_point(error, request.number_option);
  }
  return kAnswered;
}

}  // namespace salvo::cli
