#include "cli/version.h"

#include <fmt/format.h>

#include "base/text.h"
#include "salvo/version.h"

namespace salvo::cli {

std::string version_text(bool verbose) {
  const BuildInfo info = build_info();
  std::string out = fmt::format("salvo {}\ncommit {}\ncompiler {}\ninstruction set {} (of {})\n", info.version,
                                info.commit, info.compiler, info.targets.front(), base::joined(info.targets, ", "));
  for (const std::string& package : info.packages)
    if (verbose) out += fmt::format("library {}\n", package);
  return out;
}

}  // namespace salvo::cli
