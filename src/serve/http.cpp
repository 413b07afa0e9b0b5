// The server: connections, one coroutine each, all in one thread; questions go to the workers and come back. The only
// file that includes Boost.Asio and Boost.Beast (asio.h).
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "salvo/errors.h"
#include "salvo/version.h"
#include "serve/address.h"
#include "serve/asio.h"
#include "serve/batch_lines.h"
#include "serve/connection.h"
#include "serve/log.h"
#include "serve/metrics.h"
#include "serve/process.h"
#include "serve/request_handler.h"
#include "serve/request_reader.h"
#include "serve/request_rules.h"
#include "serve/response_head.h"
#include "serve/responses.h"
#include "serve/routes.h"
#include "serve/serve.h"
#include "serve/work.h"
#include "serve/work_queue.h"

namespace salvo::serve {
namespace {

constexpr std::size_t kMaxBatches = 16;
constexpr std::chrono::milliseconds kTick{50};

class Server {
 public:
  Server(const Catalogue& catalogue, const Options& options)
      : options_(options),
        site_(options),
        desk_(catalogue, options),
        heads_(options.origin),
        workers_(cores(), cores(), options.most_queued) {}

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
    const auto connection =
        std::make_shared<Connection>(std::move(socket), ++last_id_, client_of(remote.address()), options_.patience);
    connections_.emplace(connection->id, connection);
    asio::co_spawn(
        io_, [this, connection] { return session(connection); },
        [this, connection](const std::exception_ptr& failure) { end(connection, failure); });
  }

  /// Closes the connection that waits longest for its client: one that never sent a request before others.
  bool make_room() {
    Connection* out = nullptr;
    for (const auto& [id, one] : connections_) {
      if (one->state == State::Working || !one->socket.is_open()) continue;
      if (out == nullptr || closed_before(*one, *out)) out = one.get();
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
    const std::string text = heads_.head(reply, {reply.body->size(), true}) + *reply.body;
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
      end_late_connections(now);
      end_for_nobody(now);
      for (const auto& batch : batches_) feed(*batch);
      log_.flush();
      if (leaving_) leave(*leaving_ - now);
    }
  }

  void end_late_connections(Clock::time_point now) {
    for (const auto& [id, connection] : connections_) {
      if (!connection->late(now)) continue;
      ++metrics_.connections_timed_out;
      connection->state == State::Reading ? connection->give_up_reading() : connection->close();
    }
  }

  /// What is worked on for clients that are gone.
  void end_for_nobody(Clock::time_point now) {
    for (const auto& asked : asked_) {
      if (asked->answered || !asked->connection.gone_before_answer(now)) continue;
      asked->unwanted = true;
      asked->answer(gone_reply());
    }
    for (const auto& batch : batches_) {
      if (batch->broken || !batch->connection->gone()) continue;
      batch->broken = true;
      batch->connection->close();
      batch->moved.set();
    }
  }

  /// `left`: the time that is left for it.
  void leave(Clock::duration left) {
    if (connections_.empty()) io_.stop();
    if (left <= std::chrono::seconds(1)) desk_.give_up();
    if (left <= std::chrono::milliseconds(300)) {
      for (const auto& asked : asked_) asked->answer(busy());
    }
    if (left <= Clock::duration::zero()) give_up();
  }

  void wait_for_signal(asio::signal_set& signals) {
    signals.async_wait([this, &signals](const error_code& error, int number) {
      if (error) return;
      if (leaving_) give_up();
      begin_to_leave(number);
      wait_for_signal(signals);
    });
  }

  void begin_to_leave(int signal) {
    log_.line("info", "leaving", [&](report::JsonWriter& json) {
      json.member("signal", signal);
      json.member("connections", connections_.size());
    });
    leaving_ = later(options_.leave_seconds);
    error_code ignored;
    acceptor_.close(ignored);
    for (const auto& [id, connection] : connections_) {
      if (connection->state == State::New || connection->state == State::Idle) connection->close();
    }
  }

  /// What still runs cannot be stopped in a better way.
  [[noreturn]] void give_up() {
    log_.line("warning", "given up",
              [&](report::JsonWriter& json) { json.member("connections", connections_.size()); });
    log_.flush();
    _exit(0);
  }

  // ---- A connection

  awaitable<void> session(Shared shared) {
    Connection& connection = *shared;
    while (!leaving_ || connection.in.size() > 0) {
      RequestReader request(connection, options_);
      if (!co_await request.read_head()) break;
      if (!co_await respond(shared, request)) break;
      connection.enter(State::Idle, options_.idle);
    }
    connection.close();
  }

