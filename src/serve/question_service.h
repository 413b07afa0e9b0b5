// Answers single questions: from the cache, or by a worker. Only for http.cpp: see asio.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "salvo/errors.h"
#include "serve/address.h"
#include "serve/request_reader.h"
#include "serve/server_state.h"

namespace salvo::serve {

class QuestionService {
 public:
  explicit QuestionService(ServerState& state) : state_(state) {}

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
    if (auto cached = state_.handler.find_cached(verb, body)) {
      reply.body = std::move(cached);
    } else {
      reply = co_await ask_worker(shared, verb, body);
    }
    const std::string link = reply.status == 200 ? link_to(request.head().host, verb, body) : "";
    co_return answer_reply(std::move(reply), link, post, request.head().if_none_match);
  }

 private:
  /// A link to the question in the page: at the configured URL, or on the host that the client used.
  std::string link_to(std::string_view host, std::string_view verb, std::string_view body) const {
    std::string base = state_.options.url;
    if (base.empty()) base = base_of_host(host);
    return page_link(base.empty() ? state_.own_url : base, verb, body);
  }

  /// Waits for the answer of a worker.
  awaitable<Reply> ask_worker(const Shared& shared, std::string_view verb, const std::string& body) {
    const auto question = std::make_shared<PendingQuestion>(state_.io, *shared);
    const auto finish = [this, question](Reply reply) {
      asio::post(state_.io, [question, reply = std::move(reply)]() mutable { question->answer(std::move(reply)); });
    };
    const Clock::time_point latest = later(state_.options.most_seconds);
    const auto play = [this, question, finish, latest, verb, body] {
      if (question->unwanted) return;
      finish(Clock::now() < latest ? state_.handler.answer(verb, body, question->unwanted) : state_.busy());
    };
    const auto drop = [this, finish] { finish(state_.busy()); };
    shared->enter(State::Working, Connection::kForever);
    if (!state_.workers.add(shared->client, shared->id, {play, drop})) co_return state_.busy();
    const auto place = state_.pending.insert(state_.pending.end(), question);
    co_await question->done.wait();
    state_.pending.erase(place);
    co_return std::move(question->reply);
  }

  ServerState& state_;
};

}  // namespace salvo::serve
