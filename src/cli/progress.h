// Progress: a bar with rate and time left on standard error while sampling takes long.
// In: trials done and planned. Out: one line of the terminal that erases itself.
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

/// What is done and counted: "sampling" "trials".
struct Work {
  const char* doing = "sampling";
  const char* units = "trials";
};

/// The text of the bar, at most `width` columns. `planned` 0: unknown.
std::string progress_line(std::uint64_t done, std::uint64_t planned, double elapsed_s, int width, Work work = {});

/// Shows the bar when the work has taken half a second. May be told from several threads.
class Progress {
 public:
  /// `shown`: false keeps it silent.
  explicit Progress(bool shown, Work work = {}) : shown_(shown), work_(work) {}
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The time counts from here.
  void start();
  void tell(std::uint64_t done, std::uint64_t planned);
  /// What is there, in words of the caller.
  void say(std::string_view text);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  const bool shown_;
  const Work work_;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
  std::optional<TerminalTaken> drawn_;

  bool due() const;
  void draw(std::string_view text);
};

/// Shows the progress of a job; its notes become lines.
jobs::JobMonitor monitor_of(Progress& progress);

}  // namespace salvo::cli
