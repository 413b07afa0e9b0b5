#include "cli/output.h"

#include <fmt/format.h>

namespace salvo::cli {

void warn_of_unknown(const Squad& squad) {
  for (const UnknownId& id : squad.unknown) {
    write_error(fmt::format("salvo: warning: {}: {}: unknown {} \"{}\"; {}\n", squad.source, id.path, id.kind, id.id,
                            id.reason));
  }
}

}  // namespace salvo::cli
