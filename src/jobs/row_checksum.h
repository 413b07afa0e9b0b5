// A checksum of the rows of a sweep that detects later changes, and a check that each row belongs to its cell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace salvo::jobs {

/// Reads rows in blocks of any size. Sums add up: the sum of a whole is the sum of its parts' sums.
class RowChecksum {
 public:
  /// `cell`: number of the first row's cell. `head`: a line of column names, which is not summed, precedes the rows.
  explicit RowChecksum(std::uint64_t cell, bool head = false)
      : first_(cell), cell_(cell), has_head_(head), expects_head_(head) {}

  void add_bytes(std::string_view bytes);
  /// The sum of all complete lines.
  std::uint64_t value() const { return sum_; }
  /// The number of the cell whose row is expected next.
  std::uint64_t next() const { return cell_; }
  /// The first line, counted from 1, that does not begin with the number of its cell, contains a NUL, or comes after
  /// the last row expected, that of cell `last` - 1; 0 if there is none.
  std::uint64_t wrong_line(std::uint64_t last) const;
  /// What is wrong with that line, as the rest of a sentence that begins "line 7".
  std::string fault(std::uint64_t line, std::uint64_t last) const;

 private:
  void add_line(std::string_view line);
  /// The line number of a cell's row.
  std::uint64_t line_of(std::uint64_t cell) const { return cell - first_ + (has_head_ ? 2 : 1); }

  std::uint64_t first_, cell_, sum_ = 0, wrong_ = 0;
  bool has_head_, expects_head_;
  std::string partial_;  ///< the beginning of a line that is not complete yet
};

/// The key in FILE.grid under which a finished shard stores the checksum of its rows.
inline constexpr const char* kRowChecksumKey = "rows";
std::string row_checksum_text(std::uint64_t sum);

}  // namespace salvo::jobs
