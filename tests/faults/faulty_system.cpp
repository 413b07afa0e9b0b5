// A library for LD_PRELOAD that simulates a faulty system: short writes, a full disk, signals, a vanishing folder, or a
// jumping clock. In: SALVO_FAULT in the environment:
//   short        a write writes at most seven bytes, and every third is interrupted
//   full:N       the disk is full after N bytes of files
//   kill:N       SIGKILL after N bytes; term:N: SIGTERM
//   gone:N:PATH  after N bytes PATH is renamed to PATH.gone
//   clock        the time of day jumps by a year, there and back
// Otherwise system calls work as usual.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

enum class Fault { None, Short, Full, Kill, Term, Gone, Clock };

struct Plan {
  Fault fault = Fault::None;
  long at = 0;       ///< bytes written to files before the fault
  std::string path;  ///< to rename
};

Plan read_plan() {
  const char* const given = std::getenv("SALVO_FAULT");
  const std::string text = given == nullptr ? "" : given;
  const std::string name = text.substr(0, text.find(':'));
  Plan out;
  out.fault = name == "short"   ? Fault::Short
              : name == "full"  ? Fault::Full
              : name == "kill"  ? Fault::Kill
              : name == "term"  ? Fault::Term
              : name == "gone"  ? Fault::Gone
              : name == "clock" ? Fault::Clock
                                : Fault::None;
  if (name.size() == text.size()) return out;
  char* end = nullptr;
  out.at = std::strtol(text.c_str() + name.size() + 1, &end, 10);
  if (*end == ':') out.path = end + 1;
  return out;
}

const Plan& plan() {
  static const Plan kPlan = read_plan();
  return kPlan;
}

std::atomic<long> written{0}, calls{0};

bool is_file(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

/// The number of bytes, of `size`, that may be written now; 0 with errno if none.
std::size_t allowed(int fd, std::size_t size) {
  constexpr std::size_t kFew = 7;
  if (plan().fault == Fault::Short) {
    if (++calls % 3 != 0) return std::min(size, kFew);
    errno = EINTR;
    return 0;
  }
  if (plan().fault == Fault::None || plan().fault == Fault::Clock || !is_file(fd)) return size;
  const long before = written.fetch_add(static_cast<long>(size)), left = plan().at - before;
  if (left >= static_cast<long>(size)) return size;
  if (plan().fault == Fault::Gone) {
    if (left >= 0) std::rename(plan().path.c_str(), (plan().path + ".gone").c_str());
    return size;
  }
  errno = ENOSPC;
  return left > 0 ? static_cast<std::size_t>(left) : 0;
}

/// Ends the program once the bytes before the fault are written.
void end_if_due() {
  if (written.load() <= plan().at) return;
  if (plan().fault == Fault::Kill) kill(getpid(), SIGKILL);
  if (plan().fault == Fault::Term) kill(getpid(), SIGTERM);
}

template <typename Write>
ssize_t write_some(int fd, std::size_t size, Write write) {
  const std::size_t most = allowed(fd, size);
  const ssize_t out = most == 0 && size > 0 ? -1 : write(most);
  if (plan().fault == Fault::Kill || plan().fault == Fault::Term) end_if_due();
  return out;
}

ssize_t write_at(int fd, const void* bytes, std::size_t size, off_t at) {
  return write_some(fd, size, [&](std::size_t most) { return syscall(SYS_pwrite64, fd, bytes, most, at); });
}

constexpr long kYear = 365 * 24 * 3600;

/// Alternates between a year ago and a year ahead.
long jump() { return plan().fault != Fault::Clock ? 0 : ++calls % 2 == 0 ? kYear : -kYear; }

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, std::size_t size) {
  return write_some(fd, size, [&](std::size_t most) { return syscall(SYS_write, fd, bytes, most); });
}
ssize_t pwrite(int fd, const void* bytes, std::size_t size, off_t at) { return write_at(fd, bytes, size, at); }
ssize_t pwrite64(int fd, const void* bytes, std::size_t size, off_t at) { return write_at(fd, bytes, size, at); }

/// The first part that is not empty alone, which is allowed.
ssize_t writev(int fd, const iovec* parts, int count) {
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len > 0) return write(fd, parts[i].iov_base, parts[i].iov_len);
  }
  return 0;
}

int clock_gettime(clockid_t clock, timespec* out) noexcept {
  const int status = static_cast<int>(syscall(SYS_clock_gettime, clock, out));
  if (status == 0 && clock == CLOCK_REALTIME) out->tv_sec += jump();
  return status;
}
int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *out = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}
}
