// Output: which format a command prints, and files it writes beside.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/terminal.h"
#include "salvo/squad.h"

namespace salvo::cli {

/// The format asked for, else a table on a terminal and JSON otherwise.
inline Format chosen_format(const std::optional<Format>& asked) {
  return asked.value_or(is_terminal(Stream::Output) ? Format::Table : Format::Json);
}

/// What a command answers, in the format asked for, written by the functions of that format.
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

/// The same with to_json, to_csv and to_table of the report's namespace.
template <typename R>
std::string render(const R& report, const RunOptions& options) {
  return render<R>(
      report, options, [](const R& one) { return to_json(one); }, [](const R& one) { return to_csv(one); },
      [](const R& one, int width, bool colour) { return to_table(one, width, colour); });
}

/// Tells on standard error which ids of a squad could not be used.
void warn_of_unknown(const Squad& squad);

}  // namespace salvo::cli
