// Runs a command line, for the programs salvo and salvo-mpi.
#pragma once

#include <string>

namespace salvo::cli {

struct Outcome {
  int status = 0;
  std::string message;  ///< the error in one sentence; empty if there is none or the reader is gone
};

/// Reads the command line, performs it and turns exceptions into an exit status. Uses a separate stack if that of the
/// process is too small (ulimit -s) for deeply nested files.
Outcome run_program(int argc, char** argv);

}  // namespace salvo::cli
