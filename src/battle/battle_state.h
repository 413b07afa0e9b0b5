// The state of a battle: everything that its future depends on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "salvo/battle.h"

namespace salvo::battle {

inline constexpr int kMaxShips = 2 * kMaxBattleShips;
inline constexpr int kMaxPairs = kMaxBattleShips * kMaxBattleShips;

/// A number of a ship, pair or round as an index of a list.
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct ShipState {
  std::uint8_t health = 0;
  std::int8_t lock = -1;    ///< the ship it has locked
  bool gone = false;        ///< destroyed and removed
  bool dying = false;       ///< destroyed in this engagement; still fires at its initiative (000: Simultaneous_Fire)
  std::uint16_t state = 0;  ///< of its tokens (TokenStates)
  std::uint8_t attacks = 0, defends = 0;  ///< hand ids (AttackTables::hand_id) for attacks by it and on it; 0: nothing
  bool operator==(const ShipState&) const = default;
};

/// A battle at some point of a round. My ships come first.
struct BattleState {
  std::array<ShipState, kMaxShips> ship{};
  std::array<std::uint8_t, kMaxPairs> geometry{};  ///< by pair: index in its GeometryDistribution
  std::uint8_t round = 0;                          ///< completed rounds
  std::uint8_t mine_first = 1;
  std::array<std::uint16_t, 2> scored{};        ///< points of objectives: mine, theirs
  std::array<std::uint64_t, kMaxShips> hand{};  ///< damage cards of ships, where there is a damage deck
  std::array<std::uint64_t, 2> seen{};          ///< cards seen of my deck and of the opponent's
  bool operator==(const BattleState&) const = default;
};

/// Ships that are not gone. The lists have one more place, because an index is written before it is known to count.
struct PresentShips {
  std::array<std::uint16_t, kMaxBattleShips + 1> my_ships, his_ships;
  int mine = 0, theirs = 0;
  template <typename Visit>
  void each(const Visit& visit) const {
    for (int m = 0; m < mine; ++m) visit(int{my_ships[at(m)]});
    for (int t = 0; t < theirs; ++t) visit(int{his_ships[at(t)]});
  }
};

/// What an attack adds to the totals of ships.
struct AttackResult {
  int shooter = -1, target = -1;
  int damage = 0, own_damage = 0;  ///< health removed
  int points = 0;
  int engaged = -1, engaged_damage = 0;  ///< the ship that its own damage cards damaged as it engaged
};

/// The action of a ship.
struct Action {
  int option = -1;  ///< index in the options of its type; -1: none
  int target = -1;  ///< of a lock
  bool operator==(const Action&) const = default;
};

}  // namespace salvo::battle
