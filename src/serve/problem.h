// Errors as application/problem+json (RFC 9457, "problem details").
#pragma once

#include <string>
#include <string_view>

#include "salvo/failure.h"

namespace salvo::serve {

/// GET /problems lists them all.
enum class ProblemKind {
  Question,      ///< the question has an error
  TooLarge,      ///< more work than one request may take
  Request,       ///< malformed HTTP
  NotFound,      ///< no such address
  Method,        ///< method not supported here
  MediaType,     ///< unsupported content type
  BodyTooLarge,  ///< more bytes than a question may have
  HeadTooLarge,  ///< more bytes than address and headers may have
  TooSlow,       ///< the request did not arrive in time
  Unknown,       ///< a part of HTTP that the server does not support
  Version,       ///< unsupported version of HTTP
  Expectation,   ///< unsupported Expect header
  Busy,          ///< too many requests are waiting
  Internal       ///< a fault of the server
};

struct Problem {
  ProblemKind kind = ProblemKind::Internal;
  std::string detail;  ///< one sentence
  std::string path;    ///< key of the question ("ships.red.tokens.focus") or header; empty: the whole request
  std::string remedy;  ///< how to correct it; empty: the remedy of the kind
};

int status_of(ProblemKind kind);
/// "Unprocessable Content".
std::string_view status_phrase(int status);

/// The body, on one line.
std::string to_json(const Problem& problem);
/// All kinds and their meaning: the body of GET /problems.
std::string problem_kinds_json();

/// The problem for a failure of the library.
Problem problem_of(const Failure& failure);

}  // namespace salvo::serve
