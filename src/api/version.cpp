// Build info. The only file that includes version_info.h, so that a commit recompiles no other.
#include "salvo/version.h"

#include <iterator>

#include "sample/sample.h"
#include "version_info.h"

namespace salvo {

BuildInfo build_info() {
  return {.version = kVersion,
          .commit = kCommit,
          .compiler = kCompiler,
          .packages = {std::begin(kPackages), std::end(kPackages)},
          .targets = sample::targets(),
          .generators = sample::generator_names()};
}

}  // namespace salvo
