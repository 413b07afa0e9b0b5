#include "cli/decision_options.h"

#include <fmt/format.h>

namespace salvo::cli {

void add_decision_options(CLI::App& command, RunTexts& texts, const char* threads_help) {
  add_rules_options(command, texts);
  add_card_option(command, texts);
  add_policy_options(command, texts, true);
  add_exact_options(command, texts, threads_help);
  add_output_options(command, texts, "table or json (default: table on a terminal)");
  add_progress_option(command, texts);
}

std::optional<std::string> if_given(const CLI::App& command, const char* option, const std::string& text) {
  return given(command, option) ? std::optional(text) : std::nullopt;
}

DecisionOptions decision_options(const DecisionTexts& texts, const CLI::App& command) {
  DecisionOptions out;
  out.run = common_options(texts, command);
  if (out.run.format == Format::Csv)
    throw UsageError(fmt::format("--format: {} prints table or json", name_of(command)));
  out.files = texts.files;
  if (out.files.empty() && given(command, "FILE")) out.files = {texts.file};
  RunTexts one = texts;
  if (!out.files.empty()) one.file = out.files.front();
  check_scenario_options(one, command);
  for (const std::string& file : out.files) {
    if (file.empty()) throw UsageError("the name of the scenario file is empty");
  }
  out.run.file = one.file;
  return out;
}

}  // namespace salvo::cli
