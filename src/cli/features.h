// What a program may have been built without: the server, battles (docs/build.md: Targets).
#pragma once

#include <string>

namespace salvo::cli {

/// For a command that this program was built without; `what`: what is missing, `option`: of CMake, which builds it. The
/// program that scripts/run makes has it built now, and is replaced by that script with the same arguments. Others
/// throw UsageError, which says how to get it.
[[noreturn]] void fail_left_out(const std::string& what, const std::string& command, const std::string& option);

/// The same for a verb of requests, where it is left out.
void open_door_of(const std::string& verb);

}  // namespace salvo::cli
