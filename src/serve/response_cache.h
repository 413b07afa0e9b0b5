// Answers that are kept: a question that is asked again costs no engine.
// In: a question's text or its canonical form, and the answer. Out: the answer, while there is room for it.
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

/// The one form of all questions that ask the same: members in the order of their names, no blanks, and without
/// `threads`, which changes no answer. Empty where the body is no JSON object.
std::optional<std::string> canonical_question(std::string_view verb, std::string_view body);

struct CacheState {
  std::uint64_t hits = 0, misses = 0, evictions = 0;
  std::size_t entries = 0, bytes = 0;
};

/// The answers used last, up to a number of bytes. Any number of threads may use it.
class ResponseCache {
 public:
  explicit ResponseCache(std::size_t most_bytes) : entries_(most_bytes) {}

  /// Nullptr where it is not kept. A question is looked up as it was typed first, then in its canonical form: `last`
  /// says that it will not be looked up again, which counts as a miss.
  std::shared_ptr<const std::string> find(std::string_view question, bool last);
  void keep(std::string_view question, std::shared_ptr<const std::string> answer);
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
