// Reads a request from a connection. Only for http.cpp: see asio.h.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "serve/asio.h"
#include "serve/connection.h"
#include "serve/options.h"
#include "serve/problem.h"
#include "serve/request_rules.h"

namespace salvo::serve {

/// A body as a string. Reserves nothing in advance, because a client may announce more than it sends.
struct TextBody {
  using value_type = std::string;
  class reader {
   public:
    template <bool kRequest, class Fields>
    reader(http::header<kRequest, Fields>&, std::string& text) : text_(text) {}
    void init(const boost::optional<std::uint64_t>&, error_code& error) { error = {}; }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, error_code& error) {
      error = {};
      std::size_t bytes = 0;
      for (auto part = asio::buffer_sequence_begin(buffers); part != asio::buffer_sequence_end(buffers); ++part) {
        const asio::const_buffer one(*part);
        text_.append(static_cast<const char*>(one.data()), one.size());
        bytes += one.size();
      }
      return bytes;
    }
    void finish(error_code& error) { error = {}; }

   private:
    std::string& text_;
  };
};
using Parser = http::request_parser<TextBody>;

/// The parts of the head that the rules check. The texts belong to the parser.
inline RequestHead head_of(const Parser& parser) {
  const auto& request = parser.get();
  const auto view = [](boost::beast::string_view text) { return std::string_view(text.data(), text.size()); };
  RequestHead out;
  out.version = request.version();
  out.method = view(request.method_string());
  out.target = view(request.target());
  out.host = view(request[http::field::host]);
  out.hosts = request.count(http::field::host);
  out.has_transfer_encoding = request.count(http::field::transfer_encoding) > 0;
  out.transfer_encoding = view(request[http::field::transfer_encoding]);
  out.content_type = view(request[http::field::content_type]);
  out.content_encoding = view(request[http::field::content_encoding]);
  out.expect = view(request[http::field::expect]);
  out.if_none_match = view(request[http::field::if_none_match]);
  const auto [first, end] = request.equal_range("X-Forwarded-For");
  for (auto field = first; field != end; ++field) out.forwarded_for = view(field->value());
  if (const auto length = parser.content_length()) out.content_length = *length;
  return out;
}

class RequestReader {
 public:
  RequestReader(Connection& connection, const Options& options) : connection_(connection), options_(options) {
    parser_.header_limit(static_cast<std::uint32_t>(options.most_head));
    parser_.body_limit(std::numeric_limits<std::uint64_t>::max());  // 1.74 takes "none" for 0
    parser_.eager(false);
  }

  /// Returns false if the client sends nothing more; otherwise there is a head or a problem.
  awaitable<bool> read_head() {
    if (connection_.in.size() > 0) connection_.enter(State::Reading, options_.patience);
    const Came came = co_await read_until([](const Parser& parser) { return parser.is_header_done(); });
    if (came == Came::Nothing && !check_too_slow()) co_return false;
    if (parser_.is_header_done()) head_ = head_of(parser_);
    // Beast's own limit applies to single headers only.
    if (!problem_ && taken_ > options_.most_head) problem_ = head_too_large(options_.most_head);
    co_return true;
  }

  /// Reads the whole body or sets a problem. Closes the connection if the client sends nothing more.
  awaitable<void> read_body() {
    if (parser_.is_done()) co_return;
    connection_.enter(State::Reading, options_.patience);
    co_await begin_body();
    const std::size_t most = options_.most_body;
    const auto enough = [most](const Parser& parser) { return parser.is_done() || parser.get().body().size() > most; };
    const Came came = co_await read_until(enough);
    if (came == Came::Nothing && !check_too_slow()) connection_.close();
    if (came == Came::Whole && parser_.get().body().size() > most) problem_ = body_too_large(most);
  }

  /// Must precede reading the body. Sends 100 Continue to clients that wait for it.
  awaitable<void> begin_body() {
    parser_.eager(true);
    if (parser_.is_done() || head_.http_1_0() || !same_word(head_.expect, "100-continue")) co_return;
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    error_code ignored;
    co_await asio::async_write(connection_.socket, asio::buffer(kGoOn.data(), kGoOn.size()),
                               asio::redirect_error(asio::use_awaitable, ignored));
  }

