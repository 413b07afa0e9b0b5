// The commands of described questions, and fields as options.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "cli/command_options.h"
#include "questions/scenario_question.h"

namespace salvo::cli {

/// A field and what was typed for it.
struct TypedField {
  const questions::Field* field;
  std::string text = {};
  std::vector<std::string> list = {};
  bool flag = false;
};

/// Fields and what was typed for them.
struct TypedFields : CommandArguments {
  questions::OpenQuestion asked;
  std::deque<TypedField> fields;  // CLI11 refers to the elements
};

/// A question and what was typed for it.
struct TypedQuestion : TypedFields {
  const questions::Question* question;
};

/// Gives a command that is no question some fields of questions. `describe` appends them.
void add_fields(CLI::App& app, TypedFields& typed,
                const std::function<void(questions::ScenarioQuestion&, questions::FieldList&)>& describe);
/// Reads the options of the fields and of the output. Throws UsageError and LoadError.
CommandOptions read_fields(TypedFields& typed, const CLI::App& app);

/// Declares the command of a question and its options, which `typed` receives.
CLI::App& declare_question(CLI::App& top, const questions::Question& question, TypedQuestion& typed);
/// Reads the options into the question. Throws UsageError and LoadError.
CommandOptions read_question(TypedQuestion& typed, const CLI::App& app);
/// Prints the answer; returns the exit status.
int ask_question(TypedQuestion& typed, CommandOptions options);

}  // namespace salvo::cli
