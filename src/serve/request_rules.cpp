#include "serve/request_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace salvo::serve {
namespace {

using MaybeProblem = std::optional<Problem>;

/// "application/json; charset=utf-8" -> "application/json".
std::string_view media_type(std::string_view text) {
  text = text.substr(0, text.find(';'));
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

/// Problems that do not depend on the address.
MaybeProblem wrong_form(const RequestHead& head) {
  if (head.version != 11 && head.version != 10) return other_version();
  if (head.version == 11 && head.hosts != 1)
    return Problem{ProblemKind::Request, "the request has no header Host, or several", "Host", "send one"};
  if (head.http_1_0() && head.has_transfer_encoding) {
    return Problem{ProblemKind::Request, "HTTP/1.0 has no Transfer-Encoding", "Transfer-Encoding",
                   "send HTTP/1.1, or Content-Length"};
  }
  if (!head.transfer_encoding.empty() && !same_word(head.transfer_encoding, "chunked")) {
    return Problem{ProblemKind::Unknown, "the server knows no Transfer-Encoding but chunked", "Transfer-Encoding",
                   "send the body as it is"};
  }
  if (!head.http_1_0() && !head.expect.empty() &&
      !same_word(head.expect, "100-continue"))  // HTTP/1.0 does not have this header
    return Problem{ProblemKind::Expectation, "the server meets no expectation but 100-continue", "Expect", ""};
  return std::nullopt;
}

/// The problem of a target that parse_target() rejects.
Problem unreadable(std::string_view target) {
  if (target.starts_with('/') || target.find('%') != std::string_view::npos) {
    return {ProblemKind::Request, "a percent sign in the address lacks its two hexadecimal digits", "",
            "write a percent sign as %25"};
  }
  return {ProblemKind::Request, "the address of the request cannot be read", "", "begin it with /"};
}

bool allows(const Route& route, std::string_view method) {
  return fmt::format(", {},", route.allow).find(fmt::format(" {},", method)) != std::string::npos;
}

MaybeProblem wrong_method(const RequestHead& head, const Route& route, const Routes& routes) {
  if (route.kind == Route::Kind::Nothing && head.method != "OPTIONS") {
    return Problem{ProblemKind::NotFound, "there is nothing at this address", "",
                   routes.has_page() ? "" : "GET /openapi.json lists the addresses; --page adds the page"};
  }
  if (!allows(route, head.method))
    return Problem{ProblemKind::Method, "this address does not answer this method", "", ""};
  return std::nullopt;
}

/// Names in use for lines of JSON; none of them is registered.
constexpr std::string_view kLinesOfJson[] = {kNdjson, "application/ndjson", "application/jsonl",
                                             "application/jsonlines", "application/x-jsonlines"};

MaybeProblem wrong_body(const RequestHead& head, const Route& route, const Options& options) {
  if (!head.content_encoding.empty() && !same_word(head.content_encoding, "identity"))
    return Problem{ProblemKind::MediaType, "the body is compressed", "Content-Encoding", "send the body as it is"};
  const std::string_view type = media_type(head.content_type);
  const bool batch = route.kind == Route::Kind::Batch;
  const bool json = same_word(type, kJson);
  const bool lines = std::any_of(std::begin(kLinesOfJson), std::end(kLinesOfJson),
                                 [&](std::string_view name) { return same_word(type, name); });
  if (!type.empty() && !(batch ? json || lines : json)) {
    return Problem{ProblemKind::MediaType, fmt::format("Content-Type {} is not what this address takes", type),
                   "Content-Type",
                   batch ? "send lines of JSON with Content-Type: application/x-ndjson"
                         : "send JSON with Content-Type: application/json"};
  }
  const std::size_t most = batch ? options.most_batch : options.most_body;
  if (head.content_length && *head.content_length > most) return body_too_large(most);
  return std::nullopt;
}

/// A question must not be ignored silently.
Problem question_in_two_places(const RequestTarget& target) {
  return {ProblemKind::Question, "the address has keys, but the question of a POST is its body",
          target.query.front().first, "write the keys into the body, or ask with GET"};
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

Destination destination_of(const RequestHead& head, const Routes& routes, const Options& options) {
  Destination out;
  out.problem = wrong_form(head);
  if (out.problem) return out;
  auto target = parse_target(head.target);
  if (!target) {
    out.problem = unreadable(head.target);
    return out;
  }
  out.target = std::move(*target);
  out.route = routes.find(out.target.path);
  out.problem = wrong_method(head, out.route, routes);
  if (out.problem || head.method != "POST") return out;
  out.problem = wrong_body(head, out.route, options);
  if (!out.problem && !out.target.query.empty()) out.problem = question_in_two_places(out.target);
  return out;
}

bool is_of_other_version(std::string_view line) {
  constexpr std::string_view kName = "HTTP/";
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t blank = line.find(' '), last = line.rfind(' ');
  if (last == std::string_view::npos || last < blank + 2 || line.find(' ', blank + 1) != last) return false;
  const std::string_view version = line.substr(last + 1);
  const std::string_view number = version.substr(std::min(kName.size(), version.size()));
  return version.starts_with(kName) && number.size() == 3 && digit(number[0]) && number[1] == '.' && digit(number[2]) &&
         number != "1.1" && number != "1.0";
}

Problem other_version() { return {ProblemKind::Version, "the version of HTTP is neither 1.1 nor 1.0", "", ""}; }

Problem head_too_large(std::size_t most_bytes) {
  return {ProblemKind::HeadTooLarge, fmt::format("address and headers are longer than {} bytes", most_bytes), "", ""};
}

Problem body_too_large(std::size_t most_bytes) {
  return {ProblemKind::BodyTooLarge, fmt::format("the body is longer than {} bytes", most_bytes), "", ""};
}

Problem too_slow(double patience) {
  return {ProblemKind::TooSlow, fmt::format("the request took more than {} seconds", patience), "", ""};
}

}  // namespace salvo::serve
