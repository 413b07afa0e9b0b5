#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/text.h"
#include "cli/terminal.h"

namespace salvo::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kSilence = 500ms;  ///< at the start
constexpr auto kBetween = 100ms;
constexpr int kWideEnough = 76;  ///< for a bar beside the text
constexpr std::size_t kBarCells = 20;

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

void Progress::start() {
  const std::scoped_lock lock(mutex_);
  start_ = Clock::now();
  next_ = start_ + kSilence;
}

bool Progress::due() const { return shown_ && Clock::now() >= next_; }

void Progress::draw(std::string_view text) {
  if (!drawn_) drawn_.emplace(Stream::Error);
  next_ = Clock::now() + kBetween;
  fmt::print(stderr, "\r{}\x1b[K", text);
  std::fflush(stderr);
}

void Progress::update(std::uint64_t done, std::uint64_t planned) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !due()) return;
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - start_).count();
  draw(progress_line(done, planned, elapsed_s, terminal_width(Stream::Error), work_));
}

void Progress::show(std::string_view text) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !due()) return;
  draw(
      base::clip_to_width(std::string(text), static_cast<std::size_t>(std::max(terminal_width(Stream::Error) - 1, 0))));
}

void Progress::erase() {
  const std::scoped_lock lock(mutex_);
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_.reset();
}

jobs::JobMonitor monitor_of(Progress& progress) {
  return {[&progress] { progress.start(); },
          [&progress](std::uint64_t done, std::uint64_t planned) { progress.update(done, planned); }, write_note};
}

}  // namespace salvo::cli
