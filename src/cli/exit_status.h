// Exit statuses of every command (docs/format.md: Exit status).
#pragma once

namespace salvo::cli {

enum ExitStatus : int {
  kSuccess = 0,
  kEnginesDisagree = 1,
  kInvalidInput = 2,  // 2 to 4 equal status_of(ErrorKind)
  kTooLarge = 3,
  kInternalError = 4,
  kInterrupted = 130,
};

}  // namespace salvo::cli
