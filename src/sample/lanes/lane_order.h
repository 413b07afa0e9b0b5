// The dice of one pool by slot: a nibble each, with the face and whether the die was rerolled.
#pragma once

#include <cstdint>

namespace salvo::sample {

inline constexpr std::uint64_t kNoDice = 0x7777777777777777u;  // a nibble of 7 marks an empty slot
inline constexpr std::uint64_t kMarked = 8;
inline constexpr int kMaxSlots = 15;

inline std::uint64_t nibble(std::uint64_t order, int slot) { return order >> 4 * slot & 15u; }
inline void set_nibble(std::uint64_t& order, int slot, std::uint64_t value) {
  order = (order & ~(std::uint64_t{15} << 4 * slot)) | value << 4 * slot;
}

/// Calls act(slot) for up to n dice with the face and mark, lowest slots first; returns how many it found.
template <typename Act>
int each_of(std::uint64_t order, int face, bool mark, int n, Act&& act) {
  int done = 0;
  for (int slot = 0; slot <= kMaxSlots && done < n; ++slot) {
    if (nibble(order, slot) != (static_cast<std::uint64_t>(face) | (mark ? kMarked : 0))) continue;
    act(slot);
    ++done;
  }
  return done;
}

}  // namespace salvo::sample
