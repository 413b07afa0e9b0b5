#include "serve/log.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace salvo::serve {

/// "2026-01-02T03:04:05.678Z".
std::string Log::now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  tm day{};
  gmtime_r(&time.tv_sec, &day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday,
                     day.tm_hour, day.tm_min, day.tm_sec, time.tv_nsec / 1'000'000);
}

void Log::add(const std::string& line) {
  if (waiting_.size() + line.size() > kMost) {
    ++dropped_;
    return;
  }
  waiting_ += line;
  waiting_ += '\n';
  if (waiting_.size() >= kWriteAt) flush();
}

void Log::flush() {
  std::size_t written = 0;
  while (written < waiting_.size()) {
    // A pipe that is ready accepts PIPE_BUF bytes without blocking.
    pollfd ready{STDERR_FILENO, POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1) break;
    const ssize_t n =
        write(STDERR_FILENO, waiting_.data() + written, std::min<std::size_t>(PIPE_BUF, waiting_.size() - written));
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (n < 0) {  // the reader is gone
      written = waiting_.size();
      break;
    }
    written += static_cast<std::size_t>(n);
  }
  waiting_.erase(0, written);
}

}  // namespace salvo::serve
