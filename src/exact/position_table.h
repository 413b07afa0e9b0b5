// PositionTable: positions and their numbers, by hashing. In: positions of one attack. Out: node numbers 0, 1, 2, ...
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "salvo/plan.h"

namespace salvo::exact {

/// A hash of every field of a position.
inline std::uint64_t hash(const Position& p) {
  const auto mix = [](std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
  };
  const auto byte = [](auto value, int at) {
    return static_cast<std::uint64_t>(static_cast<std::uint8_t>(value)) << 8 * at;
  };
  std::uint64_t h = mix(p.resources.words[0], p.resources.words[1]);
  h = mix(h, p.attack_pool.bits());
  h = mix(h, p.defense_pool.bits());
  h = mix(h, p.used + (byte(p.step, 4) | byte(p.dice, 5) | byte(p.pending, 6) | byte(p.pending_attack, 7)));
  h = mix(h, byte(p.min_dice, 0) | byte(p.max_dice, 1) | byte(p.hits, 2) | byte(p.crits, 3) | byte(p.hit, 4) |
                 byte(p.pending_side, 5) | byte(p.resume, 6));
  std::uint64_t damage = 0;
  for (std::size_t v = 0; v < kVictims; ++v) damage = damage << 16 ^ (byte(p.extra[v], 0) | byte(p.removed[v], 1));
  const std::uint64_t cards =
      p.side_pool.bits() | byte(p.exposures, 4) | byte(p.drawn, 5) | byte(p.back, 6) | byte(p.asked, 7);
  return mix(h, damage ^ cards << 5 ^ static_cast<std::uint64_t>(p.due) << 37);
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
      if (slot.hashed == hashed && positions_[static_cast<std::size_t>(slot.node)] == position) return slot.node;
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
