// A pipeline over all cores: reads items in sequence, processes them in parallel and hands on the results in order.
// Holds at most a few items per thread in memory. TBB's pipelines take seconds to compile, so only ordered_pipeline.cpp
// includes them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace salvo::jobs {

/// An item in the pipeline, then its result. Only the functions of the caller know the actual type.
struct PipelineItem {
  PipelineItem() = default;
  PipelineItem(const PipelineItem&) = delete;
  PipelineItem& operator=(const PipelineItem&) = delete;
  virtual ~PipelineItem() = default;
};

/// process_in_order() for type-erased items. `next` returns null at the end.
void run_pipeline(int threads, const std::function<std::shared_ptr<PipelineItem>()>& next,
                  const std::function<void(PipelineItem&)>& work, const std::function<void(PipelineItem&)>& put);

/// `next()` returns an optional item, empty at the end; `work(item)` returns a result and runs on `threads` threads (0:
/// all cores); `put(result)` receives the results in the order of the items. Rethrows the first exception of any of
/// them, for `next` and `work` after `put` has received all earlier results; starts nothing after an exception.
template <typename Next, typename Work, typename Put>
void process_in_order(int threads, Next next, Work work, Put put) {
  using Item = typename decltype(next())::value_type;
  using Result = decltype(work(std::declval<Item&>()));
  struct TypedItem : PipelineItem {
    std::optional<Item> item;
    std::optional<Result> result;
  };
  run_pipeline(
      threads,
      [&]() -> std::shared_ptr<PipelineItem> {
        auto typed = std::make_shared<TypedItem>();
        typed->item = next();
        if (!typed->item) return nullptr;
        return typed;
      },
      [&](PipelineItem& item) {
        auto& typed = static_cast<TypedItem&>(item);
        typed.result.emplace(work(*typed.item));
        typed.item.reset();
      },
      [&](PipelineItem& item) { put(*static_cast<TypedItem&>(item).result); });
}

}  // namespace salvo::jobs
