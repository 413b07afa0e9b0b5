// The server: connections, one coroutine each, all in one thread; questions go to the workers and come back. The only
// file that includes Boost.Asio and Boost.Beast, which cost ten seconds of compiling.
#include <fmt/format.h>
#include <malloc.h>
#include <oneapi/tbb/global_control.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
// Asio 1.74 needs these before it.
#include <coroutine>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <deque>
#include <exception>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "salvo/errors.h"
#include "salvo/version.h"
#include "serve/address.h"
#include "serve/desk.h"
#include "serve/log.h"
#include "serve/metrics.h"
#include "serve/serve.h"
#include "serve/site.h"
#include "serve/work.h"

namespace salvo::serve {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::awaitable;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

// ---------------------------------------------------------------- requests

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

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

std::string_view field(const Parser& parser, http::field name) { return view(parser.get()[name]); }

bool same_word(std::string_view a, std::string_view b) {
  return boost::beast::iequals({a.data(), a.size()}, {b.data(), b.size()});
}

/// "application/json; charset=utf-8" -> "application/json".
std::string_view media_type(std::string_view text) {
  text = text.substr(0, text.find(';'));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Whether If-None-Match names the tag.
bool names_tag(std::string_view header, std::string_view tag) {
  return header == "*" || header.find(tag) != std::string_view::npos;
}

// ---------------------------------------------------------------- connections

Clock::time_point later(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

enum class State {
  New,      ///< has not sent a whole request yet
  Idle,     ///< between two requests
  Reading,  ///< a request is coming
  Working,  ///< waits for an answer, or gets it
};

struct Connection {
  Connection(tcp::socket socket_, std::uint64_t id_) : socket(std::move(socket_)), id(id_) {}
  tcp::socket socket;
  const std::uint64_t id;
  std::string client;  ///< the address: whoever takes turns
  boost::beast::flat_buffer in;
  State state = State::New;
  Clock::time_point deadline = Clock::time_point::max();        ///< then it is closed
  Clock::time_point write_deadline = Clock::time_point::max();  ///< then, too: the client takes nothing
  Clock::time_point since;                                      ///< of its state
  bool http_1_0 = false;
  bool too_slow = false;  ///< the request at hand did not arrive in time
  std::size_t taken = 0;  ///< bytes of the request at hand, as far as it was parsed

  void enter(State now, double seconds) {
    state = now;
    since = Clock::now();
    deadline = later(seconds);
  }
  void close() {
    error_code ignored;
    socket.close(ignored);
  }
  /// Whoever reads is told that nothing more comes, and can still answer.
  void give_up_reading() {
    too_slow = true;
    deadline = Clock::time_point::max();
    error_code ignored;
    socket.cancel(ignored);
  }
};
using Shared = std::shared_ptr<Connection>;

/// What waits for another thread, or for another coroutine.
class Signal {
 public:
  explicit Signal(asio::io_context& io) : timer_(io, Clock::time_point::max()) {}
  void set() {
    set_ = true;
    timer_.cancel();
  }
  /// Until it is set; it is not any more afterwards.
  awaitable<void> wait() {
    error_code ignored;
    while (!set_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    set_ = false;
  }

 private:
  asio::steady_timer timer_;
  bool set_ = false;
};

/// A question that a worker has. Only the thread of the connections touches it.
struct Asked {
  explicit Asked(asio::io_context& io) : done(io) {}
  Signal done;
  Reply reply;
  bool answered = false;
  /// The first answer counts.
  void answer(Reply with) {
    if (answered) return;
    answered = true;
    reply = std::move(with);
    done.set();
  }
};

/// A batch on its way: lines come in, go to the workers in pieces, and leave in order.
struct Batch : std::enable_shared_from_this<Batch> {
  struct Piece {
    std::string lines;  ///< each with its newline
    std::uint64_t first = 1;
    std::string answers;
    bool asked = false, answered = false;
  };
  explicit Batch(asio::io_context& io) : moved(io), left(io) {}
  Shared connection;
  std::string waiting;  ///< received; from `used` on not in a piece yet
  std::size_t used = 0;
  std::size_t received = 0;     ///< bytes in all
  std::uint64_t next_line = 1;  ///< number of the first line of `waiting`
  std::deque<std::shared_ptr<Piece>> pieces;
  bool complete = false;  ///< nothing more will be received
  bool too_long = false, broken = false;

  std::string_view unused() const { return std::string_view(waiting).substr(used); }
  void use(std::size_t bytes) {
    used += bytes;
    if (used < waiting.size() && used < kMostUsed) return;
    waiting.erase(0, used);
    used = 0;
  }
  static constexpr std::size_t kMostUsed = std::size_t{1} << 20;
  Signal moved;  ///< the first piece may be answered, or all is over
  Signal left;   ///< the last answer was sent
};

constexpr std::size_t kReadAtOnce = std::size_t{16} << 10, kWriteAtOnce = std::size_t{64} << 10;
constexpr std::size_t kLinesAtOnce = 16, kMostBatches = 16;
constexpr std::chrono::milliseconds kTick{50};

// ---------------------------------------------------------------- the server

class Server {
 public:
  Server(const Catalogue& catalogue, const Options& options)
      : options_(options), site_(options), desk_(catalogue, options), workers_(cores(), cores(), options.most_queued) {}

  void run() {
    asio::signal_set signals(io_, SIGTERM, SIGINT);
    wait_for_signal(signals);
    listen();
    asio::co_spawn(io_, tick(), asio::detached);
    io_.run();
    if (!workers_.idle()) give_up();
    log_.line("info", "stopped", [](report::JsonWriter&) {});
    log_.flush();
  }

 private:
  int cores() const {
    return options_.workers > 0 ? options_.workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }

  // ---- Listening

  void listen() {
    error_code error;
    const tcp::endpoint endpoint(asio::ip::make_address(options_.address, error), options_.port);
    if (error) throw Error(fmt::format("--address: {} is no address, as 127.0.0.1 or ::1", options_.address));
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen(asio::socket_base::max_listen_connections);
    const tcp::endpoint local = acceptor_.local_endpoint();
    own_base_ = local.address().is_v6() ? fmt::format("http://[{}]:{}/", local.address().to_string(), local.port())
                                        : fmt::format("http://{}:{}/", local.address().to_string(), local.port());
    log_.line("info", "listening", [&](report::JsonWriter& json) {
      json.member("url", own_base_);
      json.member("page", site_.has_page());
      json.member("workers", cores());
      json.member("version", build_info().version);
    });
    log_.flush();
    asio::co_spawn(io_, accept(), asio::detached);
  }

  awaitable<void> accept() {
    while (!leaving_) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error == asio::error::operation_aborted) co_return;
      if (error) {  // no descriptors left, or the client is gone already
        asio::steady_timer pause(io_, std::chrono::milliseconds(20));
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
        continue;
      }
      welcome(std::move(socket));
    }
  }

  void welcome(tcp::socket socket) {
    error_code error;
    socket.set_option(tcp::no_delay(true), error);
    const tcp::endpoint remote = socket.remote_endpoint(error);
    if (error) return;
    ++metrics_.connections_accepted;
    if (connections_.size() >= options_.most_connections && !make_room()) {
      ++metrics_.connections_refused;
      refuse(std::move(socket));
      return;
    }
    const auto connection = std::make_shared<Connection>(std::move(socket), ++last_id_);
    connection->client = client_of(remote.address());
    connection->enter(State::New, options_.patience);
    connections_.emplace(connection->id, connection);
    asio::co_spawn(
        io_, [this, connection] { return session(connection); },
        [this, connection](const std::exception_ptr& failure) { end(connection, failure); });
  }

  /// One who has 64 bits of addresses has them all.
  static std::string client_of(const asio::ip::address& address) {
    if (!address.is_v6() || address.to_v6().is_v4_mapped() || address.is_loopback()) return address.to_string();
    auto bytes = address.to_v6().to_bytes();
    std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
    return asio::ip::address_v6(bytes).to_string();
  }

  /// Closes the connection that waits longest for its client: one that never sent a request before others.
  bool make_room() {
    const auto rank = [](const Connection& one) {
      return one.state == State::New ? 0 : one.state == State::Reading ? 1 : one.state == State::Idle ? 2 : 3;
    };
    Connection* out = nullptr;
    for (const auto& [id, one] : connections_) {
      if (one->state == State::Working || !one->socket.is_open()) continue;
      if (out == nullptr || std::pair(rank(*one), one->since) < std::pair(rank(*out), out->since)) out = one.get();
    }
    if (out == nullptr) return false;
    ++metrics_.connections_evicted;
    connections_.erase(out->id);  // its coroutine holds it until it notices
    out->close();
    return true;
  }

  /// A few bytes always find room in a new socket.
  void refuse(tcp::socket socket) {
    const Reply reply = busy();
    const std::string text = head_of(reply, reply.body->size(), true, {}) + *reply.body;
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(text), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  void end(const Shared& connection, const std::exception_ptr& error) {
    connections_.erase(connection->id);
    try {
      if (error) std::rethrow_exception(error);
    } catch (const std::exception& what) {
      log_.line("error", "connection", [&](report::JsonWriter& json) { json.member("message", what.what()); });
    }
  }

  // ---- Time

  awaitable<void> tick() {
    asio::steady_timer timer(io_);
    while (true) {
      error_code ignored;
      timer.expires_after(kTick);
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      const Clock::time_point now = Clock::now();
      for (const auto& [id, connection] : connections_) {
        if (now < std::min(connection->deadline, connection->write_deadline) || !connection->socket.is_open()) continue;
        ++metrics_.connections_timed_out;
        connection->state == State::Reading ? connection->give_up_reading() : connection->close();
      }
      for (const auto& batch : batches_) feed(*batch);
      log_.flush();
      if (leaving_ && connections_.empty()) io_.stop();
      if (leaving_ && now >= *leaving_ - std::chrono::seconds(1)) desk_.give_up();
      if (leaving_ && now >= *leaving_ - std::chrono::milliseconds(300)) {
        for (const auto& asked : asked_) asked->answer(busy());
      }
      if (leaving_ && now >= *leaving_) give_up();
    }
  }

  void wait_for_signal(asio::signal_set& signals) {
    signals.async_wait([this, &signals](const error_code& error, int number) {
      if (error) return;
      if (leaving_) give_up();
      log_.line("info", "leaving", [&](report::JsonWriter& json) {
        json.member("signal", number);
        json.member("connections", connections_.size());
      });
      leaving_ = later(options_.leave_seconds);
      error_code ignored;
      acceptor_.close(ignored);
      for (const auto& [id, connection] : connections_) {
        if (connection->state == State::New || connection->state == State::Idle) connection->close();
      }
      wait_for_signal(signals);
    });
  }

  /// What still runs cannot be stopped in a better way.
  [[noreturn]] void give_up() {
    log_.line("warning", "given up",
              [&](report::JsonWriter& json) { json.member("connections", connections_.size()); });
    log_.flush();
    _exit(0);
  }

  // ---- Reading

  /// False: the connection is gone, or has no more to say.
  awaitable<bool> read_some(Connection& connection) {
    if (connection.too_slow) co_return false;
    error_code error;
    const std::size_t n = co_await connection.socket.async_read_some(connection.in.prepare(kReadAtOnce),
                                                                     asio::redirect_error(asio::use_awaitable, error));
    connection.in.commit(n);
    co_return !error && connection.socket.is_open();
  }

  /// Before a request there may be some (RFC 9112, 2.2).
  static void skip_empty_lines(Connection& connection, const Parser& parser) {
    constexpr std::size_t kMost = 8;  // bytes
    const auto begins_empty = [&] {
      const auto* const bytes = static_cast<const char*>(connection.in.data().data());
      return connection.in.size() >= 2 && bytes[0] == '\r' && bytes[1] == '\n';
    };
    while (!parser.got_some() && connection.taken < kMost && begins_empty()) {
      connection.in.consume(2);
      connection.taken += 2;
    }
  }

  enum class Came { Whole, Nothing, Wrong };

  /// Reads until the parser has what `enough` says. Wrong: `problem` says what.
  template <typename Enough>
  awaitable<Came> read_until(Connection& connection, Parser& parser, Enough enough, std::optional<Problem>& problem) {
    while (!enough(parser)) {
      error_code error = http::error::need_more;
      skip_empty_lines(connection, parser);
      if (connection.in.size() > 0) {
        const std::size_t bytes = parser.put(connection.in.data(), error);
        connection.in.consume(bytes);
        connection.taken += bytes;
      }
      if (error && error != http::error::need_more) {
        problem = problem_of(error);
        co_return Came::Wrong;
      }
      if (enough(parser)) break;
      if (!error && connection.in.size() > 0) continue;
      if (connection.in.size() > options_.most_head + kReadAtOnce) {  // also a chunk that does not begin
        problem = problem_of(http::error::header_limit);
        co_return Came::Wrong;
      }
      if (!co_await read_some(connection)) co_return Came::Nothing;
      if (connection.state == State::New || connection.state == State::Idle)
        connection.enter(State::Reading, options_.patience);
    }
    co_return Came::Whole;
  }

  Problem problem_of(const error_code& error) const {
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return {ProblemKind::HeadTooLarge,
              fmt::format("address and headers are longer than {} bytes", options_.most_head), "", ""};
    }
    if (error == http::error::body_limit) return body_too_large(options_.most_body);
    return {ProblemKind::Request, fmt::format("the request is no HTTP/1.1: {}", error.message()), "", ""};
  }

  /// Whether nothing came because it took too long: that is the problem then.
  bool told_too_slow(Connection& connection, std::optional<Problem>& problem) const {
    if (!connection.too_slow) return false;
    connection.too_slow = false;
    problem = {ProblemKind::TooSlow, fmt::format("the request took more than {} seconds", options_.patience), "", ""};
    return true;
  }

  static Problem body_too_large(std::size_t most) {
    return {ProblemKind::BodyTooLarge, fmt::format("the body is longer than {} bytes", most), "", ""};
  }

  Reply busy() const {
    constexpr double kMostWait = 60;
    Reply reply = reply_of({ProblemKind::Busy, "too many questions wait", "", ""});
    const double wait = std::min(kMostWait, 1 + workers_.state().expected_wait);
    reply.headers.emplace_back("Retry-After", std::to_string(static_cast<int>(wait)));
    return reply;
  }

  // ---- A connection

  awaitable<void> session(Shared shared) {
    Connection& connection = *shared;
    while (!leaving_ || connection.in.size() > 0) {
      Parser parser;
      parser.header_limit(static_cast<std::uint32_t>(options_.most_head));
      parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // 1.74 takes "none" for 0
      parser.eager(false);
      if (connection.in.size() > 0) connection.enter(State::Reading, options_.patience);
      connection.taken = 0;
      std::optional<Problem> problem;
      const auto head = [](const Parser& p) { return p.is_header_done(); };
      const Came came = co_await read_until(connection, parser, head, problem);
      if (came == Came::Nothing && !told_too_slow(connection, problem)) break;
      if (!co_await respond(shared, parser, problem)) break;
      connection.enter(State::Idle, options_.idle);
    }
    connection.close();
  }

  /// A request whose head is there, or was wrong. False: the connection ends.
  awaitable<bool> respond(const Shared& shared, Parser& parser, std::optional<Problem>& problem) {
    Connection& connection = *shared;
    const Clock::time_point begun = Clock::now();
    connection.http_1_0 = parser.is_header_done() && parser.get().version() == 10;
    std::optional<Target> target;
    Route route;
    // Beast's own limit is that of one header.
    if (!problem && connection.taken > options_.most_head) problem = problem_of(http::error::header_limit);
    if (!problem) problem = wrong_head(parser, target);
    if (!problem) {
      route = site_.route(target->path);
      problem = wrong_method(parser, route);
    }
    const bool preflight = !problem && parser.get().method() == http::verb::options;
    if (!problem && !preflight && route.kind == Route::Kind::Batch) co_return co_await batch(shared, parser, begun);
    if (!problem) co_await read_body(connection, parser, problem);
    if (!connection.socket.is_open()) co_return false;
    Reply reply;
    if (problem) {
      reply = with_headers(reply_of(*problem), route, *problem);
    } else if (preflight) {
      reply = preflight_reply(route);
    } else {
      reply = co_await reply_to(shared, parser, route, *target);
    }
    const bool keep = !reply.close && !leaving_ && parser.is_done() && parser.keep_alive();
    const bool sent = co_await send(connection, reply, !keep, parser);
    tell(connection, parser, route, reply.status, reply.body ? reply.body->size() : 0, begun);
    if (sent && !keep) co_await linger(connection);
    co_return sent&& keep;
  }

  /// What is wrong with the head, before its address is looked at.
  std::optional<Problem> wrong_head(const Parser& parser, std::optional<Target>& target) const {
    const auto& request = parser.get();
    if (request.version() != 11 && request.version() != 10)
      return Problem{ProblemKind::Request, "the version of HTTP is neither 1.1 nor 1.0", "", ""};
    if (request.version() == 11 && request.count(http::field::host) != 1)
      return Problem{ProblemKind::Request, "the request has no header Host, or several", "Host", "send one"};
    if (request.version() == 10 && request.count(http::field::transfer_encoding) > 0) {
      return Problem{ProblemKind::Request, "HTTP/1.0 has no Transfer-Encoding", "Transfer-Encoding",
                     "send HTTP/1.1, or Content-Length"};
    }
    if (const auto coding = field(parser, http::field::transfer_encoding);
        !coding.empty() && !same_word(coding, "chunked")) {
      return Problem{ProblemKind::Unknown, "the server knows no Transfer-Encoding but chunked", "Transfer-Encoding",
                     "send the body as it is"};
    }
    target = parse_target(view(request.target()));
    if (!target)
      return Problem{ProblemKind::Request, "the address of the request cannot be read", "", "begin it with /"};
    return std::nullopt;
  }

  /// Whether the route takes what is about to come.
  std::optional<Problem> wrong_method(const Parser& parser, const Route& route) const {
    const auto& request = parser.get();
    const http::verb method = request.method();
    if (route.kind == Route::Kind::Nothing && method != http::verb::options) {
      return Problem{ProblemKind::NotFound, "there is nothing at this address", "",
                     site_.has_page() ? "" : "GET /openapi.json lists the addresses; the page is there with --page"};
    }
    const std::string name(request.method_string().data(), request.method_string().size());
    const std::string allowed = fmt::format(", {},", route.allow);
    if (allowed.find(fmt::format(" {},", name)) == std::string::npos)
      return Problem{ProblemKind::Method, "this address does not answer this method", "", ""};
    if (method != http::verb::post) return std::nullopt;
    if (!field(parser, http::field::content_encoding).empty())
      return Problem{ProblemKind::MediaType, "the body is compressed", "Content-Encoding", "send the body as it is"};
    const std::string_view type = media_type(field(parser, http::field::content_type));
    const bool batch = route.kind == Route::Kind::Batch;
    const bool json = same_word(type, kJson), lines = same_word(type, kNdjson) || same_word(type, "application/jsonl");
    if (!type.empty() && !(batch ? json || lines : json)) {
      return Problem{ProblemKind::MediaType, fmt::format("Content-Type {} is not what this address takes", type),
                     "Content-Type",
                     batch ? "send lines of JSON with Content-Type: application/x-ndjson"
                           : "send JSON with Content-Type: application/json"};
    }
    const std::size_t most = batch ? options_.most_batch : options_.most_body;
    if (parser.content_length() && *parser.content_length() > most) return body_too_large(most);
    return std::nullopt;
  }

  /// Some clients ask before they send a body.
  awaitable<void> invite_body(Connection& connection, const Parser& parser) {
    if (parser.is_done() || !same_word(field(parser, http::field::expect), "100-continue")) co_return;
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    error_code ignored;
    co_await asio::async_write(connection.socket, asio::buffer(kGoOn.data(), kGoOn.size()),
                               asio::redirect_error(asio::use_awaitable, ignored));
  }

  awaitable<void> read_body(Connection& connection, Parser& parser, std::optional<Problem>& problem) {
    if (parser.is_done()) co_return;
    connection.enter(State::Reading, options_.patience);
    co_await invite_body(connection, parser);
    parser.eager(true);
    const auto enough = [&](const Parser& p) { return p.is_done() || p.get().body().size() > options_.most_body; };
    const Came came = co_await read_until(connection, parser, enough, problem);
    if (came == Came::Nothing && !told_too_slow(connection, problem)) connection.close();
    if (came == Came::Whole && parser.get().body().size() > options_.most_body)
      problem = body_too_large(options_.most_body);
  }

  // ---- Replies

  static Reply with_headers(Reply reply, const Route& route, const Problem& problem) {
    if (problem.kind == ProblemKind::Method) reply.headers.emplace_back("Allow", route.allow);
    if (problem.kind == ProblemKind::Request || problem.kind == ProblemKind::HeadTooLarge) reply.close = true;
    return reply;
  }

  static Reply preflight_reply(const Route& route) {
    Reply reply{204, {}, nullptr};
    reply.headers = {{"Allow", std::string(route.allow)},
                     {"Access-Control-Allow-Methods", std::string(route.allow)},
                     {"Access-Control-Allow-Headers", "Content-Type, If-None-Match"},
                     {"Access-Control-Allow-Private-Network", "true"},
                     {"Access-Control-Max-Age", "86400"}};
    return reply;
  }

  awaitable<Reply> reply_to(const Shared& shared, const Parser& parser, const Route& route, const Target& target) {
    switch (route.kind) {
      case Route::Kind::Question:
        co_return co_await answer(shared, parser, route.name, target);
      case Route::Kind::Health:
        co_return health();
      case Route::Kind::Metrics:
        metrics_.connections_open = connections_.size();
        metrics_.log_lines_dropped = log_.dropped();
        co_return Reply{200, "text/plain; version=0.0.4; charset=utf-8",
                        std::make_shared<const std::string>(metrics_.text(workers_.state(), desk_.cache()))};
      default:
        co_return file_reply(*route.file, field(parser, http::field::if_none_match));
    }
  }

  static Reply file_reply(const PageFile& file, std::string_view if_none_match) {
    Reply reply{200, file.type, file.bytes};
    reply.headers = {{"ETag", file.tag},
                     {"Cache-Control", file.keeps ? "public, max-age=31536000, immutable" : "no-cache"}};
    if (names_tag(if_none_match, file.tag)) {
      reply.status = 304;
      reply.body = nullptr;
    }
    return reply;
  }

  Reply health() const {
    std::string text =
        fmt::format("{{\"status\": \"{}\", \"version\": \"{}\"}}\n", leaving_ ? "leaving" : "ok", build_info().version);
    Reply reply{leaving_ ? 503 : 200, kJson, std::make_shared<const std::string>(std::move(text))};
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
  }

  awaitable<Reply> answer(const Shared& shared, const Parser& parser, std::string_view verb, const Target& target) {
    const bool post = parser.get().method() == http::verb::post;
    std::string body;
    std::optional<Problem> problem;
    try {
      body = post ? parser.get().body() : body_of_query(target.query);
    } catch (const LoadError& error) {
      problem = Problem{ProblemKind::Question, error.why, error.path, ""};
    }
    if (problem) co_return reply_of(*problem);
    Reply reply;
    if (auto kept = desk_.kept(verb, body)) {
      reply.body = std::move(kept);
    } else {
      reply = co_await asked(shared, verb, body);
    }
    if (reply.status != 200) co_return reply;
    if (std::string link = link_to(parser, verb, body); !link.empty())
      reply.headers.emplace_back("Link", fmt::format("<{}>; rel=\"alternate\"; type=\"text/html\"", link));
    if (post) {
      reply.headers.emplace_back("Cache-Control", "no-store");
      co_return reply;
    }
    const std::string tag = entity_tag(*reply.body);
    reply.headers.emplace_back("ETag", tag);
    reply.headers.emplace_back("Cache-Control", "no-cache");
    if (names_tag(field(parser, http::field::if_none_match), tag)) {
      reply.status = 304;
      reply.body = nullptr;
    }
    co_return reply;
  }

  std::string link_to(const Parser& parser, std::string_view verb, std::string_view body) const {
    std::string base = options_.url;
    if (base.empty()) base = base_of_host(field(parser, http::field::host));
    return page_link(base.empty() ? own_base_ : base, verb, body);
  }

  /// Lets a worker answer.
  awaitable<Reply> asked(const Shared& shared, std::string_view verb, const std::string& body) {
    const auto asked = std::make_shared<Asked>(io_);
    const auto finish = [this, asked](Reply reply) {
      asio::post(io_, [asked, reply = std::move(reply)]() mutable { asked->answer(std::move(reply)); });
    };
    const Clock::time_point latest = later(options_.most_seconds);
    const auto play = [this, finish, latest, verb, body] {
      finish(Clock::now() < latest ? desk_.answer(verb, body) : busy());
    };
    const auto drop = [this, finish] { finish(busy()); };
    shared->enter(State::Working, kForever);
    if (!workers_.add(shared->client, shared->id, {play, drop})) co_return busy();
    const auto place = asked_.insert(asked_.end(), asked);
    co_await asked->done.wait();
    asked_.erase(place);
    co_return std::move(asked->reply);
  }

  // ---- Writing

  /// All headers. `body_bytes`: empty for a body of unknown length.
  std::string head_of(const Reply& reply, std::optional<std::size_t> body_bytes, bool close, bool http_1_0) {
    std::string out = fmt::format("HTTP/1.1 {} {}\r\nServer: salvo\r\nDate: {}\r\n", reply.status,
                                  status_phrase(reply.status), date());
    if (!reply.type.empty()) out += fmt::format("Content-Type: {}\r\n", reply.type);
    if (body_bytes) {
      if (reply.status != 204 && reply.status != 304) out += fmt::format("Content-Length: {}\r\n", *body_bytes);
    } else if (!http_1_0) {
      out += "Transfer-Encoding: chunked\r\n";
    }
    for (const auto& [name, value] : reply.headers) out += fmt::format("{}: {}\r\n", name, value);
    if (!options_.origin.empty()) {
      out += fmt::format("Access-Control-Allow-Origin: {}\r\n", options_.origin);
      out += "Access-Control-Expose-Headers: ETag, Link, Retry-After\r\n";
      if (options_.origin != "*") out += "Vary: Origin\r\n";
    }
    out += "X-Content-Type-Options: nosniff\r\n";
    out += close ? "Connection: close\r\n" : http_1_0 ? "Connection: keep-alive\r\n" : "";
    return out + "\r\n";
  }

  /// "Sun, 06 Nov 1994 08:49:37 GMT".
  const std::string& date() {
    const std::time_t now = std::time(nullptr);
    if (now != date_second_) {
      date_second_ = now;
      tm day{};
      gmtime_r(&now, &day);
      std::array<char, 40> text{};
      const std::size_t length = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &day);
      date_.assign(text.data(), length);
    }
    return date_;
  }

  awaitable<bool> send(Connection& connection, const Reply& reply, bool close, const Parser& parser) {
    const std::size_t bytes = reply.body ? reply.body->size() : 0;
    const bool head_only = parser.is_header_done() && parser.get().method() == http::verb::head;
    const std::string head = head_of(reply, bytes, close, connection.http_1_0);
    std::string_view body;  // gcc 12 works out both sides of a ?: that stands beside co_await
    if (reply.body && !head_only) body = *reply.body;
    co_return co_await write(connection, head, body);
  }

  /// Within the client's patience.
  awaitable<bool> write_piece(Connection& connection, std::string_view first, std::string_view rest = {}) {
    const std::array<asio::const_buffer, 2> buffers = {asio::buffer(first.data(), first.size()),
                                                       asio::buffer(rest.data(), rest.size())};
    error_code error;
    connection.write_deadline = later(options_.patience);
    co_await asio::async_write(connection.socket, buffers, asio::redirect_error(asio::use_awaitable, error));
    connection.write_deadline = Clock::time_point::max();
    co_return !error;
  }

  awaitable<bool> write(Connection& connection, std::string_view first, std::string_view rest) {
    connection.enter(State::Working, kForever);
    do {
      const std::string_view piece = rest.substr(0, kWriteAtOnce);
      rest.remove_prefix(piece.size());
      const bool sent = co_await write_piece(connection, first, piece);
      if (!sent) co_return false;
      first = {};
    } while (!rest.empty());
    co_return true;
  }

  /// Lets the client read the answer before it is told that what it still sends reaches nobody.
  awaitable<void> linger(Connection& connection) {
    constexpr std::size_t kMost = std::size_t{1} << 20;
    constexpr double kSeconds = 1;
    error_code ignored;
    connection.socket.shutdown(tcp::socket::shutdown_send, ignored);
    connection.enter(State::Reading, std::min(kSeconds, options_.patience));
    std::size_t bytes = 0;
    while (bytes < kMost && co_await read_some(connection)) {
      bytes += connection.in.size();
      connection.in.consume(connection.in.size());
    }
    connection.in.consume(connection.in.size());
  }

  void tell(const Connection& connection, const Parser& parser, const Route& route, int status, std::size_t bytes,
            Clock::time_point begun, std::optional<std::uint64_t> lines = {}) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    metrics_.answered(route.name.empty() ? "none" : route.name, status, seconds);
    if (options_.quiet && status < 500) return;
    log_.line(status < 500 ? "info" : "warning", "request", [&](report::JsonWriter& json) {
      constexpr std::size_t kMostText = 200;
      const bool head = parser.is_header_done();
      json.member("client", connection.client);
      json.member("method", head ? view(parser.get().method_string()).substr(0, 20) : "");
      json.member("path", head ? view(parser.get().target()).substr(0, kMostText) : "");
      json.member("status", status);
      json.member("bytes", bytes);
      json.member("ms", std::round(seconds * 1e6) / 1e3);
      if (lines) json.member("lines", *lines);
    });
  }

