// Exit statuses of every command (docs/format.md: Exit status).
#pragma once

namespace salvo::cli {

enum ExitStatus : int {
  kAnswered = 0,
  kEnginesDisagree = 1,
  kWrongQuestion = 2,  // these three as status_of() says
  kTooLarge = 3,
  kOurFault = 4,
  kInterrupted = 130,
};

}  // namespace salvo::cli
