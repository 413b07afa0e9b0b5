// Arena: memory for the many small tables of a game, given back all at once. In: an ArenaScope. Out: Lists that take
// their memory from it.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace salvo::exact {

class Arena {
 public:
  static constexpr std::size_t kLargest = 4096;  ///< bytes of what comes from it; more is asked of the system

  void* take(std::size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > left_) grow();
    std::byte* const out = next_;
    next_ += bytes;
    left_ -= bytes;
    return out;
  }
  /// Of the innermost ArenaScope of this thread, or nullptr.
  static Arena*& current() {
    static thread_local Arena* arena = nullptr;
    return arena;
  }

 private:
  static constexpr std::size_t kAlignment = 16, kBlock = 16384;

  [[gnu::noinline]] void grow() {
    next_ = blocks_.emplace_back(new std::byte[kBlock]).get();  // not make_unique, which fills it with zeros
    left_ = kBlock;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Lists that are made while it lives take their memory from its arena, and must not outlive that.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : outer_(Arena::current()) { Arena::current() = &arena; }
  ~ArenaScope() { Arena::current() = outer_; }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena* outer_;
};

/// Keeps the arena of the scope in which it was made; none: the system's memory.
template <typename T>
struct ArenaAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  ArenaAllocator() : arena(Arena::current()) {}
  template <typename U>
  ArenaAllocator(const ArenaAllocator<U>& other) : arena(other.arena) {}  // NOLINT: as containers want it

  T* allocate(std::size_t n) {
    return static_cast<T*>(is_small(n) ? arena->take(n * sizeof(T)) : ::operator new(n * sizeof(T)));
  }
  void deallocate(T* at, std::size_t n) {
    if (!is_small(n)) ::operator delete(at);
  }
  ArenaAllocator select_on_container_copy_construction() const { return {}; }
  bool operator==(const ArenaAllocator&) const = default;

  Arena* arena;

 private:
  bool is_small(std::size_t n) const { return arena != nullptr && n <= Arena::kLargest / sizeof(T); }
};

template <typename T>
using List = std::vector<T, ArenaAllocator<T>>;

}  // namespace salvo::exact
