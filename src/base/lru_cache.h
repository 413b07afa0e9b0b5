// A thread-safe cache that evicts the least recently used values once their total cost exceeds a bound.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace salvo::base {

/// How full a cache is.
struct CacheStats {
  std::size_t entries = 0, cost = 0;
  std::uint64_t evictions = 0;  ///< values evicted since the cache was made
};

/// At most one value per 64-bit hash of the key. Any number of threads may use it at once.
template <typename Value>
class LruCache {
 public:
  using Pointer = std::shared_ptr<const Value>;

  /// `max_cost`: bound on the total cost of all values, in any unit.
  explicit LruCache(std::size_t max_cost) : max_cost_(max_cost) {}

  /// The value with that hash, or null. `same(value)` must confirm it, since two keys may share a hash.
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

  /// Admission filter: whether it was recently called with this hash. Most keys occur once; caching their values would
  /// only cost memory and copies.
  bool seen_before(std::uint64_t hash) {
    const auto rest = static_cast<std::uint32_t>(hash >> 32);
    const std::lock_guard lock(mutex_);
    if (seen_ == nullptr) seen_ = std::make_unique<std::array<std::uint32_t, kSeenSlots>>();
    return std::exchange((*seen_)[hash % kSeenSlots], rest) == rest;
  }

  /// Inserts a value, replacing one with the same hash, and evicts the least recently used values beyond the bound.
  void insert(std::uint64_t hash, Pointer value, std::size_t cost) {
    if (cost > max_cost_ / 8) return;  // one value must not evict most others
    std::list<Entry> evicted;          // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    if (const auto at = by_hash_.find(hash); at != by_hash_.end()) remove(at->second, evicted);
    entries_.push_front({hash, std::move(value), cost});
    by_hash_.emplace(hash, entries_.begin());
    cost_ += cost;
    for (; cost_ > max_cost_; ++evictions_) remove(std::prev(entries_.end()), evicted);
  }

  CacheStats stats() const {
    const std::lock_guard lock(mutex_);
    return {entries_.size(), cost_, evictions_};
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    Pointer value;
    std::size_t cost = 0;
  };
  using Position = typename std::list<Entry>::iterator;

  void remove(Position position, std::list<Entry>& to) {
    cost_ -= position->cost;
    by_hash_.erase(position->hash);
    to.splice(to.end(), entries_, position);
  }

  static constexpr std::size_t kSeenSlots = 4096;
  const std::size_t max_cost_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< most recently used first
  std::unordered_map<std::uint64_t, Position> by_hash_;
  std::size_t cost_ = 0;
  std::uint64_t evictions_ = 0;
  std::unique_ptr<std::array<std::uint32_t, kSeenSlots>> seen_;  ///< by the lower bits of a hash: its upper half
};

}  // namespace salvo::base
