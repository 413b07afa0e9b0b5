// Huge pages: memory for tables that are read all over, in pages of two megabytes where the system has them. With small
// ones, finding the page of an entry takes longer than reading it, the more so on a virtual machine.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory_resource>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace salvo::battle {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// So many bytes or more; std::free gives them back. Throws std::bad_alloc.
inline void* allocate_huge(std::size_t bytes) {
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* const out = std::aligned_alloc(kHugePage, whole);
  if (out == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  madvise(out, whole, MADV_HUGEPAGE);  // a wish: without it all goes on as before
#endif
  return out;
}

/// The allocator of large vectors.
template <typename T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <typename Other>
  explicit HugePages(const HugePages<Other>& /*other*/) {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_huge(n * sizeof(T))); }
  void deallocate(T* place, std::size_t /*n*/) { std::free(place); }
  template <typename Other>
  bool operator==(const HugePages<Other>& /*other*/) const {
    return true;
  }
};

/// Room for many small tables, which can be given back one by one. Any number of threads may use it at once.
class TablePool {
 public:
  std::pmr::memory_resource* resource() { return &pool_; }

 private:
  class Huge : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t /*alignment*/) override { return allocate_huge(bytes); }
    void do_deallocate(void* place, std::size_t /*bytes*/, std::size_t /*alignment*/) override { std::free(place); }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  };
  Huge huge_;
  std::pmr::monotonic_buffer_resource buffer_{kHugePage, &huge_};
  std::pmr::synchronized_pool_resource pool_{&buffer_};
};

}  // namespace salvo::battle
