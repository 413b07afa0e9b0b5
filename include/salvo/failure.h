// Failure: what went wrong as a value, for those who go on, or who answer in another form than by an exception.
// In: the exception that is being handled. Out: whose it is to mend, where it is, and the sentence.
#pragma once

#include <string>

#include "salvo/errors.h"

namespace salvo {

/// Whose turn it is to mend what went wrong.
enum class ErrorKind {
  Question,  ///< the asker's: a file, a scenario or an option that cannot be used
  TooLarge,  ///< the asker's: more than the budget allows (PlanTooLarge), or than there is memory (std::bad_alloc)
  Internal   ///< ours
};

struct Failure {
  ErrorKind kind = ErrorKind::Internal;
  std::string place;    ///< key path in the question, where it is known
  std::string message;  ///< without the place, where that is known
  std::string text;     ///< one sentence with the place, for people
};

/// What programs tell a failure by, also as the exit status of a command: 2 the question, 3 too large, 4 ours.
constexpr int status_of(ErrorKind kind) {
  return kind == ErrorKind::Question ? 2 : kind == ErrorKind::TooLarge ? 3 : 4;
}

/// The failure of the exception that is being handled; call it in a catch block only. Errors of the system
/// (std::system_error: a full disk, a closed pipe) are thrown on.
Failure current_failure();

}  // namespace salvo
