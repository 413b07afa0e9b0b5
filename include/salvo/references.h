// Typical attackers and defenders to measure ships against, from a TOML file that users may replace.
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
  bool lock = false;  ///< attackers only: has a lock on its target
  int range = 2;      ///< attackers only
};

/// Ships to measure others against.
struct ReferenceShips {
  std::vector<ReferenceShip> defenders, attackers;
};

/// Reads the reference ships from the file at `path`; empty: the typical ones of the edition (profiles/reference).
/// Throws LoadError.
ReferenceShips load_references(const Catalogue& catalogue, const std::string& path, const std::string& rules);

}  // namespace salvo
