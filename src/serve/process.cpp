#include "serve/process.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

namespace salvo::serve {

std::size_t allow_connections(std::size_t wanted) {
  constexpr std::size_t kOthers = 64;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur > kOthers ? std::min<std::size_t>(wanted, limit.rlim_cur - kOthers) : wanted;
}

void keep_memory() {
  mallopt(M_ARENA_MAX, 8);
  mallopt(M_MMAP_THRESHOLD, 8 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace salvo::serve