  /// A request whose head is there, or was wrong. False: the connection ends.
  awaitable<bool> respond(const Shared& shared, RequestReader& request) {
    const Clock::time_point begun = Clock::now();
    Destination to;
    if (!request.problem()) to = destination_of(request.head(), site_, options_);
    const bool right = !request.problem() && !to.problem, preflight = request.head().method == "OPTIONS";
    if (right && !preflight && to.route.kind == Route::Kind::Batch) co_return co_await batch(shared, request, begun);
    if (right) co_await request.read_body();
    if (!shared->socket.is_open()) co_return false;
    Reply reply;
    if (request.problem() || to.problem) {
      reply = refusal_of(request.problem() ? *request.problem() : *to.problem, to.route);
    } else if (preflight) {
      reply = preflight_reply(to.route);
    } else {
      reply = co_await reply_to(shared, request, to);
    }
    const bool keep = !reply.close && !leaving_ && request.whole() && request.keep_alive();
    const bool sent = co_await send(*shared, reply, request.head(), !keep);
    tell(*shared, request.head(), to.route.name, {reply.status, reply.body ? reply.body->size() : 0, begun});
    if (sent && !keep) co_await shared->linger();
    co_return sent&& keep;
  }

  // ---- Replies

  Reply busy() const { return busy_reply(workers_.state().expected_wait); }

  awaitable<Reply> reply_to(const Shared& shared, const RequestReader& request, const Destination& to) {
    switch (to.route.kind) {
      case Route::Kind::Question:
        co_return co_await answer(shared, request, to);
      case Route::Kind::Health:
        co_return health_reply(leaving_.has_value());
      case Route::Kind::Metrics:
        metrics_.connections_open = connections_.size();
        metrics_.log_lines_dropped = log_.dropped();
        co_return Reply{200, "text/plain; version=0.0.4; charset=utf-8",
                        std::make_shared<const std::string>(metrics_.text(workers_.state(), desk_.cache()))};
      default:
        co_return file_reply(*to.route.file, request.head().if_none_match);
    }
  }

