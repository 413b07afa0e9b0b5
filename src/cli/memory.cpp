// Memory: see memory.h.
#include "cli/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <limits>
#include <utility>

#include "cli/arguments.h"
#include "cli/options.h"

// clang says it as a feature, gcc as a macro.
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

constexpr std::uint64_t kLeast = std::uint64_t{64} << 20;  ///< the profiles, and room for a question

/// Of the machine, or less where a control group allows less (containers).
[[maybe_unused]] std::uint64_t memory_there_is() {
  std::uint64_t out = std::numeric_limits<std::uint64_t>::max();
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0) out = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t limit = 0;  // "max" is no number
    if (std::ifstream(file) >> limit && limit > 0) out = std::min(out, limit);
  }
  return out;
}

}  // namespace

std::uint64_t parse_memory(const std::string& option, const std::string& text) {
  constexpr std::array<std::pair<char, int>, 3> kUnits{{{'K', 10}, {'M', 20}, {'G', 30}}};
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  for (const auto& [letter, bits] : kUnits) {
    if (text.empty() || std::toupper(static_cast<unsigned char>(text.back())) != letter) continue;
    return parse_count(option, text.substr(0, text.size() - 1), kLeast >> bits, kMost >> bits) << bits;
  }
  throw UsageError(fmt::format("{}: {} is no amount of memory; write 500M or 4G", option, in_quotes(text)));
}

void limit_memory([[maybe_unused]] std::optional<std::uint64_t> bytes) {
#if defined(RLIMIT_DATA) && !defined(SALVO_SANITIZED)
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t most = bytes ? *bytes : std::max(kLeast, memory_there_is() / 2);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, most);
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

}  // namespace salvo::cli