  // ---- Batches

  /// Lines in, answers out, at the same time.
  awaitable<bool> batch(const Shared& shared, Parser& parser, Clock::time_point begun) {
    Connection& connection = *shared;
    if (batches_.size() >= kMostBatches) {
      const Reply reply = busy();
      const bool sent = co_await send(connection, reply, true, parser);
      tell(connection, parser, {Route::Kind::Batch, "batch"}, reply.status, reply.body->size(), begun);
      if (sent) co_await linger(connection);
      co_return false;
    }
    const auto one = std::make_shared<Batch>(io_);
    one->connection = shared;
    const auto place = batches_.insert(batches_.end(), one);
    co_await invite_body(connection, parser);
    const bool keep = !leaving_ && parser.keep_alive() && !connection.http_1_0;
    std::size_t bytes = 0;
    asio::co_spawn(io_, send_batch(one, !keep, bytes), [one](const std::exception_ptr& error) {
      one->broken = one->broken || error;
      if (error) one->connection->close();
      one->left.set();
    });
    co_await receive_batch(*one, parser);
    co_await one->left.wait();
    batches_.erase(place);
    tell(connection, parser, {Route::Kind::Batch, "batch"}, 200, bytes, begun, one->next_line - 1);
    const bool whole = !one->broken && !one->too_long;
    if (!one->broken && !(whole && keep)) co_await linger(connection);
    co_return whole&& keep && !leaving_;
  }

