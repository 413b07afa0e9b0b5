// Addresses: what a request asks for, read out of its target; and the address of a question in the page.
// In: text of any origin. Out: plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::serve {

/// A target in its two parts, decoded.
struct Target {
  std::string path;  ///< "/v1/run"
  std::vector<std::pair<std::string, std::string>> query;
};

/// Of "/v1/run?attack=3" or "http://host/v1/run?attack=3" or "*". Empty: it is none.
std::optional<Target> parse_target(std::string_view text);

/// The body of a question that stands in a query: `attack=3 focus&defend=2&trials=1000`. A value that is JSON of any
/// kind but a text ("1000", "true", "[1, 2]", "{...}") is taken as such, anything else as a text; a key that is given
/// several times is a list; `body` is the whole of it, as JSON, and has to stand alone. Throws LoadError.
std::string body_of_query(const std::vector<std::pair<std::string, std::string>>& query);

/// The address of the page, with a question: `base` + "#v1/q?verb=run&body=<base64url of the JSON on one line>". Empty
/// where that would be longer than headers may be.
std::string page_link(std::string_view base, std::string_view verb, std::string_view body);

/// "http://host/" for what a client calls this server; empty where that cannot be a host.
std::string base_of_host(std::string_view host);

}  // namespace salvo::serve
