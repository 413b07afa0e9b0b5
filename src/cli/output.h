// Renders answers in the chosen format.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/terminal.h"
#include "questions/question.h"
#include "salvo/squad.h"

namespace salvo::cli {

/// The requested format; by default a table on a terminal and JSON elsewhere.
inline Format chosen_format(const std::optional<Format>& asked) {
  return asked.value_or(is_terminal(Stream::Output) ? Format::Table : Format::Json);
}

/// The answer in the chosen format.
std::string render(const questions::Answer& answer, const CommandOptions& options);

/// The same for a report, with to_json, to_csv and to_table of its namespace.
template <typename R>
std::string render(const R& report, const CommandOptions& options) {
  return render(questions::Answer{.json = [&] { return to_json(report); },
                                  .csv = [&] { return to_csv(report); },
                                  .table = [&](int width, bool colour) { return to_table(report, width, colour); }},
                options);
}

/// Warns on standard error about the ids of a squad that are unknown.
void warn_of_unknown(const Squad& squad);
/// Writes sentences to standard error.
void write_warnings(const std::vector<std::string>& warnings);

}  // namespace salvo::cli