  awaitable<void> receive_batch(Batch& batch, Parser& parser) {
    Connection& connection = *batch.connection;
    std::optional<Problem> problem;
    parser.eager(true);
    while (!batch.broken && !batch.too_long) {
      std::string& body = parser.get().body();
      batch.received += body.size();
      batch.waiting += body;
      body.clear();
      batch.too_long = batch.received > options_.most_batch;
      batch.complete = parser.is_done() || batch.too_long;
      feed(batch);
      if (batch.complete) break;
      connection.enter(State::Working, options_.idle);
      const auto some = [](const Parser& p) { return p.is_done() || !p.get().body().empty(); };
      if (co_await read_until(connection, parser, some, problem) != Came::Whole) batch.broken = true;
    }
    connection.deadline = Clock::time_point::max();
    batch.complete = true;
    batch.moved.set();
  }

  /// Hands lines on to the workers, as many as may be under way at once.
  void feed(Batch& batch) {
    const std::size_t most = 2 * static_cast<std::size_t>(cores());
    for (const auto& piece : batch.pieces) {
      if (!piece->asked && !ask(batch, piece)) return;  // no room: the next tick tries again
    }
    while (!batch.broken && batch.pieces.size() < most && !batch.unused().empty()) {
      const std::string_view text = batch.unused();
      std::size_t end = 0;
      std::uint64_t lines = 0;
      while (lines < kLinesAtOnce && text.find('\n', end) != std::string_view::npos) {
        end = text.find('\n', end) + 1;
        ++lines;
      }
      if (lines == 0 && (!batch.complete || batch.too_long)) return;
      if (lines == 0) end = text.size(), lines = 1;
      auto piece = std::make_shared<Batch::Piece>();
      piece->lines = text.substr(0, end);
      piece->first = batch.next_line;
      batch.use(end);
      batch.next_line += lines;
      metrics_.batch_lines += lines;
      batch.pieces.push_back(piece);
      if (!ask(batch, piece)) return;
    }
  }

