#include "exact/segments/arena.h"

#ifndef __EMSCRIPTEN__

#include <new>
#include <utility>

namespace salvo::exact {
namespace {

thread_local Arena* current_arena = nullptr;

}  // namespace

Arena* Arena::current() { return current_arena; }

ArenaScope::ArenaScope(Arena& arena) : outer_(std::exchange(current_arena, &arena)) {}
ArenaScope::~ArenaScope() { current_arena = outer_; }

void* Arena::take(Arena* arena, std::size_t bytes) {
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
  if (arena == nullptr || bytes > kLargest) ::operator delete(at);
}

}  // namespace salvo::exact

#endif
