// The relative positions of ships in each round of a flight, as far as attacks depend on them, with probabilities.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "battle/alias.h"
#include "battle/battle_state.h"
#include "battle/ship_type.h"

namespace salvo::battle {

/// The number of different geometries: out of range, or a range, obstructed or not, and the aims of both ships.
inline constexpr int kMaxGeometries = 1 + 4 * 2 * 3 * 3;

/// The geometry of one of my ships and one of the opponent's.
struct Geometry {
  int range = -1;  ///< -1: out of range
  bool obstructed = false;
  int mine = 0, theirs = 0;  ///< of the shot of my ship, and of the other: 0 none, 1 in arc, 2 in the bullseye arc
  /// Number of the shot of my ship, and of the other; -1: none.
  std::array<std::int8_t, 2> shots() const {
    const auto number = [this](int aim) {
      const bool can = range >= 0 && aim > 0;
      return static_cast<std::int8_t>(can ? Shot{range, obstructed, aim == 2}.number() : -1);
    };
    return {number(mine), number(theirs)};
  }
};

/// The possible geometries of a pair with their probabilities.
struct GeometryDistribution {
  std::vector<Geometry> list;
  std::vector<double> chance;
  AliasTable alias;
  /// By "my ship has engaged" and index: the first geometry that is equivalent once that ship has engaged.
  std::array<std::vector<std::uint8_t>, 2> after_engaging;
};

/// Points for a side while one of these ships, bits by number, is left.
struct Objective {
  unsigned ships = 0;
  bool mine = true;
  int points = 0;
};

/// One round of the flight, by ship and pair.
struct FlightRound {
  std::vector<Objective> objectives;
  std::array<int, kMaxShips> no_action{}, blue{}, near_friends{};  ///< percent
  std::vector<GeometryDistribution> pairs;
  /// By pair and geometry the shots of both (Geometry::shots), kMaxGeometries places a pair.
  std::vector<std::array<std::int8_t, 2>> shots;
  std::vector<std::uint8_t> near;  ///< by pair and geometry: they are in range of each other
  bool certain = true;             ///< each pair has a single geometry
};

/// Who can shoot at whom when ships activate. Sets of enemies have a bit for each.
struct FiringLines {
  std::array<std::array<std::int8_t, kMaxBattleShips>, kMaxShips> shot;  ///< by ship and enemy: its number, or -1
  std::array<std::uint16_t, kMaxShips> targets;                          ///< by ship: enemies it can shoot at
  std::array<std::uint16_t, kMaxShips> threats;                          ///< by ship: enemies that can shoot at it
  std::array<std::uint16_t, kMaxShips> near;                             ///< by ship: enemies it can lock
};

}  // namespace salvo::battle
