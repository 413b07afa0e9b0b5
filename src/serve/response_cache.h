// A cache of responses, by the text of the question and by its canonical form.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/lru_cache.h"

namespace salvo::serve {

/// The canonical form of a question: members sorted by name, no blanks, and without `threads`, which changes no answer.
/// Empty if the body is not a JSON object.
std::optional<std::string> canonical_question(std::string_view verb, std::string_view body);

struct CacheState {
  std::uint64_t hits = 0, misses = 0, evictions = 0;
  std::size_t entries = 0, bytes = 0;
};

/// The most recently used answers, up to a number of bytes. Safe from several threads at once.
class ResponseCache {
 public:
  explicit ResponseCache(std::size_t most_bytes) : entries_(most_bytes) {}

  /// Null if there is none. A question is looked up as typed first, then in its canonical form; `last` marks the second
  /// lookup, which counts as a miss if it fails.
  std::shared_ptr<const std::string> find(std::string_view question, bool last);
  void store(std::string_view question, std::shared_ptr<const std::string> answer);
  CacheState state() const;

 private:
  struct Entry {
    std::string question;
    std::shared_ptr<const std::string> answer;
  };
  base::LruCache<Entry> entries_;
  std::atomic<std::uint64_t> hits_ = 0, misses_ = 0;
};

}  // namespace salvo::serve
