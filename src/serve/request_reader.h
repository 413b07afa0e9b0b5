// A request, read from a connection as it comes. Only for http.cpp: see asio.h.
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

/// A body as text. Makes no room in advance: a client may announce more than it will ever send.
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

/// What the rules look at. The texts are the parser's.
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

  /// False: nothing comes any more. Else there is a head, or a problem.
  awaitable<bool> read_head() {
    if (connection_.in.size() > 0) connection_.enter(State::Reading, options_.patience);
    const Came came = co_await read_until([](const Parser& parser) { return parser.is_header_done(); });
    if (came == Came::Nothing && !told_too_slow()) co_return false;
    if (parser_.is_header_done()) head_ = head_of(parser_);
    // Beast's own limit is that of one header.
    if (!problem_ && taken_ > options_.most_head) problem_ = head_too_large(options_.most_head);
    co_return true;
  }

  /// The whole body, or a problem; the connection is closed when neither will come.
  awaitable<void> read_body() {
    if (parser_.is_done()) co_return;
    connection_.enter(State::Reading, options_.patience);
    co_await begin_body();
    const std::size_t most = options_.most_body;
    const auto enough = [most](const Parser& parser) { return parser.is_done() || parser.get().body().size() > most; };
    const Came came = co_await read_until(enough);
    if (came == Came::Nothing && !told_too_slow()) connection_.close();
    if (came == Came::Whole && parser_.get().body().size() > most) problem_ = body_too_large(most);
  }

  /// Before any of it is read: some clients ask before they send a body.
  awaitable<void> begin_body() {
    parser_.eager(true);
    if (parser_.is_done() || head_.http_1_0() || !same_word(head_.expect, "100-continue")) co_return;
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    error_code ignored;
    co_await asio::async_write(connection_.socket, asio::buffer(kGoOn.data(), kGoOn.size()),
                               asio::redirect_error(asio::use_awaitable, ignored));
  }

  /// Some more of the body, however long that takes. False: it will not come.
  awaitable<bool> read_part() {
    const auto some = [](const Parser& parser) { return parser.is_done() || !parser.get().body().empty(); };
    co_return co_await read_until(some) == Came::Whole;
  }
  /// What has come of the body since it was asked last.
  std::string take_part() { return std::exchange(parser_.get().body(), {}); }

  const RequestHead& head() const { return head_; }  ///< all empty where there is none
  const std::string& body() const { return parser_.get().body(); }
  const std::optional<Problem>& problem() const { return problem_; }
  /// Whether it was read to its end: what comes then is another request. Where the body has an unknown transfer coding,
  /// nobody knows where that is.
  bool whole() const {
    return parser_.is_done() && (!head_.has_transfer_encoding || same_word(head_.transfer_encoding, "chunked"));
  }
  /// Whether the client, whose head is there, wants to use the connection again.
  bool keep_alive() const { return parser_.keep_alive(); }

 private:
  enum class Came { Whole, Nothing, Wrong };

  /// Reads until the parser has what `enough` says. Wrong: there is a problem.
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
      if (connection_.in.size() > options_.most_head + Connection::kReadAtOnce) {  // also a chunk that does not begin
        problem_ = head_too_large(options_.most_head);
        co_return Came::Wrong;
      }
      if (!co_await connection_.read_some()) co_return Came::Nothing;
      if (connection_.state == State::New || connection_.state == State::Idle)
        connection_.enter(State::Reading, options_.patience);
    }
    co_return Came::Whole;
  }

  /// Takes what was received.
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

  /// Before a request there may be some (RFC 9112, 2.2).
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

  /// Of a request that was not parsed: nothing of it has been taken then.
  std::string_view first_line() const {
    const std::string_view text(static_cast<const char*>(connection_.in.data().data()), connection_.in.size());
    return text.substr(0, text.find("\r\n"));
  }

  Problem problem_of(const error_code& error) const {
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
      return head_too_large(options_.most_head);
    if (error == http::error::body_limit) return body_too_large(options_.most_body);
    if (error == http::error::bad_version && is_of_other_version(first_line())) return other_version();
    return {ProblemKind::Request, fmt::format("the request is no HTTP/1.1: {}", error.message()), "", ""};
  }

  /// Whether nothing came because it took too long: that is the problem then.
  bool told_too_slow() {
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
  std::size_t taken_ = 0;  ///< bytes, as far as they were parsed
};

}  // namespace salvo::serve
