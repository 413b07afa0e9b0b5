// Ordered work on all cores: items are made one after another, worked on in parallel, and finished in order.
// In: three functions. Out: what they do; at most a few items are in memory at any time. What TBB does for it is in
// ordered.cpp, since its pipelines take seconds to compile.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace salvo::jobs {

/// An item on its way, and its result.
struct Piece {
  Piece() = default;
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  virtual ~Piece() = default;
};

/// What in_order() does, of pieces that only its functions know. `next()` gives null at the end.
void pieces_in_order(int threads, const std::function<std::shared_ptr<Piece>()>& next,
                     const std::function<void(Piece&)>& work, const std::function<void(Piece&)>& put);

/// `next()` gives an optional item, empty at the end; `work(item)` gives a result, on `threads` threads (0: all
/// cores); `put(result)` gets the results in the order of the items. Exceptions of all three come out, those of `next`
/// and `work` after the results of all items before; nothing is begun once one has been thrown.
template <typename Next, typename Work, typename Put>
void in_order(int threads, Next next, Work work, Put put) {
  using Item = typename decltype(next())::value_type;
  using Result = decltype(work(std::declval<Item&>()));
  struct Held : Piece {
    std::optional<Item> item;
    std::optional<Result> result;
  };
  pieces_in_order(
      threads,
      [&]() -> std::shared_ptr<Piece> {
        auto held = std::make_shared<Held>();
        held->item = next();
        if (!held->item) return nullptr;
        return held;
      },
      [&](Piece& piece) {
        auto& held = static_cast<Held&>(piece);
        held.result.emplace(work(*held.item));
        held.item.reset();
      },
      [&](Piece& piece) { put(*static_cast<Held&>(piece).result); });
}

}  // namespace salvo::jobs
