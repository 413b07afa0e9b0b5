// Answers batches: lines are received while the answers of earlier ones are sent. Only for http.cpp: see asio.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "serve/batch_lines.h"
#include "serve/request_reader.h"
#include "serve/server_state.h"

namespace salvo::serve {

class BatchService {
 public:
  explicit BatchService(ServerState& state) : state_(state) {}

  /// Serves a request whose head was read. Returns false if the connection ends.
  awaitable<bool> serve(const Shared& shared, RequestReader& request, Clock::time_point begun) {
    if (state_.batches.size() >= kMaxBatches) {
      const Reply reply = state_.busy();
      const bool sent = co_await state_.send(*shared, reply, request.head(), true);
      state_.record(*shared, request.head(), "batch", {reply.status, reply.body->size(), begun});
      if (sent) co_await shared->linger();
      co_return false;
    }
    const auto one = std::make_shared<Batch>(state_.io, shared, state_.options.most_batch);
    const auto place = state_.batches.insert(state_.batches.end(), one);
    co_await request.begin_body();
    const bool reuse = !state_.leaving && request.keep_alive() && !request.head().http_1_0();
    co_await run(one, request, reuse);
    state_.batches.erase(place);
    state_.record(*shared, request.head(), "batch", {200, one->bytes_sent, begun, one->lines.next_line() - 1});
    const bool whole = !one->broken && !one->lines.too_long();
    if (!one->broken && !(whole && reuse)) co_await shared->linger();
    co_return whole&& reuse && !state_.leaving;
  }

  /// Gives lines to the workers, up to two pieces per core at once.
  void feed(Batch& batch) {
    const std::size_t most = 2 * static_cast<std::size_t>(state_.cores());
    for (const auto& piece : batch.pieces) {
      if (!piece->asked && !ask(batch, piece)) return;  // the queue is full; the next tick tries again
    }
    while (!batch.broken && batch.pieces.size() < most) {
      auto lines = batch.lines.take();
      if (!lines) return;
      state_.metrics.batch_lines += lines->count;
      batch.pieces.push_back(std::make_shared<Batch::Piece>(Batch::Piece{std::move(*lines)}));
      if (!ask(batch, batch.pieces.back())) return;
    }
  }

 private:
  static constexpr std::size_t kMaxBatches = 16;

  /// Receives lines and sends answers at the same time.
  awaitable<void> run(std::shared_ptr<Batch> batch, RequestReader& request, bool reuse) {
    asio::co_spawn(state_.io, send_answers(batch, !reuse, request.head().http_1_0()),
                   [batch](const std::exception_ptr& error) {
                     batch->broken = batch->broken || error;
                     if (error) batch->connection->close();
                     batch->left.set();
                   });
    co_await receive_lines(*batch, request);
    co_await batch->left.wait();
  }

  awaitable<void> receive_lines(Batch& batch, RequestReader& request) {
    Connection& connection = *batch.connection;
    while (!batch.broken) {
      batch.lines.receive(request.take_part(), request.whole());
      feed(batch);
      if (batch.lines.complete()) break;
      connection.enter(State::Working, state_.options.idle);
      const bool more = co_await request.read_part();
      if (!more) batch.broken = true;
    }
    connection.deadline = Clock::time_point::max();
    batch.lines.end();
    batch.moved.set();
  }

  bool ask(Batch& batch, const std::shared_ptr<Batch::Piece>& piece) {
    const Shared connection = batch.connection;
    const std::shared_ptr<Batch> shared = batch.shared_from_this();
    const auto play = [this, shared, piece] {
      piece->answers = state_.handler.answer_lines(piece->first, piece->lines, shared->broken);
      asio::post(state_.io, [this, shared, piece] {
        piece->answered = true;
        feed(*shared);
        shared->moved.set();
      });
    };
    const auto drop = [this, piece] { asio::post(state_.io, [piece] { piece->asked = false; }); };
    piece->asked = state_.workers.add(connection->client, connection->id, {play, drop});
    return piece->asked;
  }

  awaitable<void> send_answers(std::shared_ptr<Batch> batch, bool close, bool http_1_0) {
    const Reply reply{200, kNdjson, nullptr, {{"Cache-Control", "no-store"}}};
    std::string out = state_.heads.head(reply, {std::nullopt, close, http_1_0});
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

  ServerState& state_;
};

}  // namespace salvo::serve
