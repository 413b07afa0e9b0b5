// Serializes the head of a response: status line, headers and the empty line.
#pragma once

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>

#include "serve/reply.h"

namespace salvo::serve {

/// A date in the format of HTTP (RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::time_t moment);

/// Text as a chunk of a body of unknown length (RFC 9112, 7.1); `last` adds the end mark.
std::string chunks(const std::string& text, bool last);

/// How a reply is transferred.
struct Delivery {
  std::optional<std::size_t> body_bytes;  ///< empty: unknown, sent in chunks
  bool close = false;                     ///< close the connection afterwards
  bool http_1_0 = false;                  ///< for a client with HTTP/1.0
};

/// Not thread-safe, since it caches the date.
class HeadWriter {
 public:
  /// `origin`: the allowed web pages, "*" for all; empty: no CORS headers.
  explicit HeadWriter(std::string origin) : origin_(std::move(origin)) {}
  std::string head(const Reply& reply, const Delivery& delivery);

 private:
  const std::string& date();

  const std::string origin_;
  std::time_t date_second_ = 0;
  std::string date_;
};

}  // namespace salvo::serve
