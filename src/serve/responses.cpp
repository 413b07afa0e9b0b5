#include "serve/responses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "salvo/version.h"

namespace salvo::serve {
namespace {

constexpr std::string_view kCacheControl = "Cache-Control", kNoStore = "no-store";

/// Whether If-None-Match names the tag.
bool names_tag(std::string_view header, std::string_view tag) {
  return header == "*" || header.find(tag) != std::string_view::npos;
}

/// Adds the entity tag; turns the reply into 304 without a body if the client has that tag.
void add_tag(Reply& reply, const std::string& tag, std::string cache_control, std::string_view if_none_match) {
  reply.headers.emplace_back("ETag", tag);
  reply.headers.emplace_back(kCacheControl, std::move(cache_control));
  if (!names_tag(if_none_match, tag)) return;
  reply.status = 304;
  reply.body = nullptr;
}

}  // namespace

Reply reply_of(const Problem& problem) {
  return {status_of(problem.kind), kProblemJson, std::make_shared<const std::string>(to_json(problem))};
}

Reply refusal_of(const Problem& problem, const Route& route) {
  Reply reply = reply_of(problem);
  if (problem.kind == ProblemKind::Method) reply.headers.emplace_back("Allow", route.allow);
  reply.close = problem.kind == ProblemKind::Request || problem.kind == ProblemKind::Version ||
                problem.kind == ProblemKind::HeadTooLarge;
  return reply;
}

Reply busy_reply(double expected_wait) {
  constexpr double kMaxWait = 60;
  Reply reply = reply_of({ProblemKind::Busy, "too many requests are waiting", "", ""});
  const double wait = std::min(kMaxWait, 1 + expected_wait);
  reply.headers.emplace_back("Retry-After", std::to_string(static_cast<int>(wait)));
  return reply;
}

Reply gone_reply() {
  constexpr int kClientClosedRequest = 499;  // nginx's number; no client sees it
  return {.status = kClientClosedRequest, .type = {}, .body = nullptr, .headers = {}, .close = true};
}

Reply preflight_reply(const Route& route) {
  Reply reply{204, {}, nullptr};
  reply.headers = {{"Allow", std::string(route.allow)},
                   {"Access-Control-Allow-Methods", std::string(route.allow)},
                   {"Access-Control-Allow-Headers", "Content-Type, If-None-Match"},
                   {"Access-Control-Allow-Private-Network", "true"},
                   {"Access-Control-Max-Age", "86400"}};
  return reply;
}

Reply file_reply(const PageFile& file, std::string_view if_none_match) {
  Reply reply{200, file.type, file.bytes};
  add_tag(reply, file.tag, file.immutable ? "public, max-age=31536000, immutable" : "no-cache", if_none_match);
  return reply;
}

Reply health_reply(bool leaving) {
  std::string text =
      fmt::format("{{\"status\": \"{}\", \"version\": \"{}\"}}\n", leaving ? "leaving" : "ok", build_info().version);
  Reply reply{leaving ? 503 : 200, kJson, std::make_shared<const std::string>(std::move(text))};
  reply.headers.emplace_back(kCacheControl, kNoStore);
  return reply;
}

Reply answer_reply(Reply answer, const std::string& link, bool post, std::string_view if_none_match) {
  if (answer.status != 200) return answer;
  if (!link.empty())
    answer.headers.emplace_back("Link", fmt::format("<{}>; rel=\"alternate\"; type=\"text/html\"", link));
  if (post) {
    answer.headers.emplace_back(kCacheControl, kNoStore);
  } else {
    add_tag(answer, entity_tag(*answer.body), "no-cache", if_none_match);
  }
  return answer;
}

}  // namespace salvo::serve
