#include "cli/status_line.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <memory>

#include "base/text.h"
#include "cli/interrupt.h"

namespace salvo::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
constexpr Clock::duration kSilence = 2s, kBetween = 1s;  ///< of the elapsed time
constexpr Clock::duration kBarSilence = 500ms, kBetweenBars = 100ms;
constexpr int kBusy = 20;        ///< a process that uses less than a twentieth of the processor time is waiting
constexpr int kWideEnough = 76;  ///< for a bar beside the text
constexpr std::size_t kBarCells = 20;
constexpr std::string_view kErase = "\r\x1b[K";

/// Global, because a signal handler takes no arguments and any thread may write to the terminal.
struct Line {
  bool runs = false;  ///< set before other threads start, like the next two
  bool waits_for_input = false, output_too = false;
  std::string command;

  std::mutex mutex;  ///< guards what follows, and the terminal
  std::condition_variable changed;
  bool ends = false;
  const Progress* progress = nullptr;
  std::string drawn;
  Clock::time_point begun, silent_since, looked;
  std::clock_t used = 0;  ///< processor time at `looked`

  std::atomic<bool> shown{false}, drawing{false}, closed{false};
};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only use lock-free atomics");
Line g_line;

/// Makes one system call, even if that writes only a part.
void write_once(std::string_view text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

void erase_line() {
  if (g_line.shown.exchange(false)) write_once(kErase);
  g_line.drawn.clear();
  g_line.silent_since = Clock::now();
}

void draw(std::string text) {
  if (text == g_line.drawn || tcgetpgrp(STDERR_FILENO) != getpgrp()) return;  // not in the background
  const std::string bytes = fmt::format("\r{}\x1b[K", text);
  g_line.drawing = true;
  if (!g_line.closed) {
    g_line.shown = true;
    write_once(bytes);
  }
  g_line.drawing = false;
  g_line.drawn = std::move(text);
}

/// Whether the process has been waiting since the last call.
bool is_idle(Clock::time_point now) {
  const std::chrono::duration<double> work(static_cast<double>(std::clock() - g_line.used) / CLOCKS_PER_SEC);
  const bool out = work * kBusy < now - g_line.looked;
  g_line.looked = now;
  g_line.used = std::clock();
  return out;
}

void update_line() {
  const int width = terminal_width(Stream::Error);
  if (g_line.progress != nullptr) {
    if (std::optional<std::string> bar = g_line.progress->line(width)) return draw(std::move(*bar));
  }
  const Clock::time_point now = Clock::now();
  if (g_line.waits_for_input && is_idle(now)) {
    erase_line();
    g_line.begun = now;
  } else if (now - g_line.silent_since >= kSilence) {
    draw(elapsed_line(g_line.command, std::chrono::duration_cast<std::chrono::seconds>(now - g_line.begun).count(),
                      width));
  }
}

void run_line() {
  std::unique_lock lock(g_line.mutex);
  while (!g_line.ends) {
    try {
      update_line();
    } catch (const std::exception&) {  // no memory for a text; the command will report that
    }
    g_line.changed.wait_for(lock, g_line.progress != nullptr ? kBetweenBars : kBetween);
  }
}

/// "12.3 M" for 12,300,000.
std::string short_count(double n) {
  constexpr std::array<const char*, 5> kUnits = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (n >= 999.5 && unit + 1 < kUnits.size()) {
    n /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g}{}", n, kUnits[unit]);
}

/// "3 min 05 s".
std::string duration(double seconds) {
  if (!(seconds < 360'000)) return "days";
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

/// "████▍░░░░░".
std::string gauge(double share) {
  std::string out = base::block_bar(share, kBarCells);
  for (std::size_t i = base::display_width(out); i < kBarCells; ++i) out += "░";
  return out;
}

}  // namespace

std::string progress_line(std::uint64_t done, std::uint64_t planned, double elapsed_s, int width, Work work) {
  const auto trials = static_cast<double>(done);
  const double rate = elapsed_s > 0 ? trials / elapsed_s : 0;
  std::string text = fmt::format("{} {}, {}/s", short_count(trials), work.units, short_count(rate));
  if (planned > 0 && rate > 0) {
    const double share = std::min(1.0, trials / static_cast<double>(planned));
    const double left_s = std::max(0.0, static_cast<double>(planned) - trials) / rate;
    const std::string bar = width >= kWideEnough ? gauge(share) + "  " : "";
    text = fmt::format("{:3.0f}%  {}{}, {} left", std::floor(100 * share), bar, text, duration(left_s));
  }
  // The last column stays free: some terminals wrap when it is written.
  return base::clip_to_width(std::string(work.doing) + "  " + text, static_cast<std::size_t>(std::max(width - 1, 0)));
}

std::string elapsed_line(std::string_view command, std::int64_t seconds, int width) {
  const std::string text = fmt::format("{}: {} s so far; Ctrl-C stops it", command, seconds);
  return text.substr(0, static_cast<std::size_t>(std::max(width - 1, 0)));
}

StatusLine::StatusLine(std::string_view command, bool reads_input) {
  if (command.empty() || !is_terminal(Stream::Error)) return;
  g_line.command = command;
  g_line.waits_for_input = reads_input;
  g_line.output_too = is_terminal(Stream::Output);
  g_line.begun = g_line.silent_since = g_line.looked = Clock::now();
  g_line.used = std::clock();
  // The thread takes no signals: close_status_line() waits for it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread(run_line);
  } catch (const std::exception&) {  // no memory for a thread, so no line
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  g_line.runs = thread_.joinable();
}

StatusLine::~StatusLine() {
  if (!g_line.runs) return;
  {
    const std::scoped_lock lock(g_line.mutex);
    g_line.ends = true;
    erase_line();
  }
  g_line.changed.notify_one();
  thread_.join();
}

TerminalGuard::TerminalGuard(Stream stream) {
  if (!g_line.runs || (stream != Stream::Error && !g_line.output_too)) return;
  taken_ = std::unique_lock(g_line.mutex);
  erase_line();
}

TerminalGuard::~TerminalGuard() {
  if (taken_) g_line.silent_since = Clock::now();
}

Progress::Progress(Work work) : work_(work) {
  if (!g_line.runs) return;
  {
    const std::scoped_lock lock(g_line.mutex);
    g_line.progress = this;
  }
  g_line.changed.notify_one();
}

void Progress::start() {
  const std::scoped_lock lock(g_line.mutex);
  start_ = Clock::now();
}

void Progress::update(std::uint64_t done, std::uint64_t planned) {
  if (!g_line.runs) return;
  const std::scoped_lock lock(g_line.mutex);
  updated_ = Clock::now();
  done_ = done;
  planned_ = planned;
}

void Progress::show(std::string text) {
  if (!g_line.runs) return;
  const std::scoped_lock lock(g_line.mutex);
  updated_ = Clock::now();
  text_ = std::move(text);
}

void Progress::erase() {
  if (!g_line.runs) return;
  const std::scoped_lock lock(g_line.mutex);
  if (g_line.progress != this) return;
  g_line.progress = nullptr;
  erase_line();
}

std::optional<std::string> Progress::line(int width) const {
  if (updated_ - start_ < kBarSilence) return std::nullopt;
  if (!text_.empty()) return base::clip_to_width(text_, static_cast<std::size_t>(std::max(width - 1, 0)));
  return progress_line(done_, planned_, std::chrono::duration<double>(updated_ - start_).count(), width, work_);
}

std::function<bool(std::uint64_t, std::uint64_t)> interruptible(Progress& progress) {
  return [&progress, begun = std::make_shared<std::once_flag>()](std::uint64_t done, std::uint64_t planned) {
    std::call_once(*begun, collect_interrupts);
    progress.update(done, planned);
    return !interrupted();
  };
}

jobs::JobMonitor monitor_of(Progress& progress) {
  return {[&progress] { progress.start(); },
          [&progress](std::uint64_t done, std::uint64_t planned) { progress.update(done, planned); }, write_note};
}

std::string_view close_status_line() {
  g_line.closed = true;
  while (g_line.drawing) {
  }
  return g_line.shown ? kErase : std::string_view();
}

}  // namespace salvo::cli
