#include "cli/output.h"

#include <fmt/format.h>

#include "questions/squad_source.h"

namespace salvo::cli {

std::string render(const questions::Answer& answer, const CommandOptions& options) {
  switch (chosen_format(options.format)) {
    case Format::Json:
      return answer.json();
    case Format::Csv:
      return answer.csv();
    case Format::Table:
      break;
  }
  return answer.table(terminal_width(Stream::Output), colour_wanted(Stream::Output));
}

void warn_of_unknown(const Squad& squad) {
  std::vector<std::string> warnings;
  questions::warn_of_unknown(squad, warnings);
  write_warnings(warnings);
}

void write_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) write_error(fmt::format("salvo: warning: {}\n", warning));
}

}  // namespace salvo::cli
