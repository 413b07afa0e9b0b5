// NowTable: battles at some point of a round, each with a number, in the order in which they are first met.
#pragma once

#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "battle/game.h"

namespace salvo::battle {

static_assert(std::has_unique_object_representations_v<Now>);  // its bytes are its key

struct NowHash {
  std::size_t operator()(const Now& now) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(&now), sizeof now});
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
