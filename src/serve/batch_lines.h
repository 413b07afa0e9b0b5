// Splits the body of a batch, received in parts of any size, into pieces of whole lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace salvo::serve {

class BatchLines {
 public:
  static constexpr std::size_t kLinesAtOnce = 16;

  struct Piece {
    std::string lines;        ///< each with its newline, which the last line of the batch may lack
    std::uint64_t first = 1;  ///< the number of the first one
    std::uint64_t count = 1;
  };

  /// Accepts at most this many bytes in total.
  explicit BatchLines(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// `last`: the body ends here.
  void receive(std::string_view part, bool last);
  /// No more bytes will follow.
  void end() { complete_ = true; }
  /// The next lines, at most kLinesAtOnce; empty if there is no whole line yet, or none left. The last line needs no
  /// newline, unless the body was cut off because it is too long.
  std::optional<Piece> take();

  bool complete() const { return complete_; }
  bool too_long() const { return too_long_; }
  /// Whether everything was taken and no more will follow.
  bool over() const {
    return complete_ && (too_long_ ? waiting_.find('\n', used_) == std::string::npos : used_ == waiting_.size());
  }
  /// The number of the first line that was not taken.
  std::uint64_t next_line() const { return next_line_; }

 private:
  void use(std::size_t bytes);

  const std::size_t most_bytes_;
  std::string waiting_;  ///< not taken from used_ on
  std::size_t used_ = 0, received_ = 0;
  std::uint64_t next_line_ = 1;
  bool complete_ = false, too_long_ = false;
};

/// The answer that replaces the rest of a batch that is too long, from this line on.
std::string too_long_line(std::uint64_t line);

}  // namespace salvo::serve
