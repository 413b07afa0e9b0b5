// A connection: reading and writing with deadlines. Only for http.cpp: see asio.h.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "serve/asio.h"

namespace salvo::serve {

/// In the order in which connections are closed when too many are open.
enum class State {
  New,      ///< has not sent a complete request yet
  Reading,  ///< receives a request
  Idle,     ///< between requests
  Working,  ///< waits for an answer or receives it
};

/// An IPv6 client counts by its /64 network, since it can use every address in it.
inline std::string client_of(const asio::ip::address& address) {
  if (!address.is_v6() || address.to_v6().is_v4_mapped() || address.is_loopback()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return asio::ip::address_v6(bytes).to_string();
}

struct Connection {
  static constexpr std::size_t kReadAtOnce = std::size_t{16} << 10, kWriteAtOnce = std::size_t{64} << 10;
  static constexpr double kForever = 1e6;                  // seconds
  static constexpr std::string_view kBegin = "HTTP/1.1 ";  // of every response
  static constexpr std::chrono::milliseconds kFirstWait{50};

  Connection(tcp::socket socket_, std::uint64_t id_, const asio::ip::address& peer_, double patience_)
      : socket(std::move(socket_)), id(id_), peer(peer_), client(client_of(peer_)), patience(patience_) {
    enter(State::New, patience);
  }
  tcp::socket socket;
  const std::uint64_t id;
  const asio::ip::address peer;
  std::string client;     ///< who the current request is from; clients take turns
  const double patience;  ///< seconds allowed to send a request, or to accept some of an answer
  boost::beast::flat_buffer in;
  State state = State::New;
  Clock::time_point deadline = Clock::time_point::max();        ///< when the connection is closed
  Clock::time_point write_deadline = Clock::time_point::max();  ///< the same, while the client accepts no data
  Clock::time_point since;                                      ///< start of the state
  bool too_slow = false;                                        ///< the current request did not arrive in time
  std::size_t sent_ahead = 0;                                   ///< bytes of kBegin that were sent before the answer

  void enter(State now, double seconds) {
    state = now;
    since = Clock::now();
    deadline = later(seconds);
  }
  bool late(Clock::time_point now) const { return now >= std::min(deadline, write_deadline) && socket.is_open(); }
  void close() {
    error_code ignored;
    socket.close(ignored);
  }
  /// Ends a pending read; an answer can still be sent.
  void give_up_reading() {
    too_slow = true;
    deadline = Clock::time_point::max();
    error_code ignored;
    socket.cancel(ignored);
  }

  /// Whether the client is known to have disconnected. Reads nothing.
  bool gone() { return (events() & (POLLHUP | POLLERR)) != 0; }

  /// Whether the client has disconnected while its question is being answered. A client that has closed its side of the
  /// connection may still read; only a write reveals whether it does. So this sends the text with which every response
  /// begins, one letter at a time, and doubles the delay after each letter. The time wasted on a client that has left
  /// is therefore at most about the time already spent.
  bool gone_before_answer(Clock::time_point now) {
    const int seen = events();
    if ((seen & (POLLHUP | POLLERR)) != 0) return true;
    if ((seen & POLLRDHUP) == 0 || sent_ahead == kBegin.size() || now - since < kFirstWait * (1 << sent_ahead))
      return false;
    if (::send(socket.native_handle(), &kBegin[sent_ahead], 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1) ++sent_ahead;
    return false;
  }

  /// Returns false if the connection is closed or the client sends nothing more.
  awaitable<bool> read_some() {
    if (too_slow) co_return false;
    error_code error;
    const std::size_t n =
        co_await socket.async_read_some(in.prepare(kReadAtOnce), asio::redirect_error(asio::use_awaitable, error));
    in.commit(n);
    co_return !error && socket.is_open();
  }

  /// Writes within the deadline. Returns false if the connection is closed.
  awaitable<bool> write_piece(std::string_view first, std::string_view rest = {}) {
    const std::array<asio::const_buffer, 2> buffers = {asio::buffer(first.data(), first.size()),
                                                       asio::buffer(rest.data(), rest.size())};
    error_code error;
    write_deadline = later(patience);
    co_await asio::async_write(socket, buffers, asio::redirect_error(asio::use_awaitable, error));
    write_deadline = Clock::time_point::max();
    co_return !error;
  }

  awaitable<bool> write(std::string_view head, std::string_view body) {
    enter(State::Working, kForever);
    head.remove_prefix(std::exchange(sent_ahead, 0));
    do {
      const std::string_view piece = body.substr(0, kWriteAtOnce);
      body.remove_prefix(piece.size());
      const bool sent = co_await write_piece(head, piece);
      if (!sent) co_return false;
      head = {};
    } while (!body.empty());
    co_return true;
  }

  /// Reads and discards what the client still sends, so that a reset does not destroy the answer before it is read.
  awaitable<void> linger() {
    constexpr std::size_t kMost = std::size_t{1} << 20;
    constexpr double kSeconds = 1;
    error_code ignored;
    socket.shutdown(tcp::socket::shutdown_send, ignored);
    enter(State::Reading, std::min(kSeconds, patience));
    std::size_t bytes = 0;
    while (bytes < kMost && co_await read_some()) {
      bytes += in.size();
      in.consume(in.size());
    }
    in.consume(in.size());
  }

 private:
  /// POLLRDHUP: the client has closed its side.
  int events() {
    pollfd asked{socket.native_handle(), POLLRDHUP, 0};
    return socket.is_open() && ::poll(&asked, 1, 0) > 0 ? asked.revents : 0;
  }
};
using Shared = std::shared_ptr<Connection>;

/// Whether `a` is closed before `b` when too many are open.
inline bool closed_before(const Connection& a, const Connection& b) {
  return std::pair(a.state, a.since) < std::pair(b.state, b.since);
}

/// The client of a request that the trusted proxy passed on: the last address in X-Forwarded-For, which the proxy added
/// itself: anybody can forge the earlier ones. Without an address there, the proxy.
inline std::string client_behind(const asio::ip::address& proxy, std::string_view forwarded_for) {
  const std::string_view last = base::trimmed(forwarded_for.substr(forwarded_for.rfind(',') + 1));
  error_code error;
  const asio::ip::address address = asio::ip::make_address(std::string(last), error);
  return client_of(error ? proxy : address);
}

}  // namespace salvo::serve
