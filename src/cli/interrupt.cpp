#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "cli/exit_status.h"
#include "cli/status_line.h"

namespace salvo::cli {
namespace {

enum State : int { kEnd, kCollect, kRequested };

// Global, because a signal handler takes no arguments.
std::atomic<int> g_state{kEnd};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only use lock-free atomics");

constexpr unsigned kGrace = 4;  ///< seconds within which the flag must be polled

// The handlers are async-signal-safe.

[[noreturn]] void end_interrupted() {
  for (const std::string_view text : {close_status_line(), std::string_view("\nsalvo: interrupted\n")}) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  }
  _exit(kInterrupted);
}

/// The flag was not polled: the running work cannot be stopped otherwise.
extern "C" void on_deadline(int) { end_interrupted(); }

extern "C" void on_interrupt(int) {
  int expected = kCollect;
  if (!g_state.compare_exchange_strong(expected, kRequested)) end_interrupted();
  struct sigaction action {};
  action.sa_handler = on_deadline;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  alarm(kGrace);
}

}  // namespace

void end_on_interrupt() {
  struct sigaction now {};
  // A shell starts background jobs with SIGINT ignored; keep that.
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  g_state = kEnd;
}

void collect_interrupts() { g_state = kCollect; }

bool interrupted() {
  if (g_state != kRequested) return false;
  alarm(0);
  return true;
}

}  // namespace salvo::cli
