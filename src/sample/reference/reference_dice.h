// Dice of the reference kernel, one by one.
#pragma once

#include <array>
#include <cstdint>

#include "base/index.h"
#include "game/plan.h"

namespace salvo::sample {

inline constexpr std::uint8_t kAdded = 0xff;  // value of a die that was added: its reroll reads only fresh bits

/// One die.
struct PlayedDie {
  std::uint8_t face = 0;
  std::uint8_t value = 0;  ///< of its first roll
  std::uint8_t slot = 0;   ///< selects its random bits
  bool rerolled = false;
};

/// The dice of one pool in slot order. Dice added after the roll come last.
struct Dice {
  std::array<PlayedDie, 2 * base::kMaxPool> die;
  int n = 0;

  int count(int face) const {
    int k = 0;
    for (int i = 0; i < n; ++i) k += base::nth(die, i).face == face;
    return k;
  }
  void remove(int face, int k) {
    int left = 0;
    for (int i = 0; i < n; ++i) {
      if (k > 0 && base::nth(die, i).face == face) {
        --k;
      } else {
        base::nth(die, left++) = base::nth(die, i);
      }
    }
    n = left;
  }
  /// Removes the dice that a player picked; of equal ones, the first.
  void remove(game::Pool chosen) {
    int left = 0;
    for (int i = 0; i < n; ++i) {
      const PlayedDie& one = base::nth(die, i);
      if (chosen.count(one.face, one.rerolled) > 0) {
        chosen.add(one.face, one.rerolled, -1);
      } else {
        base::nth(die, left++) = one;
      }
    }
    n = left;
  }
  game::Pool counted() const {
    game::Pool pool;
    for (int i = 0; i < n; ++i) pool.add(base::nth(die, i).face, base::nth(die, i).rerolled, 1);
    return pool;
  }
};

}  // namespace salvo::sample
