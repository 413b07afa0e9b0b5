// Failure: what went wrong with one question of many, as a value.
// In: the exception that is being handled. Out: message, place and the exit status that `salvo run` would have had.
#pragma once

#include <string>

#include "cli/exit_status.h"

namespace salvo::cli {

struct Failure {
  ExitStatus status = kOurFault;
  std::string place;  ///< key path in the question, where it is known
  std::string message;
};

/// For the exception that is being handled. Errors of the system (a full disk, a closed pipe) are thrown on.
Failure current_failure();

}  // namespace salvo::cli
