#include "cli/output.h"

#include <fmt/format.h>

namespace salvo::cli {

std::string rendered(const questions::Answer& answer, const RunOptions& options) {
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
  for (const UnknownId& id : squad.unknown) {
    write_error(fmt::format("salvo: warning: {}: {}: unknown {} \"{}\"; {}\n", squad.source, id.path, id.kind, id.id,
                            id.reason));
  }
}

}  // namespace salvo::cli
