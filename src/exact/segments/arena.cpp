#include "exact/segments/arena.h"

#ifndef __EMSCRIPTEN__

#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace salvo::exact {
namespace {

thread_local Arena* current_arena = nullptr;

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Backs a very large block with huge pages: faulting in pages of 4 KB takes half of the time that large graphs need.
void* take_huge(std::size_t bytes) {
  void* const at = ::operator new (bytes, std::align_val_t{kHugePage});
#ifdef MADV_HUGEPAGE
  madvise(at, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // merely slower where the kernel lacks them
#endif
  return at;
}

}  // namespace

Arena* Arena::current() { return current_arena; }

ArenaScope::ArenaScope(Arena& arena) : outer_(std::exchange(current_arena, &arena)) {}
ArenaScope::~ArenaScope() { current_arena = outer_; }

void* Arena::take(Arena* arena, std::size_t bytes) {
  if (bytes >= kHugePage) return take_huge(bytes);
  if (arena == nullptr || bytes > kLargest) return ::operator new(bytes);
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes > arena->left_) {
    auto block = std::make_unique_for_overwrite<std::byte[]>(kBlock);
    arena->next_ = arena->blocks_.emplace_back(std::move(block)).get();
    arena->left_ = kBlock;
  }
  arena->left_ -= bytes;
  return std::exchange(arena->next_, arena->next_ + bytes);
}

void Arena::give_back(Arena* arena, void* at, std::size_t bytes) {
  if (bytes >= kHugePage) {
    ::operator delete (at, std::align_val_t{kHugePage});
  } else if (arena == nullptr || bytes > kLargest) {
    ::operator delete(at);
  }
}

}  // namespace salvo::exact

#endif
