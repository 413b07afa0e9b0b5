#include "cli/elapsed.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>

namespace salvo::cli {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000, kSilence = 2 * kSecond;  // nanoseconds
constexpr std::int64_t kBusy = kSecond / 20;  ///< per second: a process that uses less processor time is waiting
constexpr std::string_view kErase = "\r\x1b[K";
constexpr std::size_t kMaxBytes = 160;

/// The state of the signal handler, which takes no arguments.
struct Line {
  bool armed = false;         ///< set before threads start, like all members that are not atomic
  std::atomic<int> state{0};  ///< two bits; above them the number of TerminalGuards
  std::atomic<std::int64_t> begun{0}, silent_since{0}, used{0};
  bool waits_for_input = false, output_too = false;
  int columns = 0;
  std::array<char, 64> command{};
};
constexpr int kDrawing = 1, kShown = 2, kTaken = 4;
Line g_line;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler may only use lock-free atomics");

std::int64_t nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

/// Makes one system call, even if that writes only a part.
void write_once(std::string_view text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

/// Writes the line to `bytes` and returns its length. Async-signal-safe.
std::size_t compose(std::string_view command, long seconds, int width, std::array<char, kMaxBytes>& bytes) {
  std::size_t size = 0;
  const auto add = [&](std::string_view text) {
    const std::size_t n = std::min(text.size(), bytes.size() - size);
    std::memcpy(bytes.data() + size, text.data(), n);
    size += n;
  };
  std::array<char, 24> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), seconds);
  add(command);
  add(": ");
  add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  add(" s so far; Ctrl-C stops it");
  return std::min(size, static_cast<std::size_t>(std::max(width - 1, 0)));  // the last column stays free
}

void draw(std::int64_t now) {
  std::array<char, kMaxBytes> line;
  const std::size_t size =
      compose(g_line.command.data(), static_cast<long>((now - g_line.begun) / kSecond), g_line.columns, line);
  std::array<char, kMaxBytes + 8> bytes;
  std::size_t at = 0;
  for (const std::string_view part : {std::string_view("\r"), std::string_view(line.data(), size), kErase.substr(1)}) {
    std::memcpy(bytes.data() + at, part.data(), part.size());
    at += part.size();
  }
  write_once({bytes.data(), at});
}

/// The processor time that the process used since the last call; empty at the first call, which would include the
/// startup.
std::optional<std::int64_t> work_since() {
  const std::int64_t now = nanoseconds(CLOCK_PROCESS_CPUTIME_ID), before = g_line.used.exchange(now);
  return before == 0 ? std::nullopt : std::optional(now - before);
}

/// Runs each second. Does nothing if another thread is writing or drawing.
void tick() {
  int free = g_line.state & kShown;
  if (!g_line.state.compare_exchange_strong(free, free | kDrawing)) return;
  const std::int64_t now = nanoseconds(CLOCK_MONOTONIC);
  int next = free;
  const std::optional<std::int64_t> work = g_line.waits_for_input ? work_since() : std::optional(kBusy);
  if (!work) {
    // first tick of a command that may wait for input
  } else if (*work < kBusy) {
    if (free != 0) write_once(kErase);
    g_line.begun = g_line.silent_since = now;
    next = 0;
  } else if (now - g_line.silent_since >= kSilence && tcgetpgrp(STDERR_FILENO) == getpgrp()) {  // not in the background
    draw(now);
    next = kShown;
  }
  // A TerminalGuard made meanwhile waits until kDrawing is cleared.
  g_line.state += next - free - kDrawing;
}

extern "C" void on_alarm(int) {
  const int saved = errno;
  tick();
  errno = saved;
}

void set_timer(time_t first, time_t then) {
  const itimerval every{{then, 0}, {first, 0}};
  setitimer(ITIMER_REAL, &every, nullptr);
}

void take_terminal() {
  g_line.state += kTaken;
  while ((g_line.state & kDrawing) != 0) std::this_thread::yield();
  if ((g_line.state.fetch_and(~kShown) & kShown) != 0) write_once(kErase);
}

void give_terminal_back() {
  g_line.silent_since = nanoseconds(CLOCK_MONOTONIC);
  g_line.state -= kTaken;
}

}  // namespace

Elapsed::Elapsed(std::string_view command, bool reads_input) {
  if (command.empty() || !is_terminal(Stream::Error)) return;
  g_line.command.fill('\0');
  std::memcpy(g_line.command.data(), command.data(), std::min(command.size(), g_line.command.size() - 1));
  g_line.columns = terminal_width(Stream::Error);
  g_line.waits_for_input = reads_input;
  g_line.output_too = is_terminal(Stream::Output);
  g_line.begun = g_line.silent_since = nanoseconds(CLOCK_MONOTONIC);
  g_line.armed = true;
  struct sigaction action {};
  action.sa_handler = on_alarm;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);  // its handler must not run while a line is half drawn
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  set_timer(kSilence / kSecond, 1);
}

Elapsed::~Elapsed() {
  if (!g_line.armed) return;
  set_timer(0, 0);
  take_terminal();  // never given back
}

TerminalGuard::TerminalGuard(Stream stream) : taken_(g_line.armed && (stream == Stream::Error || g_line.output_too)) {
  if (taken_) take_terminal();
}

TerminalGuard::~TerminalGuard() {
  if (taken_) give_terminal_back();
}

std::string_view elapsed_line_eraser() { return (g_line.state & kShown) != 0 ? kErase : std::string_view(); }

std::string elapsed_line(std::string_view command, long seconds, int width) {
  std::array<char, kMaxBytes> bytes;
  return {bytes.data(), compose(command, seconds, width, bytes)};
}

}  // namespace salvo::cli
