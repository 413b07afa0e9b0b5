// Sum of rows: tells whether rows of a sweep were changed after they were made, no more, and whether each is that of
// its cell. In: rows, in pieces of any size. Out: a number; the sum of those of parts is that of the whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace salvo::jobs {

class RowSum {
 public:
  /// `cell`: that of the first row. `head`: before it comes a line of names, which does not count.
  explicit RowSum(std::uint64_t cell, bool head = false) : first_(cell), cell_(cell), has_head_(head), head_(head) {}

  void take(std::string_view bytes);
  /// Of the lines that have ended.
  std::uint64_t value() const { return sum_; }
  /// The number of the cell whose row would be next.
  std::uint64_t next() const { return cell_; }
  /// The first line, from 1, that does not begin with the number of its cell, holds a NUL, or comes behind the row of
  /// the cell before `last`; 0: there is none.
  std::uint64_t wrong_line(std::uint64_t last) const;
  /// What is wrong with it, behind "line 7".
  std::string fault(std::uint64_t line, std::uint64_t last) const;

 private:
  void add(std::string_view line);
  /// Of the line with the row of a cell.
  std::uint64_t line_of(std::uint64_t cell) const { return cell - first_ + (has_head_ ? 2 : 1); }

  std::uint64_t first_, cell_, sum_ = 0, wrong_ = 0;
  bool has_head_, head_;
  std::string begun_;  ///< a line that has not ended
};

/// In FILE.grid of a shard that was finished: this key, and the sum of its rows.
inline constexpr const char* kRowSum = "rows";
std::string row_sum_text(std::uint64_t sum);

}  // namespace salvo::jobs
