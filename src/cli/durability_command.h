// `salvo durability`: how many shots a ship survives, or how many each ship does.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

struct DurabilityRequest {
  RunOptions run;      ///< the question and the output
  int round = 1;       ///< shots after which the defender's tokens are back; 0: never
  bool all = false;    ///< every ship of the card set under the attacker, with the tokens of --defend
  double tail = 1e-9;  ///< where the distribution is cut
};

int durability_command(const DurabilityRequest& request);

}  // namespace salvo::cli
