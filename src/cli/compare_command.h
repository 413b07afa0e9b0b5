// `salvo compare`: loadouts against defenders, ranked.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "study/compare.h"

namespace salvo::cli {

struct CompareRequest {
  RunOptions run;
  std::vector<std::string> items;      ///< XWS files, or SPECs of attacks
  std::vector<std::string> defenders;  ///< SPECs; empty: the reference defenders
  std::string reference;               ///< file of reference ships; empty: the typical ones of the rules
  std::string tokens = "focus";        ///< of the ships of squads: a name of study::token_sets
  int range = 2;                       ///< of the ships of squads
  study::FigureChoice by;
};

int compare_command(const CompareRequest& request);

}  // namespace salvo::cli
