// Limits the memory of the process, so that a large question cannot exhaust the machine. An allocation beyond the limit
// fails; then the program samples instead of solving exactly, or reports that the question is too large.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::cli {

/// "4G", "500M" or "64K" in bytes. Throws UsageError.
std::uint64_t parse_memory(const std::string& option, const std::string& text);

/// The files with the memory limits of the process's control groups and their parents, for both versions of control
/// groups. `groups`: the text of /proc/self/cgroup. Always contains the files at the root, because a container may see
/// only its own group there. The files need not exist.
std::vector<std::string> memory_limit_files(std::string_view groups);

/// The minimum of `machine` and the limits in the texts of such files, in bytes. "max" and 0 mean no limit.
std::uint64_t least_memory(std::uint64_t machine, const std::vector<std::string>& texts);

/// Limits what the process may allocate; empty: to half the memory of the machine or control group. A lower existing
/// limit (ulimit -d) stays. Does nothing on systems without such a limit, and under sanitizers, which reserve vast
/// address ranges.
void limit_memory(std::optional<std::uint64_t> bytes);

}  // namespace salvo::cli
