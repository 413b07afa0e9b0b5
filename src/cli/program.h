// Program: a command line from its words to an exit status, for the programs that have these commands.
#pragma once

#include <string>

namespace salvo::cli {

struct Outcome {
  int status = 0;
  std::string message;  ///< what went wrong, in a sentence; empty: nothing, or nobody is left to read it
};

/// Reads the command line, does what it says, and turns what went wrong into an exit status. Works on a stack of its
/// own: that of the process may be small (ulimit -s), and files nest as deeply as they are allowed to.
Outcome play_program(int argc, char** argv);

}  // namespace salvo::cli
