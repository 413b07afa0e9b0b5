// SIGINT: see interrupt.h.
#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "cli/exit_status.h"

namespace salvo::cli {
namespace {

enum State : int { kEnd, kCollect, kRequested };

// The only global of the program: a signal handler has no other way to say something.
std::atomic<int> g_state{kEnd};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only use lock-free atomics");

/// Calls only what POSIX allows in a signal handler.
extern "C" void on_interrupt(int) {
  int expected = kCollect;
  if (g_state.compare_exchange_strong(expected, kRequested)) return;
  constexpr std::string_view kLine = "\nsalvo: interrupted\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kLine.data(), kLine.size());
  _exit(kInterrupted);
}

}  // namespace

void end_on_interrupt() {
  struct sigaction now {};
  // A shell starts background jobs with SIGINT ignored; that is to stay so.
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  g_state = kEnd;
}

void collect_interrupts() { g_state = kCollect; }

bool interrupted() { return g_state == kRequested; }

}  // namespace salvo::cli