  bool ask(Batch& batch, const std::shared_ptr<Batch::Piece>& piece) {
    const Shared connection = batch.connection;
    const std::shared_ptr<Batch> shared = batch.shared_from_this();
    const auto play = [this, shared, piece] {
      piece->answers = desk_.lines(piece->first, piece->lines);
      asio::post(io_, [this, shared, piece] {
        piece->answered = true;
        feed(*shared);
        shared->moved.set();
      });
    };
    const auto drop = [this, piece] { asio::post(io_, [piece] { piece->asked = false; }); };
    piece->asked = workers_.add(connection->client, connection->id, {play, drop});
    return piece->asked;
  }

  awaitable<void> send_batch(std::shared_ptr<Batch> batch, bool close, std::size_t& bytes) {
    Connection& connection = *batch->connection;
    const Reply reply{200, kNdjson, nullptr, {{"Cache-Control", "no-store"}}};
    std::string head = head_of(reply, std::nullopt, close, connection.http_1_0);
    const auto chunk = [&](const std::string& text) {
      return connection.http_1_0 ? text : fmt::format("{:x}\r\n{}\r\n", text.size(), text);
    };
    while (!batch->broken) {
      std::string text;
      while (!batch->pieces.empty() && batch->pieces.front()->answered) {
        text += batch->pieces.front()->answers;
        batch->pieces.pop_front();
      }
      feed(*batch);
      const bool over = batch->complete && batch->pieces.empty() && (batch->unused().empty() || batch->too_long);
      if (over && batch->too_long) text += too_long_line(*batch);
      bytes += text.size();
      std::string out = std::move(head);
      head.clear();
      if (!text.empty()) out += chunk(text);
      if (over && !connection.http_1_0) out += "0\r\n\r\n";
      if (!out.empty() && !co_await write_piece(connection, out)) batch->broken = true;
      if (over) co_return;
      const bool more = !batch->pieces.empty() && batch->pieces.front()->answered;
      if (!more && !batch->broken) co_await batch->moved.wait();
    }
    connection.close();
  }

