// References: typical ships to shoot at and to be shot by, as data that users may replace.
// In: a TOML file such as profiles/reference/typical.toml. Out: ships of scenarios with names.
#pragma once

#include <string>
#include <vector>

#include "salvo/scenario.h"

namespace salvo {

class Catalogue;

/// A ship with its tokens.
struct ReferenceShip {
  std::string id, name;
  ScenarioShip ship;
  bool lock = false;  ///< of an attacker: a lock on whom it shoots at
  int range = 2;      ///< of an attacker
};

/// Ships to measure others by.
struct ReferenceShips {
  std::vector<ReferenceShip> defenders, attackers;
};

/// The reference ships in the file at `path`; empty: the typical ones of these rules (profiles/reference). Throws
/// LoadError.
ReferenceShips load_references(const Catalogue& catalogue, const std::string& path, const std::string& rules);

}  // namespace salvo
