// Checks the head of a request and finds its route, or the problem with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "serve/address.h"
#include "serve/options.h"
#include "serve/problem.h"
#include "serve/routes.h"

namespace salvo::serve {

/// The parts of a head that the server uses. The text of a missing header is empty. The texts belong to the reader of
/// the request.
struct RequestHead {
  unsigned version = 11;  ///< of HTTP, times ten
  std::string_view method, target;
  std::string_view host;
  std::size_t hosts = 0;  ///< number of Host headers
  bool has_transfer_encoding = false;
  std::string_view transfer_encoding, content_type, content_encoding, expect, if_none_match;
  std::string_view forwarded_for;  ///< the last header X-Forwarded-For
  std::optional<std::uint64_t> content_length;

  bool http_1_0() const { return version == 10; }
};

/// Compares two words, ignoring case.
bool same_word(std::string_view a, std::string_view b);

/// The route of a request.
struct Destination {
  RequestTarget target;
  Route route;
  std::optional<Problem> problem;  ///< empty if the route accepts the request
};
Destination destination_of(const RequestHead& head, const Routes& routes, const Options& options);

/// Whether the first line of a request is valid except for a version other than 1.0 and 1.1: "GET / HTTP/2.0".
bool is_of_other_version(std::string_view line);

Problem other_version();
Problem head_too_large(std::size_t most_bytes);
Problem body_too_large(std::size_t most_bytes);
Problem too_slow(double patience);

}  // namespace salvo::serve
