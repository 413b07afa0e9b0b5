// PositionTable: positions and their numbers, by hashing. In: positions of one attack. Out: node numbers 0, 1, 2, ...
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/plan.h"

namespace salvo::exact {

/// All fields of a position.
inline std::array<std::uint64_t, sizeof(Position) / 8> words_of(const Position& position) {
  static_assert(std::is_trivially_copyable_v<Position> && std::endian::native == std::endian::little);
  constexpr std::uint64_t kAfterAsked = std::uint64_t{0xf} << 60;
  constexpr std::uint64_t kAfterRemoved = std::uint64_t{0xff} << 56;
  static_assert(offsetof(Position, resume) == 43 && offsetof(Position, side_pool) == 48);
  static_assert(offsetof(Position, removed) == 59);
  std::array<std::uint64_t, sizeof(Position) / 8> out;
  std::memcpy(out.data(), &position, sizeof(Position));
  out[5] &= ~kAfterAsked;
  out[7] &= ~kAfterRemoved;
  return out;
}

/// A sum of products, which do not wait for one another.
inline std::uint64_t hash(const Position& position) {
  constexpr std::array<std::uint64_t, sizeof(Position) / 8> kFactors{
      0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u,
      0xd6e8feb86659fd93u, 0xa0761d6478bd642fu, 0x87c37b91114253d5u, 0xe7037ed1a0b428dbu};
  const auto words = words_of(position);
  std::uint64_t h = 0;
  for (std::size_t i = 0; i < words.size(); ++i) h += words[i] * kFactors[i];
  h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

/// The same as ==, without branches.
inline bool same(const Position& a, const Position& b) {
  const auto left = words_of(a), right = words_of(b);
  std::uint64_t differ = 0;
  for (std::size_t i = 0; i < left.size(); ++i) differ |= left[i] ^ right[i];
  return differ == 0;
}

/// Open addressing with linear probing; numbers are given in the order of insertion.
class PositionTable {
 public:
  static constexpr int kNone = -1;

  int find(const Position& position) const { return find(position, hash(position)); }
  int find(const Position& position, std::uint64_t hashed) const {
    if (slots_.empty()) return kNone;
    for (std::size_t i = hashed;; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.node == kNone) return kNone;
      if (slot.hashed == hashed && same(positions_[static_cast<std::size_t>(slot.node)], position)) return slot.node;
    }
  }

  /// Adds a position that is not in the table.
  int insert(const Position& position) { return insert(position, hash(position)); }
  int insert(const Position& position, std::uint64_t hashed) {
    const int node = static_cast<int>(positions_.size());
    positions_.push_back(position);
    if (2 * positions_.size() > slots_.size()) grow();
    place({hashed, node});
    return node;
  }

  /// The number of a position, which is added if it is new.
  int number(const Position& position) {
    const std::uint64_t hashed = hash(position);
    const int known = find(position, hashed);
    return known != kNone ? known : insert(position, hashed);
  }

  std::size_t size() const { return positions_.size(); }
  const Position& operator[](int node) const { return positions_[static_cast<std::size_t>(node)]; }

 private:
  struct Slot {
    std::uint64_t hashed = 0;
    int node = kNone;
  };
  static constexpr std::size_t kFirstSlots = 16;

  void place(Slot slot) {
    std::size_t i = slot.hashed;
    while (slots_[i & (slots_.size() - 1)].node != kNone) ++i;
    slots_[i & (slots_.size() - 1)] = slot;
  }

  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max(4 * slots_.size(), kFirstSlots)));
    for (const Slot& slot : old) {
      if (slot.node != kNone) place(slot);
    }
  }

  std::vector<Position> positions_;
  std::vector<Slot> slots_;
};

}  // namespace salvo::exact
