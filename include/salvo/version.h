// Identifies the build of the library, for display and for storing with results.
#pragma once

#include <string>
#include <vector>

namespace salvo {

/// The build that the program is linked with.
struct BuildInfo {
  std::string version;   ///< "1.0.0": major, minor, patch (docs/promises.md)
  std::string commit;    ///< abbreviated commit of the sources, with "-dirty" if they were changed; or "unknown"
  std::string compiler;  ///< "GNU 12.2.0"
  std::vector<std::string> packages;  ///< the libraries it was built with, "fmt 9.1.0" each, by name
  /// Instruction sets of the sampling engine that this processor can run, best first; the last is "reference".
  std::vector<std::string> targets;
  std::vector<std::string> generators;  ///< random number generators (AnswerOptions::generator), the default first
};
BuildInfo build_info();

}  // namespace salvo