  awaitable<Reply> answer(const Shared& shared, const RequestReader& request, const Destination& to) {
    const bool post = request.head().method == "POST";
    const std::string_view verb = to.route.name;
    std::string body;
    std::optional<Problem> problem;
    try {
      body = post ? request.body() : body_of_query(to.target.query);
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
    const std::string link = reply.status == 200 ? link_to(request.head().host, verb, body) : "";
    co_return answer_reply(std::move(reply), link, post, request.head().if_none_match);
  }

  /// The page with this question, where the client asked unless it is said to be elsewhere.
  std::string link_to(std::string_view host, std::string_view verb, std::string_view body) const {
    std::string base = options_.url;
    if (base.empty()) base = base_of_host(host);
    return page_link(base.empty() ? own_base_ : base, verb, body);
  }

  /// Lets a worker answer.
  awaitable<Reply> asked(const Shared& shared, std::string_view verb, const std::string& body) {
    const auto asked = std::make_shared<Asked>(io_, *shared);
    const auto finish = [this, asked](Reply reply) {
      asio::post(io_, [asked, reply = std::move(reply)]() mutable { asked->answer(std::move(reply)); });
    };
    const Clock::time_point latest = later(options_.most_seconds);
    const auto play = [this, asked, finish, latest, verb, body] {
      if (asked->unwanted) return;
      finish(Clock::now() < latest ? desk_.answer(verb, body, asked->unwanted) : busy());
    };
    const auto drop = [this, finish] { finish(busy()); };
    shared->enter(State::Working, Connection::kForever);
    if (!workers_.add(shared->client, shared->id, {play, drop})) co_return busy();
    const auto place = asked_.insert(asked_.end(), asked);
    co_await asked->done.wait();
    asked_.erase(place);
    co_return std::move(asked->reply);
  }

  // ---- Sending

  awaitable<bool> send(Connection& connection, const Reply& reply, const RequestHead& request, bool close) {
    const std::string head =
        heads_.head(reply, {reply.body ? reply.body->size() : std::size_t{0}, close, request.http_1_0()});
    std::string_view body;  // gcc 12 works out both sides of a ?: that stands beside co_await
    if (reply.body && request.method != "HEAD") body = *reply.body;
    co_return co_await connection.write(head, body);
  }

  /// What the log tells of an answer.
  struct Sent {
    int status = 200;
    std::size_t bytes = 0;
    Clock::time_point begun;
    std::optional<std::uint64_t> lines = {};
  };

  void tell(const Connection& connection, const RequestHead& request, std::string_view route, const Sent& sent) {
    const double seconds = std::chrono::duration<double>(Clock::now() - sent.begun).count();
    metrics_.answered(route.empty() ? "none" : route, sent.status, seconds);
    if (options_.quiet && sent.status < 500) return;
    log_.line(sent.status < 500 ? "info" : "warning", "request", [&](report::JsonWriter& json) {
      constexpr std::size_t kMaxMethod = 20, kMaxPath = 200;
      json.member("client", connection.client);
      json.member("method", request.method.substr(0, kMaxMethod));
      json.member("path", request.target.substr(0, kMaxPath));
      json.member("status", sent.status);
      json.member("bytes", sent.bytes);
      json.member("ms", std::round(seconds * 1e6) / 1e3);
      if (sent.lines) json.member("lines", *sent.lines);
    });
  }

  // ---- Batches

  awaitable<bool> batch(const Shared& shared, RequestReader& request, Clock::time_point begun) {
    if (batches_.size() >= kMaxBatches) {
      const Reply reply = busy();
      const bool sent = co_await send(*shared, reply, request.head(), true);
      tell(*shared, request.head(), "batch", {reply.status, reply.body->size(), begun});
      if (sent) co_await shared->linger();
      co_return false;
    }
    const auto one = std::make_shared<Batch>(io_, shared, options_.most_batch);
    const auto place = batches_.insert(batches_.end(), one);
    co_await request.begin_body();
    const bool keep = !leaving_ && request.keep_alive() && !request.head().http_1_0();
    co_await play_batch(one, request, keep);
    batches_.erase(place);
    tell(*shared, request.head(), "batch", {200, one->bytes_sent, begun, one->lines.next_line() - 1});
    const bool whole = !one->broken && !one->lines.too_long();
    if (!one->broken && !(whole && keep)) co_await shared->linger();
    co_return whole&& keep && !leaving_;
  }

  /// Lines in, answers out, at the same time.
  awaitable<void> play_batch(std::shared_ptr<Batch> batch, RequestReader& request, bool keep) {
    asio::co_spawn(io_, send_batch(batch, !keep, request.head().http_1_0()), [batch](const std::exception_ptr& error) {
      batch->broken = batch->broken || error;
      if (error) batch->connection->close();
      batch->left.set();
    });
    co_await receive_batch(*batch, request);
    co_await batch->left.wait();
  }

  awaitable<void> receive_batch(Batch& batch, RequestReader& request) {
    Connection& connection = *batch.connection;
    while (!batch.broken) {
      batch.lines.receive(request.take_part(), request.whole());
      feed(batch);
      if (batch.lines.complete()) break;
      connection.enter(State::Working, options_.idle);
      const bool more = co_await request.read_part();
      if (!more) batch.broken = true;
    }
    connection.deadline = Clock::time_point::max();
    batch.lines.end();
    batch.moved.set();
  }

  /// Hands lines on to the workers, as many as may be under way at once.
  void feed(Batch& batch) {
    const std::size_t most = 2 * static_cast<std::size_t>(cores());
    for (const auto& piece : batch.pieces) {
      if (!piece->asked && !ask(batch, piece)) return;  // no room: the next tick tries again
    }
    while (!batch.broken && batch.pieces.size() < most) {
      auto lines = batch.lines.take();
      if (!lines) return;
      metrics_.batch_lines += lines->count;
      batch.pieces.push_back(std::make_shared<Batch::Piece>(Batch::Piece{std::move(*lines)}));
      if (!ask(batch, batch.pieces.back())) return;
    }
  }

  bool ask(Batch& batch, const std::shared_ptr<Batch::Piece>& piece) {
    const Shared connection = batch.connection;
    const std::shared_ptr<Batch> shared = batch.shared_from_this();
    const auto play = [this, shared, piece] {
      piece->answers = desk_.lines(piece->first, piece->lines, shared->broken);
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

  awaitable<void> send_batch(std::shared_ptr<Batch> batch, bool close, bool http_1_0) {
    const Reply reply{200, kNdjson, nullptr, {{"Cache-Control", "no-store"}}};
    std::string out = heads_.head(reply, {std::nullopt, close, http_1_0});
    while (!batch->broken) {
      std::string text = batch->take_answers();
      feed(*batch);
      const bool over = batch->over();
      if (over && batch->lines.too_long()) text += too_long_line(batch->lines.next_line());
      batch->bytes_sent += text.size();
      out += http_1_0 ? text : chunks(text, over);
      if (!out.empty() && !co_await batch->connection->write_piece(out)) batch->broken = true;
      if (over) co_return;
      out.clear();
      if (!batch->answers_ready() && !batch->broken) co_await batch->moved.wait();
    }
    batch->connection->close();
  }

  const Options options_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  Site site_;
  Desk desk_;
  HeadWriter heads_;
  Log log_;
  Metrics metrics_;
  std::unordered_map<std::uint64_t, Shared> connections_;
  std::list<std::shared_ptr<Asked>> asked_;
  std::list<std::shared_ptr<Batch>> batches_;
  std::uint64_t last_id_ = 0;
  std::string own_base_;
  std::optional<Clock::time_point> leaving_;  ///< empty: not yet; else when it is given up
  Workers workers_;                           ///< the last: they end before what they use
};

}  // namespace

void serve(const Catalogue& catalogue, const Options& options) {
  Options possible = options;
  possible.most_connections = allow_connections(options.most_connections);
  ignore_broken_pipes();
  keep_memory();
  using oneapi::tbb::global_control;
  const global_control alone(global_control::max_allowed_parallelism, 1);  // questions share the cores
  Server server(catalogue, possible);
  server.run();
}

}  // namespace salvo::serve
