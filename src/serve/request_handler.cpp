#include "serve/request_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/batch_line.h"
#include "report/json_writer.h"
#include "salvo/answer.h"
#include "salvo/failure.h"
#include "serve/cost_hint.h"
#include "serve/problem.h"
#include "serve/responses.h"

namespace salvo::serve {
namespace {

/// The cache key of a question as typed.
std::string typed_question(std::string_view verb, std::string_view body) {
  std::string out(verb);
  out += ' ';  // the canonical form has a newline here
  out += body;
  return out;
}

}  // namespace

RequestHandler::RequestHandler(const Catalogue& catalogue, const Options& options)
    : catalogue_(catalogue), options_(options), cache_(options.cache_bytes) {}

std::shared_ptr<const std::string> RequestHandler::find_cached(std::string_view verb, std::string_view body) {
  return options_.cache_bytes > 0 ? cache_.find(typed_question(verb, body), false) : nullptr;
}

RequestOptions RequestHandler::limits(const Unwanted& unwanted, std::atomic<bool>& stopped) const {
  RequestOptions out;
  out.threads = 1;
  out.max_threads = 1;  // questions share the cores
  out.max_budget = options_.budget;
  out.max_work = options_.max_work;
  out.max_trials = options_.max_trials;
  out.equilibrium = options_.equilibrium;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options_.most_seconds);
  out.cancel = &unwanted;
  out.progress = [this, end, &unwanted, &stopped](std::uint64_t, std::uint64_t) {
    if (!unwanted && !give_up_ && std::chrono::steady_clock::now() < end) return true;
    stopped = true;
    return false;
  };
  return out;
}

Problem RequestHandler::took_too_long(std::string_view verb, std::string_view body) const {
  const std::string key = costliest_key(verb, body);
  return {ProblemKind::TooLarge, fmt::format("sampling took longer than {} s", options_.most_seconds),
          key == "precision" ? key : "trials",
          "ask for fewer trials or a larger precision, or leave out attacks and cards"};
}

Reply RequestHandler::answer(std::string_view verb, std::string_view body, const Unwanted& unwanted) {
  const auto canonical = options_.cache_bytes > 0 ? canonical_question(verb, body) : std::nullopt;
  if (canonical) {
    if (auto known = cache_.find(*canonical, true)) {
      cache_.store(typed_question(verb, body), known);
      return {200, kJson, std::move(known)};
    }
  }
  std::atomic<bool> stopped = false;
  try {
    auto text = std::make_shared<const std::string>(answer_request(catalogue_, verb, body, limits(unwanted, stopped)));
    if (stopped) return reply_of(took_too_long(verb, body));
    if (canonical && !unwanted) {  // otherwise the answer may be incomplete
      cache_.store(*canonical, text);
      cache_.store(typed_question(verb, body), text);
    }
    return {200, kJson, std::move(text)};
  } catch (...) {
    try {
      Problem problem = problem_of(current_failure());
      if (problem.kind == ProblemKind::TooLarge && problem.path.empty()) problem.path = costliest_key(verb, body);
      return reply_of(problem);
    } catch (const std::exception& error) {  // from the system: no memory or no thread
      return reply_of({ProblemKind::Internal, error.what(), "", ""});
    }
  }
}

std::string RequestHandler::answer_lines(std::uint64_t number, std::string_view text, const Unwanted& unwanted) const {
  report::JsonWriter json;
  for (; !text.empty() && !unwanted; ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::atomic<bool> stopped = false;
    const RequestOptions within = limits(unwanted, stopped);
    AnswerOptions options;
    options.progress = within.progress;
    api::write_batch_line(json, catalogue_, {number, line}, options, within);
  }
  return json.take();
}

}  // namespace salvo::serve
