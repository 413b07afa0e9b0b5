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

/// Removes a database, for one that is begun anew. Throws UsageError.
void remove_database(const std::string& path);

/// Throws UsageError that names `option` where something is at `path` that is no file: a device, a pipe or a folder is
/// not to be removed or replaced.
void need_no_device(const std::string& option, const std::string& path);

/// Throws UsageError that names `option` where `path`, or what is written beside it (PATH.grid, PATH.part), is one of
/// the files that the command reads. Words that are no files may be among `inputs`.
void need_no_input(const std::string& option, const std::string& path, const std::vector<std::string>& inputs);

/// Writes a file, whole or not at all (whole_file.h). Throws UsageError that names `option`.
void write_file(const std::string& option, const std::string& path, std::string_view text);

}  // namespace salvo::cli
