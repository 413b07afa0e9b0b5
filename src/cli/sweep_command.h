// `salvo sweep`: every cell of a grid, streamed in order; what was stopped goes on where it was.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

struct SweepRequest {
  RunOptions run;
  std::string out;       ///< file that is continued if it was begun; empty: standard output
  bool restart = false;  ///< begin anew
};

/// With `out`, a file `out`.grid beside it says which grid and options it belongs to.
int sweep_command(const SweepRequest& request);

}  // namespace salvo::cli
