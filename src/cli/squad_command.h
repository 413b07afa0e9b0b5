// `salvo squad`: a report on every ship of a squad builder's export.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

struct SquadRequest {
  RunOptions run;
  std::string against;    ///< another squad; empty: none
  std::string reference;  ///< file of reference ships; empty: the typical ones of the rules
  int range = 2;          ///< of the matrix
};

int squad_command(const SquadRequest& request);

}  // namespace salvo::cli
