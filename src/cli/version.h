// Version: what this program was built from and what it runs on.
// In: salvo/version.h. Out: the text of `salvo --version`.
#pragma once

#include <string>

namespace salvo::cli {

/// Version, commit, compiler and instruction set, a line each.
std::string version_text();

}  // namespace salvo::cli
