// Numbers the positions of an attack 0, 1, 2, ...
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/packed_table.h"
#include "game/plan.h"

namespace salvo::game {

using PositionWords = std::array<std::uint64_t, sizeof(Position) / 8>;

/// The position as words, with padding set to zero.
inline PositionWords packed(const Position& position) {
  static_assert(std::is_trivially_copyable_v<Position> && std::endian::native == std::endian::little);
  constexpr std::uint64_t kAfterRemoved = std::uint64_t{0xff} << 56;
  static_assert(offsetof(Position, resume) == 43 && offsetof(Position, side_pool) == 48);
  static_assert(offsetof(Position, removed) == 59);
  PositionWords out;
  std::memcpy(out.data(), &position, sizeof(Position));
  out[7] &= ~kAfterRemoved;
  return out;
}

inline std::uint64_t hash(const Position& position) { return base::hash_of(packed(position)); }

/// Equivalent to ==, without branches.
inline bool same(const Position& a, const Position& b) { return base::same_words(packed(a), packed(b)); }

using PositionTable = base::PackedTable<Position, packed>;

}  // namespace salvo::game
