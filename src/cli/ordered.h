// Ordered work on all cores: items are made one after another, worked on in parallel, and finished in order.
// In: three functions. Out: what they do; at most a few items are in memory at any time.
#pragma once

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace salvo::cli {

/// `next()` gives an optional item, empty at the end; `work(item)` gives a result, on `threads` threads (0: all
/// cores); `put(result)` gets the results in the order of the items. Exceptions of all three come out.
template <typename Next, typename Work, typename Put>
void in_order(int threads, Next next, Work work, Put put) {
  using Item = typename decltype(next())::value_type;
  using Result = decltype(work(std::declval<Item&>()));
  oneapi::tbb::task_arena arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic);
  constexpr std::size_t kInFlightPerThread = 4;
  arena.execute([&] {
    const auto in_flight = kInFlightPerThread * static_cast<std::size_t>(arena.max_concurrency());
    const auto read = [&](oneapi::tbb::flow_control& control) -> std::shared_ptr<Item> {
      std::optional<Item> item = next();
      if (item) return std::make_shared<Item>(std::move(*item));
      control.stop();
      return nullptr;
    };
    const auto change = [&](const std::shared_ptr<Item>& item) { return std::make_shared<Result>(work(*item)); };
    const auto write = [&](const std::shared_ptr<Result>& result) { put(*result); };
    using oneapi::tbb::filter_mode;
    oneapi::tbb::parallel_pipeline(
        in_flight,
        oneapi::tbb::make_filter<void, std::shared_ptr<Item>>(filter_mode::serial_in_order, read) &
            oneapi::tbb::make_filter<std::shared_ptr<Item>, std::shared_ptr<Result>>(filter_mode::parallel, change) &
            oneapi::tbb::make_filter<std::shared_ptr<Result>, void>(filter_mode::serial_in_order, write));
  });
}

}  // namespace salvo::cli
