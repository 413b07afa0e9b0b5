// Exit statuses of every command (docs/format.md: Exit status).
#pragma once

#include "salvo/failure.h"

namespace salvo::cli {

enum ExitStatus : int {
  kAnswered = 0,
  kEnginesDisagree = 1,
  kWrongQuestion = 2,
  kTooLarge = 3,
  kOurFault = 4,
  kInterrupted = 130,
};

/// The one mapping of errors to exit statuses.
inline int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Question:
      return kWrongQuestion;
    case ErrorKind::TooLarge:
      return kTooLarge;
    case ErrorKind::Internal:
      break;
  }
  return kOurFault;
}

}  // namespace salvo::cli
