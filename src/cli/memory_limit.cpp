#include "cli/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/options.h"

// clang reports sanitizers as features, gcc as macros.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SALVO_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SALVO_SANITIZED
#endif

namespace salvo::cli {
namespace {

constexpr std::uint64_t kLeast = std::uint64_t{64} << 20;  ///< for the profiles and a question

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The memory of the machine, or the lower limit of a control group (containers, services, cluster jobs).
[[maybe_unused]] std::uint64_t available_memory() {
  std::uint64_t machine = std::numeric_limits<std::uint64_t>::max();
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0) machine = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
  std::vector<std::string> texts;
  for (const std::string& file : memory_limit_files(text_of_file("/proc/self/cgroup")))
    texts.push_back(text_of_file(file));
  return least_memory(machine, texts);
}

/// Adds the files of a group and its parents, except the root.
void add_files(std::string_view root, std::string_view group, std::string_view file, std::vector<std::string>& out) {
  // The path of a group outside the visible hierarchy contains "..", which would lead out of the root.
  if (!group.starts_with('/') || group.find("/..") != std::string_view::npos) return;
  while (group.size() > 1) {
    out.push_back(fmt::format("{}{}/{}", root, group, file));
    group = group.substr(0, group.rfind('/'));
  }
}

}  // namespace

std::uint64_t parse_memory(const std::string& option, const std::string& text) {
  constexpr std::array<std::pair<char, int>, 3> kUnits{{{'K', 10}, {'M', 20}, {'G', 30}}};
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  for (const auto& [letter, bits] : kUnits) {
    if (text.empty() || std::toupper(static_cast<unsigned char>(text.back())) != letter) continue;
    const std::optional<std::uint64_t> number = whole_number(text.substr(0, text.size() - 1));
    if (!number) break;
    if (*number < kLeast >> bits)
      throw UsageError(fmt::format("{}: {} is too little; salvo needs {}M", option, text, kLeast >> 20));
    if (*number > kMost >> bits)
      throw UsageError(fmt::format("{}: {} is too much; write {}G at most", option, text, kMost >> 30));
    return *number << bits;
  }
  throw UsageError(fmt::format("{}: {} is not an amount of memory; write 500M or 4G", option, in_quotes(text)));
}

std::vector<std::string> memory_limit_files(std::string_view groups) {
  constexpr std::string_view kRoot = "/sys/fs/cgroup", kOldRoot = "/sys/fs/cgroup/memory";
  constexpr std::string_view kFile = "memory.max", kOldFile = "memory.limit_in_bytes";
  std::vector<std::string> out{fmt::format("{}/{}", kRoot, kFile), fmt::format("{}/{}", kOldRoot, kOldFile)};
  for (const std::string_view line : base::split(groups, '\n')) {  // "0::/user.slice" or "9:cpuset,memory:/docker/1f"
    const std::size_t first = line.find(':'), second = line.find(':', std::min(first, line.size() - 1) + 1);
    if (line.empty() || first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view group = line.substr(second + 1);
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    if (controllers == ",,") add_files(kRoot, group, kFile, out);
    if (controllers.find(",memory,") != std::string::npos) add_files(kOldRoot, group, kOldFile, out);
  }
  return out;
}

std::uint64_t least_memory(std::uint64_t machine, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    std::uint64_t limit = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
    if (error == std::errc() && limit > 0) machine = std::min(machine, limit);
  }
  return machine;
}

void limit_memory([[maybe_unused]] std::optional<std::uint64_t> bytes) {
#if defined(RLIMIT_DATA) && !defined(SALVO_SANITIZED)
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t most = bytes ? *bytes : std::max(kLeast, available_memory() / 2);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, most);
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

}  // namespace salvo::cli
