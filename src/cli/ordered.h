// Ordered work on all cores: items are made one after another, worked on in parallel, and finished in order.
// In: three functions. Out: what they do; at most a few items are in memory at any time.
#pragma once

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace salvo::cli {

/// `next()` gives an optional item, empty at the end; `work(item)` gives a result, on `threads` threads (0: all
/// cores); `put(result)` gets the results in the order of the items. Exceptions of all three come out, those of `next`
/// and `work` after the results of all items before; nothing is begun once one has been thrown.
template <typename Next, typename Work, typename Put>
void in_order(int threads, Next next, Work work, Put put) {
  using Item = typename decltype(next())::value_type;
  using Result = decltype(work(std::declval<Item&>()));
  // Exceptions take the way of results: what a pipeline of TBB holds when one of its filters throws is never given
  // back.
  struct InFlight {
    std::optional<Item> item;
    std::optional<Result> result;
    std::exception_ptr error;
  };
  using InFlightPtr = std::shared_ptr<InFlight>;
  std::exception_ptr first_error;
  std::atomic<bool> failed = false;
  bool ended = false;
  const auto guarded = [&failed](InFlight& task, auto&& step) {
    if (task.error || failed) return;
    try {
      step();
    } catch (...) {
      task.error = std::current_exception();
    }
  };
  const auto read = [&](oneapi::tbb::flow_control& control) -> InFlightPtr {
    const auto task = std::make_shared<InFlight>();
    if (!ended) guarded(*task, [&] { task->item = next(); });
    ended = !task->item;
    if (ended && !task->error) control.stop();
    return task;
  };
  const auto change = [&](const InFlightPtr& task) {
    guarded(*task, [&] { task->result.emplace(work(*task->item)); });
    task->item.reset();
    return task;
  };
  const auto write = [&](const InFlightPtr& task) {
    guarded(*task, [&] { put(*task->result); });
    if (!task->error || failed) return;
    first_error = task->error;
    failed = true;
  };
  oneapi::tbb::task_arena arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic);
  constexpr std::size_t kInFlightPerThread = 4;
  arena.execute([&] {
    using oneapi::tbb::filter_mode;
    oneapi::tbb::parallel_pipeline(
        kInFlightPerThread * static_cast<std::size_t>(arena.max_concurrency()),
        oneapi::tbb::make_filter<void, InFlightPtr>(filter_mode::serial_in_order, read) &
            oneapi::tbb::make_filter<InFlightPtr, InFlightPtr>(filter_mode::parallel, change) &
            oneapi::tbb::make_filter<InFlightPtr, void>(filter_mode::serial_in_order, write));
  });
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace salvo::cli
