// Version: see version.h. The only file that includes version_info.h, so that a commit recompiles no other.
#include "cli/version.h"

#include <fmt/format.h>

#include "version_info.h"

namespace salvo::cli {

std::string version_text() {
  constexpr const char* kInstructionSet = "scalar";
  return fmt::format("salvo {}\ncommit {}\ncompiler {}\ninstruction set {}\n", kVersion, kCommit, kCompiler,
                     kInstructionSet);
}

}  // namespace salvo::cli
