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
std::string rendered(const questions::Answer& answer, const RunOptions& options);

/// Renders a report in the chosen format with the function for that format.
template <typename R>
std::string render(const R& report, const RunOptions& options, std::string (*json)(const R&),
                   std::string (*csv)(const R&), std::string (*table)(const R&, int width, bool colour)) {
  switch (chosen_format(options.format)) {
    case Format::Json:
      return json(report);
    case Format::Csv:
      return csv(report);
    case Format::Table:
      break;
  }
  return table(report, terminal_width(Stream::Output), colour_wanted(Stream::Output));
}

/// Renders with to_json, to_csv and to_table of the report's namespace.
template <typename R>
std::string render(const R& report, const RunOptions& options) {
  return render<R>(
      report, options, [](const R& one) { return to_json(one); }, [](const R& one) { return to_csv(one); },
      [](const R& one, int width, bool colour) { return to_table(one, width, colour); });
}

/// Warns on standard error about the ids of a squad that are unknown.
void warn_of_unknown(const Squad& squad);
/// Writes sentences to standard error.
void write_warnings(const std::vector<std::string>& warnings);

}  // namespace salvo::cli
