// One line on standard error while a command works: its elapsed time or a progress bar. It erases itself before
// anything else is written.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "cli/terminal.h"
#include "jobs/job_monitor.h"

namespace salvo::cli {

/// A verb and a unit: "sampling" "trials".
struct Work {
  const char* doing = "sampling";
  const char* units = "trials";
};

/// Until it is destroyed, shows the bar of a Progress, or the elapsed time once nothing was written to the terminal for
/// two seconds. A thread draws the line; there is none if the line cannot be shown.
class StatusLine {
 public:
  /// `command`: a name such as "salvo worth". Shows nothing if that is empty or standard error is not a terminal.
  /// `reads_input`: the command may wait for standard input, so time in which the process is idle does not count.
  StatusLine(std::string_view command, bool reads_input);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

 private:
  std::thread thread_;
};

/// Keeps the line erased while its owner writes to `stream`. Does nothing if the stream is not the terminal.
class TerminalGuard {
 public:
  explicit TerminalGuard(Stream stream);
  ~TerminalGuard();
  TerminalGuard(const TerminalGuard&) = delete;
  TerminalGuard& operator=(const TerminalGuard&) = delete;

 private:
  std::unique_lock<std::mutex> taken_;
};

/// A bar with the rate and the remaining time, which replaces the elapsed time after half a second of work. Safe from
/// several threads at once. There is at most one at a time.
class Progress {
 public:
  explicit Progress(Work work = {});
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts the clock.
  void start();
  void update(std::uint64_t done, std::uint64_t planned);
  /// Shows a text instead of the bar.
  void show(std::string text);
  void erase();

  /// What to show, at most `width` columns; empty before an update after half a second. For the thread of the line.
  std::optional<std::string> line(int width) const;

 private:
  using Clock = std::chrono::steady_clock;
  const Work work_;
  Clock::time_point start_ = Clock::now(), updated_ = start_;
  std::uint64_t done_ = 0, planned_ = 0;
  std::string text_;
};

/// The callback of work that has something to print once it was called: from then on SIGINT stops it (interrupt.h).
std::function<bool(std::uint64_t done, std::uint64_t planned)> interruptible(Progress& progress);

/// Shows the progress of a job; its notes become lines.
jobs::JobMonitor monitor_of(Progress& progress);

/// The bytes that erase the line if it is shown, else nothing; no line is drawn afterwards. For the signal handler that
/// ends the program: async-signal-safe.
std::string_view close_status_line();

/// The text of the bar, at most `width` columns. `planned`: 0 if unknown.
std::string progress_line(std::uint64_t done, std::uint64_t planned, double elapsed_s, int width, Work work = {});

/// The elapsed time, at most `width` columns, as "salvo worth: 12 s so far; Ctrl-C stops it".
std::string elapsed_line(std::string_view command, std::int64_t seconds, int width);

}  // namespace salvo::cli
