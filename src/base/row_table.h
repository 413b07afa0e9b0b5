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
  /// The number of a row, added if it is new.
  std::uint32_t number(std::span<const std::uint32_t> row) {
    if (4 * (size() + 1) > 3 * slots_.size()) grow();
    const std::uint32_t hashed = hash_of(row);
    std::size_t i = hashed & (slots_.size() - 1);
    for (; slots_[i].number != kNone; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].hashed != hashed) continue;
      const auto known = (*this)[slots_[i].number];
      if (std::equal(row.begin(), row.end(), known.begin(), known.end())) return slots_[i].number;
    }
    const auto out = static_cast<std::uint32_t>(size());
    slots_[i] = {hashed, out};
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

  static std::uint32_t hash_of(std::span<const std::uint32_t> row) {
    Hasher out;
    for (const std::uint32_t word : row) out.add(std::uint64_t{word});
    return static_cast<std::uint32_t>(out.value() >> 32);
  }
  void grow() {
    constexpr std::size_t kFirstSlots = 16;
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max(2 * slots_.size(), kFirstSlots)));
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      std::size_t i = slot.hashed & (slots_.size() - 1);
      while (slots_[i].number != kNone) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> begin_{0};  ///< by row; one more at the end
  std::vector<Slot> slots_;
};

}  // namespace salvo::base
