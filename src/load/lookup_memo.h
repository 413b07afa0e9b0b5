// Memoizes name lookups, so that repeating one touches neither paths nor files.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace salvo::load {

/// Maps words to pointers, nullptr for unknown words. Any number of threads may use it at once. The size is bounded,
/// since unknown words may be anything; lookups beyond the bound are merely slower.
template <typename T>
class LookupMemo {
 public:
  /// The result of `look()`, or the remembered one for the same words. Only the last word may contain a zero byte.
  template <typename Look>
  const T* get(std::initializer_list<std::string_view> words, Look look) {
    std::array<char, kLongest> bytes;
    std::size_t size = 0;
    for (const std::string_view word : words) {
      if (word.size() >= kLongest - size) return look();
      size += word.copy(bytes.data() + size, word.size());
      bytes[size++] = '\0';
    }
    const std::string_view key(bytes.data(), size);
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
    }
    const T* out = look();
    const std::lock_guard lock(mutex_);
    if (memo_.size() < kMaxEntries) memo_.emplace(key, out);
    return out;
  }

 private:
  static constexpr std::size_t kLongest = 200;
  static constexpr std::size_t kMaxEntries = 20'000;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, const T*, Hash, std::equal_to<>> memo_;
};

}  // namespace salvo::load
