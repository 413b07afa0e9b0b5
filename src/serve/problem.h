// Problems: what went wrong, as RFC 9457 has it ("problem details"): application/problem+json.
// In: a kind, a sentence, the place and the remedy. Out: a status and a body.
#pragma once

#include <string>
#include <string_view>

#include "salvo/failure.h"

namespace salvo::serve {

/// Each has a line in GET /problems.
enum class ProblemKind {
  Question,      ///< the question cannot be answered as it stands
  TooLarge,      ///< more work than one request may cost
  Request,       ///< not HTTP as it should be
  NotFound,      ///< no such address
  Method,        ///< not with this method
  MediaType,     ///< not in this form
  BodyTooLarge,  ///< more bytes than a question may have
  HeadTooLarge,  ///< more bytes than address and headers may have
  TooSlow,       ///< the request did not arrive in time
  Unknown,       ///< a part of HTTP that the server does not have
  Version,       ///< a version of HTTP that the server does not speak
  Expectation,   ///< something in the header Expect that the server does not do
  Busy,          ///< too many questions wait
  Internal       ///< our fault
};

struct Problem {
  ProblemKind kind = ProblemKind::Internal;
  std::string detail;  ///< one sentence
  std::string path;    ///< key of the question ("ships.red.tokens.focus"), or header; empty: the request as a whole
  std::string remedy;  ///< what would be right; empty: that of the kind
};

int status_of(ProblemKind kind);
/// "Unprocessable Content".
std::string_view status_phrase(int status);

/// The body, one line.
std::string to_json(const Problem& problem);
/// All kinds with what they mean: the body of GET /problems.
std::string problem_kinds_json();

/// What cannot be answered, as a problem.
Problem problem_of(const Failure& failure);

}  // namespace salvo::serve
