// The log: JSON lines on standard error. If the reader is too slow, lines are dropped; the server never waits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/json_writer.h"

namespace salvo::serve {

class Log {
 public:
  /// Adds a line with the time, the level ("info", "warning") and the event; `body(json)` writes the rest.
  template <typename Body>
  void line(std::string_view level, std::string_view event, const Body& body) {
    add(report::json_line([&](report::JsonWriter& json) {
      json.member("time", now());
      json.member("level", level);
      json.member("event", event);
      body(json);
    }));
  }
  /// Writes as much as the reader accepts without waiting.
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
