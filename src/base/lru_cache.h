// Kept: results that may be asked for again, those used last, within a bound.
// In: a hash of what was asked, and what tells whether it is the same. Out: the result, while there is room for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace salvo::base {

/// How full a store is.
struct CacheStats {
  std::size_t entries = 0, cost = 0;
  std::uint64_t evictions = 0;  ///< values that went for want of room, since the beginning
};

/// Values by the hash of their question: one for each hash. Any number of threads may use it at once.
template <typename Value>
class LruCache {
 public:
  using Pointer = std::shared_ptr<const Value>;

  /// `most`: what all values may cost together, in any unit.
  explicit LruCache(std::size_t most) : most_(most) {}

  /// The value of that hash for which `same(value)` holds, or null.
  template <typename Same>
  Pointer find(std::uint64_t hash, const Same& same) {
    Pointer found;
    {
      const std::lock_guard lock(mutex_);
      const auto at = by_hash_.find(hash);
      if (at == by_hash_.end()) return nullptr;
      entries_.splice(entries_.begin(), entries_, at->second);
      found = at->second->value;
    }
    return same(*found) ? found : nullptr;
  }

  /// True when it was called with this hash before, not too long ago: questions that are asked once need not be kept,
  /// which costs memory and copies.
  bool seen_before(std::uint64_t hash) {
    const auto rest = static_cast<std::uint32_t>(hash >> 32);
    const std::lock_guard lock(mutex_);
    if (asked_ == nullptr) asked_ = std::make_unique<std::array<std::uint32_t, kAsked>>();
    return std::exchange((*asked_)[hash % kAsked], rest) == rest;
  }

  /// Keeps a value, in the place of one of the same hash. What was not used for longest goes, if there is no room.
  void keep(std::uint64_t hash, Pointer value, std::size_t cost) {
    if (cost > most_ / 8) return;  // one is not worth all the others
    std::list<Entry> gone;         // ends when the lock is released
    const std::lock_guard lock(mutex_);
    if (const auto at = by_hash_.find(hash); at != by_hash_.end()) drop(at->second, gone);
    entries_.push_front({hash, std::move(value), cost});
    by_hash_.emplace(hash, entries_.begin());
    cost_ += cost;
    for (; cost_ > most_; ++evictions_) drop(std::prev(entries_.end()), gone);
  }

  CacheStats state() const {
    const std::lock_guard lock(mutex_);
    return {entries_.size(), cost_, evictions_};
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    Pointer value;
    std::size_t cost = 0;
  };
  using Place = typename std::list<Entry>::iterator;

  void drop(Place place, std::list<Entry>& to) {
    cost_ -= place->cost;
    by_hash_.erase(place->hash);
    to.splice(to.end(), entries_, place);
  }

  static constexpr std::size_t kAsked = 4096;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< used last first
  std::unordered_map<std::uint64_t, Place> by_hash_;
  std::size_t cost_ = 0;
  std::uint64_t evictions_ = 0;
  std::unique_ptr<std::array<std::uint32_t, kAsked>> asked_;  ///< by hash: what else of it was asked last
};

}  // namespace salvo::base
