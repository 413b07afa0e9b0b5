// Memory in pages of two megabytes, where the system has them, for tables with random access. With small pages the TLB
// misses cost more than the reads, all the more on a virtual machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#if __has_include(<memory_resource>)
#include <memory_resource>
#endif

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace salvo::battle {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

inline std::size_t whole_huge_pages(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

/// Allocates at least this many bytes, in whole pages. free_huge() with the same number returns them to the system
/// immediately, unlike a heap. Throws std::bad_alloc.
inline void* allocate_huge(std::size_t bytes) {
  const std::size_t whole = whole_huge_pages(bytes);
#if defined(__linux__)
  void* const all = mmap(nullptr, whole + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  char* const begin = static_cast<char*>(all);
  // Unmap what lies before and after the aligned part.
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(all) % kHugePage) % kHugePage;
  if (before > 0) munmap(begin, before);
  if (before < kHugePage) munmap(begin + before + whole, kHugePage - before);
  madvise(begin + before, whole, MADV_HUGEPAGE);  // a hint; failure does not matter
  return begin + before;
#else
  void* const out = std::aligned_alloc(kHugePage, whole);
  if (out == nullptr) throw std::bad_alloc();
  return out;
#endif
}

inline void free_huge(void* place, std::size_t bytes) {
#if defined(__linux__)
  munmap(place, whole_huge_pages(bytes));
#else
  static_cast<void>(bytes);
  std::free(place);
#endif
}

/// An allocator for large vectors.
template <typename T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <typename Other>
  explicit HugePages(const HugePages<Other>& /*other*/) {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_huge(n * sizeof(T))); }
  void deallocate(T* place, std::size_t n) { free_huge(place, n * sizeof(T)); }
  template <typename Other>
  bool operator==(const HugePages<Other>& /*other*/) const {
    return true;
  }
};

/// A pool for many small tables, which can be freed one by one and must not outlive it. Safe to use from several
/// threads at once.
class TablePool {
#if __has_include(<memory_resource>)
 public:
  template <typename T, typename... Arguments>
  std::shared_ptr<T> make(Arguments&&... arguments) {
    return std::allocate_shared<T>(allocator(), std::forward<Arguments>(arguments)...);
  }
  template <typename T>
  std::shared_ptr<T[]> make_array(std::size_t size) {
    return std::allocate_shared<T[]>(allocator(), size);
  }

 private:
  class Huge : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t /*alignment*/) override { return allocate_huge(bytes); }
    void do_deallocate(void* place, std::size_t bytes, std::size_t /*alignment*/) override { free_huge(place, bytes); }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  };
  std::pmr::polymorphic_allocator<> allocator() { return &pool_; }

  Huge huge_;
  std::pmr::monotonic_buffer_resource buffer_{kHugePage, &huge_};
  // Blocks larger than those of the pool would never be returned by the buffer.
  std::pmr::synchronized_pool_resource pool_{std::pmr::pool_options{0, std::size_t{1} << 20}, &buffer_};
#else  // the library of WebAssembly has no memory resources, and its memory no large pages
 public:
  template <typename T, typename... Arguments>
  std::shared_ptr<T> make(Arguments&&... arguments) {
    return std::make_shared<T>(std::forward<Arguments>(arguments)...);
  }
  template <typename T>
  std::shared_ptr<T[]> make_array(std::size_t size) {
    return std::shared_ptr<T[]>(new T[size]());
  }
#endif
};

}  // namespace salvo::battle
