// Reads the target of a request, and makes links to the page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::serve {

/// The two parts of a target, decoded.
struct RequestTarget {
  std::string path;  ///< "/v1/run"
  std::vector<std::pair<std::string, std::string>> query;
};

/// Parses "/v1/run?attack=3", "http://host/v1/run?attack=3" or "*". Empty if the text is malformed.
std::optional<RequestTarget> parse_target(std::string_view text);

/// The JSON body equivalent to a query such as `attack=3 focus&defend=2&trials=1000`. A value that is JSON other than a
/// string ("1000", "true", "[1, 2]", "{...}") is read as JSON; any other value is a string. A key given several times
/// is a list. The key `body` holds the whole body as JSON and must be the only key. Throws LoadError.
std::string body_of_query(const std::vector<std::pair<std::string, std::string>>& query);

/// A link to a question in the page: `base` + "#v1/q?verb=run&body=<base64url of the JSON on one line>". Empty if it
/// would be too long for a header.
std::string page_link(std::string_view base, std::string_view verb, std::string_view body);

/// "http://host/" for the host that a client named; empty if that is not a valid host.
std::string base_of_host(std::string_view host);

}  // namespace salvo::serve
