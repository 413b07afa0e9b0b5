// Sum of rows: tells whether rows of a sweep were changed after they were made, no more.
// In: whole rows, in pieces of any size. Out: a number; the sum of those of parts is that of the whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace salvo::cli {

class RowSum {
 public:
  /// `cell`: that of the first row. `head`: before it comes a line of names, which does not count.
  explicit RowSum(std::uint64_t cell, bool head = false) : cell_(cell), head_(head) {}

  void take(std::string_view bytes);
  /// Of the lines that have ended.
  std::uint64_t value() const { return sum_; }
  /// The number of the cell whose row would be next.
  std::uint64_t next() const { return cell_; }

 private:
  void add(std::string_view line);

  std::uint64_t cell_, sum_ = 0;
  bool head_;
  std::string begun_;  ///< a line that has not ended
};

/// In FILE.grid of a shard that was finished: this key, and the sum of its rows.
inline constexpr const char* kRowSum = "rows";
std::string row_sum_text(std::uint64_t sum);

}  // namespace salvo::cli
