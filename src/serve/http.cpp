// The server: one coroutine per connection, all in one thread; worker threads answer the questions. The only file that
// includes Boost.Asio and Boost.Beast (asio.h).
#include <oneapi/tbb/global_control.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/text.h"
#include "salvo/errors.h"
#include "serve/asio.h"
#include "serve/batch_service.h"
#include "serve/connection.h"
#include "serve/listener.h"
#include "serve/options.h"
#include "serve/process.h"
#include "serve/question_service.h"
#include "serve/request_reader.h"
#include "serve/request_rules.h"
#include "serve/responses.h"
#include "serve/server_state.h"

namespace salvo::serve {
namespace {

constexpr std::chrono::milliseconds kTick{50};

class Server {
 public:
  Server(const Catalogue& catalogue, const Options& options)
      : listener_(state_, [this](Shared shared) { return session(std::move(shared)); }), state_(catalogue, options) {
    if (options.trusted_proxy.empty()) return;
    error_code error;
    proxy_ = asio::ip::make_address(options.trusted_proxy, error);
    if (error) {
      throw LoadError("--trust-proxy: " + base::in_quotes(options.trusted_proxy) +
                      " is no IP address; write that of the proxy, for example 127.0.0.1");
    }
  }

  void run() {
    asio::signal_set signals(state_.io, SIGTERM, SIGINT);
    wait_for_signal(signals);
    listener_.listen();
    asio::co_spawn(state_.io, tick(), asio::detached);
    state_.io.run();
    if (!state_.workers.idle()) give_up();
    state_.log.line("info", "stopped", [](report::JsonWriter&) {});
    state_.log.flush();
  }

 private:
  // ---- Time

  awaitable<void> tick() {
    asio::steady_timer timer(state_.io);
    while (true) {
      error_code ignored;
      timer.expires_after(kTick);
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      const Clock::time_point now = Clock::now();
      end_late_connections(now);
      drop_abandoned(now);
      for (const auto& batch : state_.batches) batches_.feed(*batch);
      state_.log.flush();
      if (state_.leaving) leave(*state_.leaving - now);
    }
  }

  void end_late_connections(Clock::time_point now) {
    for (const auto& [id, connection] : state_.connections) {
      if (!connection->late(now)) continue;
      ++state_.metrics.connections_timed_out;
      connection->state == State::Reading ? connection->give_up_reading() : connection->close();
    }
  }

  /// Drops the work for clients that have disconnected.
  void drop_abandoned(Clock::time_point now) {
    for (const auto& question : state_.pending) {
      if (question->answered || !question->connection.gone_before_answer(now)) continue;
      question->unwanted = true;
      question->answer(gone_reply());
    }
    for (const auto& batch : state_.batches) {
      if (batch->broken || !batch->connection->gone()) continue;
      batch->broken = true;
      batch->connection->close();
      batch->moved.set();
    }
  }

  /// Ends connections step by step; `left` is the time until the server gives up.
  void leave(Clock::duration left) {
    if (state_.connections.empty()) state_.io.stop();
    if (left <= std::chrono::seconds(1)) state_.handler.give_up();
    if (left <= std::chrono::milliseconds(300)) {
      for (const auto& question : state_.pending) question->answer(state_.busy());
    }
    if (left <= Clock::duration::zero()) give_up();
  }

  void wait_for_signal(asio::signal_set& signals) {
    signals.async_wait([this, &signals](const error_code& error, int number) {
      if (error) return;
      if (state_.leaving) give_up();
      begin_to_leave(number);
      wait_for_signal(signals);
    });
  }

  void begin_to_leave(int signal) {
    state_.log.line("info", "leaving", [&](report::JsonWriter& json) {
      json.member("signal", signal);
      json.member("connections", state_.connections.size());
    });
    state_.leaving = later(state_.options.leave_seconds);
    listener_.close();
    for (const auto& [id, connection] : state_.connections) {
      if (connection->state == State::New || connection->state == State::Idle) connection->close();
    }
  }

  /// Ends the process: running questions cannot be stopped in another way.
  [[noreturn]] void give_up() {
    state_.log.line("warning", "given up",
                    [&](report::JsonWriter& json) { json.member("connections", state_.connections.size()); });
    state_.log.flush();
    _exit(0);
  }

  // ---- A connection

  awaitable<void> session(Shared shared) {
    Connection& connection = *shared;
    while (!state_.leaving || connection.in.size() > 0) {
      RequestReader request(connection, state_.options);
      if (!co_await request.read_head()) break;
      if (proxy_ && connection.peer == *proxy_)
        connection.client = client_behind(*proxy_, request.head().forwarded_for);
      if (!co_await respond(shared, request)) break;
      connection.enter(State::Idle, state_.options.idle);
    }
    connection.close();
  }

  /// Answers a request with a complete or faulty head. Returns false if the connection ends.
  awaitable<bool> respond(const Shared& shared, RequestReader& request) {
    const Clock::time_point begun = Clock::now();
    Destination to;
    if (!request.problem()) to = destination_of(request.head(), state_.routes, state_.options);
    const bool valid = !request.problem() && !to.problem, preflight = request.head().method == "OPTIONS";
    if (valid && !preflight && to.route.kind == Route::Kind::Batch)
      co_return co_await batches_.serve(shared, request, begun);
    if (valid) co_await request.read_body();
    if (!shared->socket.is_open()) co_return false;
    Reply reply;
    if (request.problem() || to.problem) {
      reply = refusal_of(request.problem() ? *request.problem() : *to.problem, to.route);
    } else if (preflight) {
      reply = preflight_reply(to.route);
    } else {
      reply = co_await reply_to(shared, request, to);
    }
    const bool reuse = !reply.close && !state_.leaving && request.whole() && request.keep_alive();
    const bool sent = co_await state_.send(*shared, reply, request.head(), !reuse);
    state_.record(*shared, request.head(), to.route.name, {reply.status, reply.body ? reply.body->size() : 0, begun});
    if (sent && !reuse) co_await shared->linger();
    co_return sent&& reuse;
  }

  awaitable<Reply> reply_to(const Shared& shared, const RequestReader& request, const Destination& to) {
    switch (to.route.kind) {
      case Route::Kind::Question:
        co_return co_await questions_.answer(shared, request, to);
      case Route::Kind::Health:
        co_return health_reply(state_.leaving.has_value());
      case Route::Kind::Metrics:
        state_.metrics.connections_open = state_.connections.size();
        state_.metrics.log_lines_dropped = state_.log.dropped();
        co_return Reply{
            200, "text/plain; version=0.0.4; charset=utf-8",
            std::make_shared<const std::string>(state_.metrics.text(state_.workers.state(), state_.handler.cache()))};
      default:
        co_return file_reply(*to.route.file, request.head().if_none_match);
    }
  }

  QuestionService questions_{state_};
  BatchService batches_{state_};
  Listener listener_;
  std::optional<asio::ip::address> proxy_;  ///< Options::trusted_proxy
  ServerState state_;                       ///< the last member: its workers end before the services that they use
};

}  // namespace

void serve(const Catalogue& catalogue, const Options& options) {
  Options limited = options;
  limited.most_connections = allow_connections(options.most_connections);
  ignore_broken_pipes();
  keep_memory();
  using oneapi::tbb::global_control;
  const global_control one_thread(global_control::max_allowed_parallelism, 1);  // questions share the cores
  Server server(catalogue, limited);
  server.run();
}

}  // namespace salvo::serve
