// A hash table that numbers rows of 32-bit words in order of insertion: 0, 1, 2, ... Rows may differ in length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace salvo::base {

/// Open addressing with linear probing, in little memory: PackedTable is faster for short keys of one length.
class RowTable {
 public:
  /// The number of a row, added if it is new. `near`: a function of the row; rows that are looked up one after the
  /// other should share it, since their slots lie together, which saves cache misses.
  std::uint32_t number(std::span<const std::uint32_t> row, std::uint32_t near = 0) {
    Region& region = regions_[near % kRegions];
    if (4 * (region.rows + 1) > 3 * region.slots.size()) grow(region);
    std::vector<Slot>& slots = region.slots;
    const std::uint32_t hashed = hash_of(row);
    std::size_t i = hashed & (slots.size() - 1);
    for (; slots[i].number != kNone; i = (i + 1) & (slots.size() - 1)) {
      if (slots[i].hashed != hashed) continue;
      const auto known = (*this)[slots[i].number];
      if (std::equal(row.begin(), row.end(), known.begin(), known.end())) return slots[i].number;
    }
    const auto out = static_cast<std::uint32_t>(size());
    slots[i] = {hashed, out};
    ++region.rows;
    words_.insert(words_.end(), row.begin(), row.end());
    begin_.push_back(words_.size());
    return out;
  }
  std::size_t size() const { return begin_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {words_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Slot {
    std::uint32_t hashed = 0, number = kNone;
  };
  struct Region {
    std::size_t rows = 0;
    std::vector<Slot> slots;
  };
  static constexpr std::size_t kRegions = 256;

  static std::uint32_t hash_of(std::span<const std::uint32_t> row) {
    Hasher out;
    std::size_t i = 0;
    for (; i + 1 < row.size(); i += 2) out.add(std::uint64_t{row[i]} | std::uint64_t{row[i + 1]} << 32);
    if (i < row.size()) out.add(std::uint64_t{row[i]});
    return static_cast<std::uint32_t>(out.value() >> 32);
  }
  static void grow(Region& region) {
    constexpr std::size_t kFirstSlots = 16;
    std::vector<Slot>& slots = region.slots;
    const std::vector<Slot> old = std::exchange(slots, std::vector<Slot>(std::max(2 * slots.size(), kFirstSlots)));
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      std::size_t i = slot.hashed & (slots.size() - 1);
      while (slots[i].number != kNone) i = (i + 1) & (slots.size() - 1);
      slots[i] = slot;
    }
  }

  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> begin_{0};  ///< by row; one more at the end
  std::vector<Region> regions_{kRegions};
};

}  // namespace salvo::base
