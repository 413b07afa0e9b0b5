// An arena allocator for the many small tables of a game, which are released at once. Lists made inside an ArenaScope
// use its arena.
#pragma once

#ifdef __EMSCRIPTEN__

#include "base/packed_table.h"

// In WebAssembly, where code size matters more than time, lists use the system's allocator.
namespace salvo::exact {

using base::List;

class Arena {};

class ArenaScope {
 public:
  explicit ArenaScope(const Arena&) {}
};

}  // namespace salvo::exact

#else

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace salvo::exact {

class Arena {
 public:
  /// Memory from the arena; from the system for large blocks and for a null arena. Not inline, because every list type
  /// would get a copy.
  static void* take(Arena* arena, std::size_t bytes);
  static void give_back(Arena* arena, void* at, std::size_t bytes);
  /// The arena of the innermost ArenaScope of this thread, or nullptr.
  static Arena* current();

 private:
  friend class ArenaScope;
  static constexpr std::size_t kLargest = 4096, kBlock = 16384, kAlignment = 16;

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Lists that are made during its lifetime use its arena and must not outlive the arena.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena);
  ~ArenaScope();
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena* outer_;
};

/// Uses the arena of the scope in which it was made, or the system's allocator outside of any scope.
template <typename T>
struct ArenaAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  ArenaAllocator() : arena(Arena::current()) {}
  template <typename U>
  ArenaAllocator(const ArenaAllocator<U>& other) : arena(other.arena) {}  // NOLINT: containers need the conversion

  T* allocate(std::size_t n) { return static_cast<T*>(Arena::take(arena, n * sizeof(T))); }
  void deallocate(T* at, std::size_t n) { Arena::give_back(arena, at, n * sizeof(T)); }
  ArenaAllocator select_on_container_copy_construction() const { return {}; }
  bool operator==(const ArenaAllocator&) const = default;

  Arena* arena;
};

template <typename T>
using List = std::vector<T, ArenaAllocator<T>>;

}  // namespace salvo::exact

#endif
