// Memory: how much of it the program may use. Beyond that an allocation fails, as if the machine had no more: the exact
// engine then gives way to sampling, or a sentence says what was too large, and nobody else on the machine is pushed
// out. In: --memory, or what the machine has. Out: a limit of the process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::cli {

/// "4G", "500M" or "64K" in bytes. Throws UsageError.
std::uint64_t parse_memory(const std::string& option, const std::string& text);

/// The files in which the limits of a process's control groups stand. `groups`: its /proc/self/cgroup. Of the group and
/// of those that it is in, of both versions of control groups. A container may show its own groups alone, at the root:
/// the files there are always among them, and not all that are named need be there.
std::vector<std::string> memory_limit_files(std::string_view groups);

/// The least of `machine` and the limits in the texts of such files, in bytes. No number ("max"), and 0, is no limit.
std::uint64_t least_memory(std::uint64_t machine, const std::vector<std::string>& texts);

/// Limits what the process may allocate; empty: to half of what there is, of the machine or of its control group. A
/// lower limit that is there already (ulimit -d) stays. Nothing where the system has no such limit, and under
/// sanitizers, which need more than all.
void limit_memory(std::optional<std::uint64_t> bytes);

}  // namespace salvo::cli
