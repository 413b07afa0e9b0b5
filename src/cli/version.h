// The text of `salvo --version`.
#pragma once

#include <string>

namespace salvo::cli {

/// Version, commit, compiler and instruction set, a line each; `verbose` adds the libraries.
std::string version_text(bool verbose);

}  // namespace salvo::cli
