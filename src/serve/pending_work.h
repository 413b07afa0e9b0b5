// Questions and batches that workers are answering. Only for http.cpp: see asio.h.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "serve/asio.h"
#include "serve/batch_lines.h"
#include "serve/connection.h"
#include "serve/reply.h"
#include "serve/request_handler.h"

namespace salvo::serve {

/// Wakes a coroutine that waits for a worker or for another coroutine.
class Signal {
 public:
  explicit Signal(asio::io_context& io) : timer_(io, Clock::time_point::max()) {}
  void set() {
    set_ = true;
    timer_.cancel();
  }
  /// Waits until it is set, then clears it.
  awaitable<void> wait() {
    error_code ignored;
    while (!set_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    set_ = false;
  }

 private:
  asio::steady_timer timer_;
  bool set_ = false;
};

/// A question given to a worker. Only the thread of the connections uses it; workers read `unwanted`.
struct PendingQuestion {
  PendingQuestion(asio::io_context& io, Connection& connection_) : connection(connection_), done(io) {}
  Connection& connection;  ///< lives until the question is answered
  Signal done;
  Reply reply;
  bool answered = false;
  Unwanted unwanted = false;  ///< the client has disconnected
  /// Later calls have no effect.
  void answer(Reply with) {
    if (answered) return;
    answered = true;
    reply = std::move(with);
    done.set();
  }
};

/// A batch in progress: lines go to the workers in pieces, and the answers are sent in order.
struct Batch : std::enable_shared_from_this<Batch> {
  struct Piece : BatchLines::Piece {
    std::string answers;
    bool asked = false, answered = false;
  };
  Batch(asio::io_context& io, Shared connection_, std::size_t most_bytes)
      : connection(std::move(connection_)), lines(most_bytes), moved(io), left(io) {}
  const Shared connection;
  BatchLines lines;
  std::deque<std::shared_ptr<Piece>> pieces;  ///< in order; their answers are not sent yet
  std::size_t bytes_sent = 0;                 ///< of answers
  Unwanted broken = false;                    ///< the connection is closed; read by workers, too
  Signal moved;                               ///< the first piece is answered, or the batch ended
  Signal left;                                ///< the last answer is sent

  bool answers_ready() const { return !pieces.empty() && pieces.front()->answered; }
  std::string take_answers() {
    std::string out;
    for (; answers_ready(); pieces.pop_front()) out += pieces.front()->answers;
    return out;
  }
  bool over() const { return pieces.empty() && lines.over(); }
};

}  // namespace salvo::serve
