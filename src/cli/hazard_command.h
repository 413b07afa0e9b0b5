// `salvo hazard`: dice that are rolled outside attacks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace salvo::cli {

struct HazardRequest {
  RunOptions run;                  ///< edition, card set, engine, trials, seed, format
  std::string name;                ///< an id, or "list"
  std::vector<std::string> ships;  ///< one SPEC each; empty: one ship of which nothing is known
  std::string situation;           ///< empty: the usual one
  std::map<std::string, int> numbers;
  int times = 1;
};

int hazard_command(const HazardRequest& request);

}  // namespace salvo::cli
