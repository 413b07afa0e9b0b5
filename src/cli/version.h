// Version: what this program was built from and what it runs on.
// In: salvo/version.h. Out: the text of `salvo --version`.
#pragma once

#include <string>

namespace salvo::cli {

/// Version, commit, compiler and instruction set, a line each; `verbose`: the libraries, too.
std::string version_text(bool verbose);

}  // namespace salvo::cli
