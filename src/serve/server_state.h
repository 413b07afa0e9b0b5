// The state that the parts of the server share. Only for http.cpp: see asio.h.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "serve/asio.h"
#include "serve/connection.h"
#include "serve/log.h"
#include "serve/metrics.h"
#include "serve/options.h"
#include "serve/pending_work.h"
#include "serve/request_handler.h"
#include "serve/request_rules.h"
#include "serve/response_head.h"
#include "serve/responses.h"
#include "serve/routes.h"
#include "serve/worker_pool.h"

namespace salvo::serve {

/// Only the thread of the connections uses it, except for the handler and the workers.
struct ServerState {
  ServerState(const Catalogue& catalogue, const Options& options_)
      : options(options_),
        routes(options),
        handler(catalogue, options),
        heads(options.origin),
        workers(cores(), cores(), options.most_queued) {}

  int cores() const {
    return options.workers > 0 ? options.workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }

  Reply busy() const { return busy_reply(workers.state().expected_wait); }

  awaitable<bool> send(Connection& connection, const Reply& reply, const RequestHead& request, bool close) {
    const std::string head =
        heads.head(reply, {reply.body ? reply.body->size() : std::size_t{0}, close, request.http_1_0()});
    std::string_view body;  // gcc 12 evaluates both sides of a ?: in an expression with co_await
    if (reply.body && request.method != "HEAD") body = *reply.body;
    co_return co_await connection.write(head, body);
  }

  /// A sent answer, for the log and the metrics.
  struct Sent {
    int status = 200;
    std::size_t bytes = 0;
    Clock::time_point begun;
    std::optional<std::uint64_t> lines = {};
  };

  void record(const Connection& connection, const RequestHead& request, std::string_view route, const Sent& sent) {
    const double seconds = std::chrono::duration<double>(Clock::now() - sent.begun).count();
    metrics.answered(route.empty() ? "none" : route, sent.status, seconds);
    if (options.quiet && sent.status < 500) return;
    log.line(sent.status < 500 ? "info" : "warning", "request", [&](report::JsonWriter& json) {
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

  const Options options;
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  Routes routes;
  RequestHandler handler;
  HeadWriter heads;
  Log log;
  Metrics metrics;
  std::unordered_map<std::uint64_t, Shared> connections;
  std::list<std::shared_ptr<PendingQuestion>> pending;
  std::list<std::shared_ptr<Batch>> batches;
  std::string own_url;                       ///< where the server listens
  std::optional<Clock::time_point> leaving;  ///< the moment to give up after a signal to end; empty before that
  WorkerPool workers;                        ///< the last member: its threads end before what they use
};

}  // namespace salvo::serve
