// A progress bar with the rate and the remaining time, in one line on standard error that erases itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cli/elapsed.h"
#include "jobs/job_monitor.h"

namespace salvo::cli {

/// A verb and a unit: "sampling" "trials".
struct Work {
  const char* doing = "sampling";
  const char* units = "trials";
};

/// The text of the bar, at most `width` columns. `planned`: 0 if unknown.
std::string progress_line(std::uint64_t done, std::uint64_t planned, double elapsed_s, int width, Work work = {});

/// Shows the bar after half a second. Safe from several threads at once.
class Progress {
 public:
  /// `shown`: false shows nothing.
  explicit Progress(bool shown, Work work = {}) : shown_(shown), work_(work) {}
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts the clock.
  void start();
  void update(std::uint64_t done, std::uint64_t planned);
  /// Shows a text instead of the bar.
  void show(std::string_view text);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  const bool shown_;
  const Work work_;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
  std::optional<TerminalGuard> drawn_;

  bool due() const;
  void draw(std::string_view text);
};

/// Shows the progress of a job; its notes become lines.
jobs::JobMonitor monitor_of(Progress& progress);

}  // namespace salvo::cli
