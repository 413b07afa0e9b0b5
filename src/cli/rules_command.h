// `salvo rules`: which rules are modelled, and which are not and why.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"

namespace salvo::cli {

struct RulesRequest {
  RunOptions run;       ///< the format
  std::string edition;  ///< empty: all, in short
  bool left_out = false;
  std::vector<std::string> search;  ///< words that must all occur
};

int rules_command(const RulesRequest& request);

}  // namespace salvo::cli
