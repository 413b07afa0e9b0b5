// Version: see version.h. The only file that includes version_info.h, so that a commit recompiles no other.
#include "cli/version.h"

#include <fmt/format.h>

#include "sample/sample.h"
#include "version_info.h"

namespace salvo::cli {

std::string version_text() {
  const std::vector<std::string> targets = sample::targets();
  return fmt::format("salvo {}\ncommit {}\ncompiler {}\ninstruction set {} (of {})\n", kVersion, kCommit, kCompiler,
                     targets.front(), fmt::join(targets, ", "));
}

}  // namespace salvo::cli
