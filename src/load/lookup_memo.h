// Found: what lookups by words found, so that the next one of the same words takes no paths and no files.
// In: words, and how to look them up. Out: pointers into the catalogue.
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

/// Remembers what was found, nullptr where there is nothing. Any number of threads may look up at once. Bounded, since
/// words that are nothing may be anything; lookups that are not remembered are only slower.
template <typename T>
class LookupMemo {
 public:
  /// What `look()` returns, or returned for the same words before. No word but the last may hold a zero byte.
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
      if (const auto known = found_.find(key); known != found_.end()) return known->second;
    }
    const T* out = look();
    const std::lock_guard lock(mutex_);
    if (found_.size() < kMost) found_.emplace(key, out);
    return out;
  }

 private:
  static constexpr std::size_t kLongest = 200;
  static constexpr std::size_t kMost = 20'000;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, const T*, Hash, std::equal_to<>> found_;
};

}  // namespace salvo::load