  static std::string too_long_line(const Batch& batch) {
    return report::json_line([&](report::JsonWriter& json) {
             json.object("error", [&] {
               json.member("line", batch.next_line);
               json.member("place", "");
               json.member("message", "the body is too long; send it in parts");
               json.member("status", 2);
             });
           }) +
           "\n";
  }

  static constexpr double kForever = 1e6;  // seconds

  const Options options_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  Site site_;
  Desk desk_;
  Log log_;
  Metrics metrics_;
  std::unordered_map<std::uint64_t, Shared> connections_;
  std::list<std::shared_ptr<Asked>> asked_;
  std::list<std::shared_ptr<Batch>> batches_;
  std::uint64_t last_id_ = 0;
  std::string own_base_;
  std::optional<Clock::time_point> leaving_;  ///< empty: not yet; else when it is given up
  std::time_t date_second_ = 0;
  std::string date_;
  Workers workers_;  ///< the last: they end before what they use
};

/// As many descriptors as the system allows.
void allow_connections(std::size_t& most) {
  constexpr std::size_t kOthers = 64;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur > kOthers) most = std::min<std::size_t>(most, limit.rlim_cur - kOthers);
}

/// Answers take and give back the same memory again and again: it stays with the program, within bounds, instead of
/// going to the system and back.
void keep_memory() {
  mallopt(M_ARENA_MAX, 8);
  mallopt(M_MMAP_THRESHOLD, 8 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
}

}  // namespace

void serve(const Catalogue& catalogue, const Options& options) {
  Options possible = options;
  allow_connections(possible.most_connections);
  std::signal(SIGPIPE, SIG_IGN);
  keep_memory();
  using oneapi::tbb::global_control;
  const global_control alone(global_control::max_allowed_parallelism, 1);  // questions share the cores
  Server server(catalogue, possible);
  server.run();
}

}  // namespace salvo::serve
