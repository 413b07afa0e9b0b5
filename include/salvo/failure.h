// Describes an exception as a value, for callers that continue or report errors in another form.
#pragma once

#include <string>

#include "salvo/errors.h"

namespace salvo {

/// Who can fix the problem.
enum class ErrorKind {
  InvalidInput,  ///< the user: a file, a scenario or an option is wrong
  TooLarge,      ///< the user: the request exceeds the budget (PlanTooLarge) or the memory (std::bad_alloc)
  Internal       ///< the developers: a bug
};

struct Failure {
  ErrorKind kind = ErrorKind::Internal;
  std::string place;    ///< key path in the input; empty: unknown
  std::string message;  ///< without the place, if that is known
  std::string text;     ///< a sentence for people, including the place
};

/// The exit status of a command for a failure: 2 wrong input, 3 too large, 4 internal error.
constexpr int status_of(ErrorKind kind) {
  return kind == ErrorKind::InvalidInput ? 2 : kind == ErrorKind::TooLarge ? 3 : 4;
}

/// Describes the exception being handled; call it only in a catch block. Rethrows system errors (std::system_error: a
/// full disk, a closed pipe).
Failure current_failure();

}  // namespace salvo
