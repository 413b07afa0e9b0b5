// NowTable: battles at some point of a round, each with a number, in the order in which they are first met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "battle/game.h"

namespace salvo::battle {

static_assert(std::has_unique_object_representations_v<Now>);  // its bytes are its key

/// Of its bytes, eight at a time.
struct NowHash {
  std::size_t operator()(const Now& now) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    const char* bytes = reinterpret_cast<const char*>(&now);
    for (std::size_t i = 0; i < sizeof now; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min(sizeof word, sizeof now - i));
      hash = (hash ^ word) * 0xff51afd7ed558ccdu;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// Chances of points of a round: those that are the same are added.
class NowTable {
 public:
  std::size_t number(const Now& now) {
    const auto [at, added] = numbers_.try_emplace(now, list_.size());
    if (added) list_.push_back(now);
    return at->second;
  }
  std::size_t size() const { return list_.size(); }
  const Now& operator[](std::size_t i) const { return list_[i]; }

 private:
  std::unordered_map<Now, std::size_t, NowHash> numbers_;
  std::vector<Now> list_;
};

}  // namespace salvo::battle
