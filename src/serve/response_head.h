// The head of a response: its status line and headers, as they are sent.
// In: a reply, and how it is sent. Out: text, up to and with the empty line.
#pragma once

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>

#include "serve/reply.h"

namespace salvo::serve {

/// The form of dates in HTTP (RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::time_t moment);

/// Text as a chunk of a body of unknown length (RFC 9112, 7.1), and the mark of its end after the last one.
std::string chunks(const std::string& text, bool last);

/// How a reply is sent.
struct Delivery {
  std::optional<std::size_t> body_bytes;  ///< empty: not known before the end
  bool close = false;                     ///< the connection ends with it
  bool http_1_0 = false;                  ///< the client speaks HTTP/1.0
};

/// Writes heads. Used by one thread only, since it keeps the date for a second.
class HeadWriter {
 public:
  /// `origin`: the web pages that may ask, "*" for all; empty: the head says nothing about it.
  explicit HeadWriter(std::string origin) : origin_(std::move(origin)) {}
  std::string head(const Reply& reply, const Delivery& delivery);

 private:
  const std::string& date();

  const std::string origin_;
  std::time_t date_second_ = 0;
  std::string date_;
};

}  // namespace salvo::serve
