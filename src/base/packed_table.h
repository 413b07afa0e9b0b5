// A hash table that numbers keys of a few machine words in order of insertion: 0, 1, 2, ...
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace salvo::base {

/// Hash of up to eight words: a sum of products that can be computed in parallel.
template <std::size_t kWords>
std::uint64_t hash_of(const std::array<std::uint64_t, kWords>& words) {
  constexpr std::array<std::uint64_t, 8> kFactors{0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0xff51afd7ed558ccdu,
                                                  0xc4ceb9fe1a85ec53u, 0xd6e8feb86659fd93u, 0xa0761d6478bd642fu,
                                                  0x87c37b91114253d5u, 0xe7037ed1a0b428dbu};
  static_assert(kWords <= kFactors.size());
  std::uint64_t h = 0;
  for (std::size_t i = 0; i < kWords; ++i) h += words[i] * kFactors[i];
  h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

/// Whether all words are equal, without branches.
template <std::size_t kWords>
bool same_words(const std::array<std::uint64_t, kWords>& a, const std::array<std::uint64_t, kWords>& b) {
  std::uint64_t differ = 0;
  for (std::size_t i = 0; i < kWords; ++i) differ |= a[i] ^ b[i];
  return differ == 0;
}

/// A vector template with a single parameter. Without an arena, exact::List (exact/segments/arena.h) is this same
/// template, so that each table is compiled only once.
template <typename T>
using List = std::vector<T>;

/// Open addressing with linear probing. `packed` converts a key to words; keys with equal words are equal. `Array`: the
/// container of keys and slots.
template <typename Key, auto packed, template <typename> typename Array = List>
class PackedTable {
 public:
  static constexpr int kNone = -1;

  int find(const Key& key) const { return find(key, hash_of(packed(key))); }
  /// As above, for a key whose hash is known.
  int find(const Key& key, std::uint64_t hashed) const {
    if (slots_.empty()) return kNone;
    for (auto i = static_cast<std::size_t>(hashed);; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.number == kNone) return kNone;
      if (slot.hashed == hashed && same_words(packed(keys_[static_cast<std::size_t>(slot.number)]), packed(key)))
        return slot.number;
    }
  }

  /// Adds a key that must not be in the table yet. Returns its number.
  int insert(const Key& key) { return insert(key, hash_of(packed(key))); }
  int insert(const Key& key, std::uint64_t hashed) {
    const int number = static_cast<int>(keys_.size());
    if (keys_.empty()) keys_.reserve(kFirstSlots / 2);
    keys_.push_back(key);
    if (2 * keys_.size() > slots_.size()) grow();
    place({hashed, number});
    return number;
  }

  /// The number of a key, added if it is new.
  int number(const Key& key) {
    const std::uint64_t hashed = hash_of(packed(key));
    const int known = find(key, hashed);
    return known != kNone ? known : insert(key, hashed);
  }

  std::size_t size() const { return keys_.size(); }
  /// Reserves memory for this many keys.
  void reserve(std::size_t keys) {
    keys_.reserve(keys);
    std::size_t slots = std::max(slots_.size(), kFirstSlots);
    while (slots < 2 * keys) slots *= 2;
    if (slots > slots_.size()) resize(slots);
  }
  const Key& operator[](int number) const { return keys_[static_cast<std::size_t>(number)]; }

 private:
  struct Slot {
    std::uint64_t hashed = 0;
    int number = kNone;
  };
  static constexpr std::size_t kFirstSlots = 16, kManySlots = 4096;

  void place(Slot slot) {
    auto i = static_cast<std::size_t>(slot.hashed);
    while (slots_[i & (slots_.size() - 1)].number != kNone) ++i;
    slots_[i & (slots_.size() - 1)] = slot;
  }

  /// Small tables grow faster, to be copied less; large ones slower, to touch less memory.
  void grow() { resize(std::max(slots_.size() * (slots_.size() < kManySlots ? 4 : 2), kFirstSlots)); }

  void resize(std::size_t slots) {
    const Array<Slot> old = std::exchange(slots_, Array<Slot>(slots, slots_.get_allocator()));
    for (const Slot& slot : old) {
      if (slot.number != kNone) place(slot);
    }
  }

  Array<Key> keys_;
  Array<Slot> slots_;
};

}  // namespace salvo::base
