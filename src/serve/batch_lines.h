// The lines of a batch: they come in parts of any size and leave in pieces of whole lines.
// In: what was received. Out: pieces, in order.
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
    std::string lines;        ///< each with its newline, but perhaps the last of all
    std::uint64_t first = 1;  ///< the number of the first one
    std::uint64_t count = 1;
  };

  /// Takes so many bytes in all.
  explicit BatchLines(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// `last`: nothing more will come.
  void receive(std::string_view part, bool last);
  /// Nothing more will come.
  void end() { complete_ = true; }
  /// At most kLinesAtOnce lines; empty: there is no whole line yet, or no more. A last line without newline is one,
  /// too, but for one that was cut off.
  std::optional<Piece> take();

  bool complete() const { return complete_; }
  bool too_long() const { return too_long_; }
  /// Whether all that can be taken was taken, and no more will come.
  bool over() const {
    return complete_ && (too_long_ ? waiting_.find('\n', used_) == std::string::npos : used_ == waiting_.size());
  }
  /// Number of the first line that was not taken.
  std::uint64_t next_line() const { return next_line_; }

 private:
  void use(std::size_t bytes);

  const std::size_t most_bytes_;
  std::string waiting_;  ///< from used_ on not taken yet
  std::size_t used_ = 0, received_ = 0;
  std::uint64_t next_line_ = 1;
  bool complete_ = false, too_long_ = false;
};

/// The answer that stands for the rest of a batch that is too long, from this line on.
std::string too_long_line(std::uint64_t line);

}  // namespace salvo::serve
