// Splits work into ranges that take a fraction of a second each: long enough to amortize a message between machines,
// short enough to balance the load at the end and to lose little when a process stops.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "jobs/worker_group.h"

namespace salvo::jobs {

class BatchSizer {
 public:
  /// Splits the range from `first` to `last` into ranges of 1 to `max_blocks` blocks that end at multiples of `block`.
  BatchSizer(std::uint64_t first, std::uint64_t last, std::uint64_t block, std::uint64_t max_blocks)
      : next_(first), last_(last), block_(block), max_blocks_(max_blocks) {}

  /// The next range; empty at the end.
  std::optional<WorkRange> next() {
    if (next_ >= last_) return std::nullopt;
    const WorkRange out{next_, std::min(last_, (next_ / block_ + blocks_) * block_)};
    next_ = out.last;
    return out;
  }

  /// Adapts the size of later ranges to the time that one took.
  void record_duration(double seconds) {
    const std::uint64_t blocks = blocks_;
    if (seconds < 0.05 && 2 * blocks <= max_blocks_) blocks_ = 2 * blocks;
    if (seconds > 0.4 && blocks > 1) blocks_ = blocks / 2;
  }

 private:
  std::uint64_t next_, last_, block_, max_blocks_;
  std::atomic<std::uint64_t> blocks_ = 1;  ///< written by the thread that collects results, read by the one in next()
};

}  // namespace salvo::jobs
