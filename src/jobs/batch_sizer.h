// Pace: cuts work into parts that take a fraction of a second each: long enough to be worth a message between machines,
// short enough that nobody waits for the last one and little is lost when one stops.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "jobs/worker_group.h"

namespace salvo::jobs {

class Pace {
 public:
  /// Parts of the range from `first` to `last` that end at multiples of `block`, with 1 to `most_blocks` of them in
  /// each.
  Pace(std::uint64_t first, std::uint64_t last, std::uint64_t block, std::uint64_t most_blocks)
      : next_(first), last_(last), block_(block), most_blocks_(most_blocks) {}

  /// The next part; empty at the end.
  std::optional<Part> next() {
    if (next_ >= last_) return std::nullopt;
    const Part out{next_, std::min(last_, (next_ / block_ + blocks_) * block_)};
    next_ = out.last;
    return out;
  }

  /// How long a part took.
  void took(double seconds) {
    const std::uint64_t blocks = blocks_;
    if (seconds < 0.05 && 2 * blocks <= most_blocks_) blocks_ = 2 * blocks;
    if (seconds > 0.4 && blocks > 1) blocks_ = blocks / 2;
  }

 private:
  std::uint64_t next_, last_, block_, most_blocks_;
  std::atomic<std::uint64_t> blocks_ = 1;  ///< told by one thread, asked by another
};

}  // namespace salvo::jobs
