#include "serve/batch_lines.h"

#include "report/json_writer.h"

namespace salvo::serve {

void BatchLines::receive(std::string_view part, bool last) {
  received_ += part.size();
  waiting_ += part;
  too_long_ = received_ > most_bytes_;
  complete_ = last || too_long_;
}

std::optional<BatchLines::Piece> BatchLines::take() {
  const std::string_view text = std::string_view(waiting_).substr(used_);
  std::size_t end = 0;
  std::uint64_t count = 0;
  while (count < kLinesAtOnce) {
    const std::size_t newline = text.find('\n', end);
    if (newline == std::string_view::npos) break;
    end = newline + 1;
    ++count;
  }
  if (count == 0) {
    if (text.empty() || !complete_ || too_long_) return std::nullopt;
    end = text.size();
    count = 1;
  }
  Piece piece{std::string(text.substr(0, end)), next_line_, count};
  use(end);
  next_line_ += count;
  return piece;
}

void BatchLines::use(std::size_t bytes) {
  constexpr std::size_t kMaxUsed = std::size_t{1} << 20;  // so that the rest is moved rarely
  used_ += bytes;
  if (used_ < waiting_.size() && used_ < kMaxUsed) return;
  waiting_.erase(0, used_);
  used_ = 0;
}

std::string too_long_line(std::uint64_t line) {
  return report::json_line([&](report::JsonWriter& json) {
           json.object("error", [&] {
             json.member("line", line);
             json.member("place", "");
             json.member("message", "the body is too long; send it in parts");
             json.member("status", 2);
           });
         }) +
         "\n";
}

}  // namespace salvo::serve