  /// Reads more of the body, however long that takes. Returns false if no more comes.
  awaitable<bool> read_part() {
    const auto some = [](const Parser& parser) { return parser.is_done() || !parser.get().body().empty(); };
    co_return co_await read_until(some) == Came::Whole;
  }
  /// The part of the body received since the last call.
  std::string take_part() { return std::exchange(parser_.get().body(), {}); }

  const RequestHead& head() const { return head_; }  ///< empty if there is none
  const std::string& body() const { return parser_.get().body(); }
  const std::optional<Problem>& problem() const { return problem_; }
  /// Whether the request was read to its end, so that another one may follow. With an unknown transfer coding the end
  /// cannot be found.
  bool whole() const {
    return parser_.is_done() && (!head_.has_transfer_encoding || same_word(head_.transfer_encoding, "chunked"));
  }
  /// Whether the client wants to reuse the connection. Needs a head.
  bool keep_alive() const { return parser_.keep_alive(); }

 private:
  enum class Came { Whole, Nothing, Wrong };

  /// Reads until `enough(parser)` is true. Wrong means that a problem was set.
  template <typename Enough>
  awaitable<Came> read_until(Enough enough) {
    while (!enough(parser_)) {
      const error_code error = parse();
      if (error && error != http::error::need_more) {
        problem_ = problem_of(error);
        co_return Came::Wrong;
      }
      if (enough(parser_)) break;
      if (!error && connection_.in.size() > 0) continue;
      if (connection_.in.size() > options_.most_head + Connection::kReadAtOnce) {  // includes the header of a chunk
        problem_ = head_too_large(options_.most_head);
        co_return Came::Wrong;
      }
      if (!co_await connection_.read_some()) co_return Came::Nothing;
      if (connection_.state == State::New || connection_.state == State::Idle)
        connection_.enter(State::Reading, options_.patience);
    }
    co_return Came::Whole;
  }

  /// Passes received bytes to the parser.
  error_code parse() {
    error_code error = http::error::need_more;
    skip_empty_lines();
    if (connection_.in.size() > 0) {
      const std::size_t bytes = parser_.put(connection_.in.data(), error);
      connection_.in.consume(bytes);
      taken_ += bytes;
    }
    return error;
  }

  /// Empty lines may precede a request (RFC 9112, 2.2).
  void skip_empty_lines() {
    constexpr std::size_t kMost = 8;  // bytes
    const auto begins_empty = [&] {
      const auto* const bytes = static_cast<const char*>(connection_.in.data().data());
      return connection_.in.size() >= 2 && bytes[0] == '\r' && bytes[1] == '\n';
    };
    while (!parser_.got_some() && taken_ < kMost && begins_empty()) {
      connection_.in.consume(2);
      taken_ += 2;
    }
  }

  /// The first line of a request that the parser rejected without consuming any bytes.
  std::string_view first_line() const {
    const std::string_view text(static_cast<const char*>(connection_.in.data().data()), connection_.in.size());
    return text.substr(0, text.find("\r\n"));
  }

  Problem problem_of(const error_code& error) const {
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
      return head_too_large(options_.most_head);
    if (error == http::error::body_limit) return body_too_large(options_.most_body);
    if (error == http::error::bad_version && is_of_other_version(first_line())) return other_version();
    return {ProblemKind::Request, fmt::format("the request is not HTTP/1.1: {}", error.message()), "", ""};
  }

  /// If reading ended because the time was up, sets that as the problem and returns true.
  bool check_too_slow() {
    if (!connection_.too_slow) return false;
    connection_.too_slow = false;
    problem_ = too_slow(options_.patience);
    return true;
  }

  Connection& connection_;
  const Options& options_;
  Parser parser_;
  RequestHead head_;
  std::optional<Problem> problem_;
  std::size_t taken_ = 0;  ///< parsed bytes
};

}  // namespace salvo::serve
