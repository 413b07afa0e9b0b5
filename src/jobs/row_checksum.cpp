#include "jobs/row_checksum.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace salvo::jobs {
namespace {

/// Reads eight bytes at a time, so its cost is small compared with making the row. Each step is a bijection of the
/// word, so a change within one group of eight bytes always changes the hash.
std::uint64_t row_hash(std::string_view line, std::uint64_t cell) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;  // 2^64 divided by the golden ratio, as in Fibonacci hashing
  std::uint64_t out = (cell + 1) * kOdd + line.size();
  while (!line.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min(line.size(), sizeof(word));
    std::memcpy(&word, line.data(), bytes);
    out = (out ^ word) * kOdd;
    out ^= out >> 32;
    line.remove_prefix(bytes);
  }
  return out;
}

/// Whether a line of JSON or CSV begins with the number of the cell and contains no NUL.
bool is_row_of(std::string_view line, std::uint64_t cell) {
  constexpr std::string_view kBegin = "{\"cell\": ";
  if (line.starts_with(kBegin)) line.remove_prefix(kBegin.size());
  std::uint64_t number = 0;
  return std::from_chars(line.data(), line.data() + line.size(), number).ec == std::errc() && number == cell &&
         line.find('\0') == std::string_view::npos;
}

}  // namespace

std::string row_checksum_text(std::uint64_t sum) { return fmt::format("{:016x}", sum); }

void RowChecksum::add_line(std::string_view line) {
  if (expects_head_) {
    expects_head_ = false;
    return;
  }
  if (wrong_ == 0 && !is_row_of(line, cell_)) wrong_ = line_of(cell_);
  sum_ += row_hash(line, cell_++);
}

std::uint64_t RowChecksum::wrong_line(std::uint64_t last) const {
  const std::uint64_t more = cell_ > last ? line_of(last) : 0;
  return wrong_ == 0 || more == 0 ? std::max(wrong_, more) : std::min(wrong_, more);
}

std::string RowChecksum::fault(std::uint64_t line, std::uint64_t last) const {
  if (line >= line_of(last)) return "is one too many";
  return fmt::format("is not the row of cell {}", first_ + (line - line_of(first_)));
}

void RowChecksum::add_bytes(std::string_view bytes) {
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    if (partial_.empty()) {
      add_line(bytes.substr(0, end));
    } else {
      add_line(partial_.append(bytes.substr(0, end)));
      partial_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
  partial_.append(bytes);
}

}  // namespace salvo::jobs
