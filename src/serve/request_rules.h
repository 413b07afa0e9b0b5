// The rules about a request: what of its head is looked at, and what is wrong with it.
// In: a head, as plain values. Out: where it goes, or a problem.
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

/// What the server looks at in the head of a request. Texts are empty where there is no such header; they belong to
/// whoever read the request.
struct RequestHead {
  unsigned version = 11;  ///< of HTTP, tenfold
  std::string_view method, target;
  std::string_view host;
  std::size_t hosts = 0;  ///< headers of that name
  bool has_transfer_encoding = false;
  std::string_view transfer_encoding, content_type, content_encoding, expect, if_none_match;
  std::optional<std::uint64_t> content_length;

  bool http_1_0() const { return version == 10; }
};

/// Whether both are the same word, in whatever case.
bool same_word(std::string_view a, std::string_view b);

/// Where a request goes.
struct Destination {
  Target target;
  Route route;
  std::optional<Problem> problem;  ///< empty: the route takes what is about to come
};
Destination destination_of(const RequestHead& head, const Site& site, const Options& options);

/// Whether a first line of a request is one, but of another version than 1.0 and 1.1: "GET / HTTP/2.0".
bool is_of_other_version(std::string_view line);

Problem other_version();
Problem head_too_large(std::size_t most_bytes);
Problem body_too_large(std::size_t most_bytes);
Problem too_slow(double patience);

}  // namespace salvo::serve
