// Output: which format a command prints, and files it writes beside.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "cli/terminal.h"

namespace salvo::cli {

/// The format asked for, else a table on a terminal and JSON otherwise.
inline Format chosen_format(const std::optional<Format>& asked) {
  return asked.value_or(is_terminal(Stream::Output) ? Format::Table : Format::Json);
}

/// A report of one of the further commands in the format asked for: to_json, to_csv and to_table of its namespace.
template <typename R>
std::string render(const R& report, const RunOptions& options) {
  switch (chosen_format(options.format)) {
    case Format::Json:
      return to_json(report);
    case Format::Csv:
      return to_csv(report);
    case Format::Table:
      break;
  }
  return to_table(report, terminal_width(Stream::Output), colour_wanted(Stream::Output));
}

/// Writes a file whole. Throws UsageError that names `option` when that is not possible.
void write_file(const std::string& option, const std::string& path, std::string_view text);

}  // namespace salvo::cli
