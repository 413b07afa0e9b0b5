// Version: see version.h.
#include "cli/version.h"

#include <fmt/format.h>

#include "salvo/version.h"

namespace salvo::cli {

std::string version_text() {
  const BuildInfo info = build_info();
  return fmt::format("salvo {}\ncommit {}\ncompiler {}\ninstruction set {} (of {})\n", info.version, info.commit,
                     info.compiler, info.targets.front(), fmt::join(info.targets, ", "));
}

}  // namespace salvo::cli
