// Accepts connections and starts a session for each. Only for http.cpp: see asio.h.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "salvo/errors.h"
#include "salvo/version.h"
#include "serve/server_state.h"

namespace salvo::serve {

class Listener {
 public:
  /// `session` serves a connection until it ends.
  Listener(ServerState& state, std::function<awaitable<void>(Shared)> session)
      : state_(state), session_(std::move(session)) {}

  void listen() {
    error_code error;
    const tcp::endpoint endpoint(asio::ip::make_address(state_.options.address, error), state_.options.port);
    if (error)
      throw Error(
          fmt::format("--address: {} is not an address; write one such as 127.0.0.1 or ::1", state_.options.address));
    state_.acceptor.open(endpoint.protocol());
    state_.acceptor.set_option(tcp::acceptor::reuse_address(true));
    state_.acceptor.bind(endpoint);
    state_.acceptor.listen(asio::socket_base::max_listen_connections);
    const tcp::endpoint local = state_.acceptor.local_endpoint();
    state_.own_url = local.address().is_v6() ? fmt::format("http://[{}]:{}/", local.address().to_string(), local.port())
                                             : fmt::format("http://{}:{}/", local.address().to_string(), local.port());
    state_.log.line("info", "listening", [&](report::JsonWriter& json) {
      json.member("url", state_.own_url);
      json.member("page", state_.routes.has_page());
      json.member("workers", state_.cores());
      json.member("version", build_info().version);
    });
    state_.log.flush();
    asio::co_spawn(state_.io, accept(), asio::detached);
  }

  void close() {
    error_code ignored;
    state_.acceptor.close(ignored);
  }

 private:
  awaitable<void> accept() {
    while (!state_.leaving) {
      error_code error;
      tcp::socket socket = co_await state_.acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error == asio::error::operation_aborted) co_return;
      if (error) {  // no descriptors left, or the client is gone already
        asio::steady_timer pause(state_.io, std::chrono::milliseconds(20));
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
    ++state_.metrics.connections_accepted;
    if (state_.connections.size() >= state_.options.most_connections && !make_room()) {
      ++state_.metrics.connections_refused;
      refuse(std::move(socket));
      return;
    }
    const auto connection =
        std::make_shared<Connection>(std::move(socket), ++last_id_, remote.address(), state_.options.patience);
    state_.connections.emplace(connection->id, connection);
    asio::co_spawn(
        state_.io, [this, connection] { return session_(connection); },
        [this, connection](const std::exception_ptr& failure) { end(connection, failure); });
  }

  /// Closes the connection that has waited longest for its client, preferring those without any request so far.
  bool make_room() {
    Connection* out = nullptr;
    for (const auto& [id, one] : state_.connections) {
      if (one->state == State::Working || !one->socket.is_open()) continue;
      if (out == nullptr || closed_before(*one, *out)) out = one.get();
    }
    if (out == nullptr) return false;
    ++state_.metrics.connections_evicted;
    state_.connections.erase(out->id);  // its coroutine owns it until it ends
    out->close();
    return true;
  }

  /// Does not wait: a few bytes always fit into the buffer of a new socket.
  void refuse(tcp::socket socket) {
    const Reply reply = state_.busy();
    const std::string text = state_.heads.head(reply, {reply.body->size(), true}) + *reply.body;
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(text), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  void end(const Shared& connection, const std::exception_ptr& error) {
    state_.connections.erase(connection->id);
    try {
      if (error) std::rethrow_exception(error);
    } catch (const std::exception& what) {
      state_.log.line("error", "connection", [&](report::JsonWriter& json) { json.member("message", what.what()); });
    }
  }

  ServerState& state_;
  const std::function<awaitable<void>(Shared)> session_;
  std::uint64_t last_id_ = 0;
};

}  // namespace salvo::serve
