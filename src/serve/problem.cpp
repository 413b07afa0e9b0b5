#include "serve/problem.h"

#include <array>

#include "report/json_writer.h"

namespace salvo::serve {
namespace {

struct KindWords {
  ProblemKind kind;
  int status;
  std::string_view name, title, remedy;
};

constexpr std::array kKinds = {
    KindWords{ProblemKind::Question, 400, "question", "The question cannot be answered as it stands",
              "change the key that path names"},
    KindWords{ProblemKind::TooLarge, 422, "too-large", "More work than one request may cost",
              "leave out attacks, cards, tokens or the key budget, ask for fewer trials, or use the program itself"},
    KindWords{ProblemKind::Request, 400, "request", "Not a valid HTTP request", "correct the request"},
    KindWords{ProblemKind::NotFound, 404, "not-found", "There is nothing at this address",
              "GET /openapi.json lists the addresses"},
    KindWords{ProblemKind::Method, 405, "method", "Not with this method", "use one that the header Allow names"},
    KindWords{ProblemKind::MediaType, 415, "media-type", "Not in this form",
              "send JSON with Content-Type: application/json"},
    KindWords{ProblemKind::BodyTooLarge, 413, "body-too-large", "More bytes than a question may have",
              "send several questions in place of one"},
    KindWords{ProblemKind::HeadTooLarge, 431, "head-too-large", "More bytes than address and headers may have",
              "send the question with POST, and fewer headers"},
    KindWords{ProblemKind::TooSlow, 408, "too-slow", "The request did not arrive in time", "send it again"},
    KindWords{ProblemKind::Unknown, 501, "unknown", "A part of HTTP that this server does not have", "do without it"},
    KindWords{ProblemKind::Version, 505, "version", "A version of HTTP that this server does not speak",
              "send HTTP/1.1"},
    KindWords{ProblemKind::Expectation, 417, "expectation", "Something that this server does not do",
              "expect nothing but 100-continue"},
    KindWords{ProblemKind::Busy, 503, "busy", "Too many questions wait",
              "ask again after the seconds that the header Retry-After names"},
    KindWords{ProblemKind::Internal, 500, "internal", "Our fault", "report it, with the question"},
};

const KindWords& words_of(ProblemKind kind) {
  for (const KindWords& words : kKinds) {
    if (words.kind == kind) return words;
  }
  return kKinds.back();
}

}  // namespace

int status_of(ProblemKind kind) { return words_of(kind).status; }

std::string_view status_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

std::string to_json(const Problem& problem) {
  const KindWords& words = words_of(problem.kind);
  return report::json_line([&](report::JsonWriter& json) {
           json.member("type", "/problems#" + std::string(words.name));
           json.member("title", words.title);
           json.member("status", words.status);
           json.member("detail", problem.detail);
           json.member("path", problem.path);
           json.member("remedy", problem.remedy.empty() ? words.remedy : std::string_view(problem.remedy));
         }) +
         "\n";
}

std::string problem_kinds_json() {
  return report::wrapped_json([](report::JsonWriter& json) {
    json.objects("problems", kKinds, [&](const KindWords& words) {
      json.member("type", "/problems#" + std::string(words.name));
      json.member("status", words.status);
      json.member("title", words.title);
      json.member("remedy", words.remedy);
    });
  });
}

Problem problem_of(const Failure& failure) {
  Problem out;
  out.kind = failure.kind == ErrorKind::InvalidInput ? ProblemKind::Question
             : failure.kind == ErrorKind::TooLarge   ? ProblemKind::TooLarge
                                                     : ProblemKind::Internal;
  out.detail = failure.message;
  out.path = failure.place;
  // Messages end in a remedy: "... is not a ship; did you mean ...?"
  const std::size_t cut = failure.message.rfind("; ");
  if (out.kind != ProblemKind::Internal && cut != std::string::npos) out.remedy = failure.message.substr(cut + 2);
  return out;
}

}  // namespace salvo::serve
