// The log: JSON lines on standard error. A reader that does not read loses lines; it never holds up the server.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/json_writer.h"

namespace salvo::serve {

class Log {
 public:
  /// A line: the time, the level ("info", "warning") and what happened; `body(json)` writes the rest.
  template <typename Body>
  void line(std::string_view level, std::string_view event, const Body& body) {
    add(report::json_line([&](report::JsonWriter& json) {
      json.member("time", now());
      json.member("level", level);
      json.member("event", event);
      body(json);
    }));
  }
  /// Writes what there is, as far as somebody takes it at once.
  void flush();
  std::uint64_t dropped() const { return dropped_; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20, kWriteAt = std::size_t{16} << 10;
  static std::string now();
  void add(const std::string& line);

  std::string waiting_;
  std::uint64_t dropped_ = 0;
};

}  // namespace salvo::serve
