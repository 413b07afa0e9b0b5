#include "jobs/ordered_pipeline.h"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>

namespace salvo::jobs {
namespace {

/// An item with the exception that processing it threw. Exceptions travel through the pipeline like results, because
/// TBB leaks the items in a pipeline when a filter throws.
struct InFlight {
  std::shared_ptr<PipelineItem> item;
  std::exception_ptr error;
};

}  // namespace

void run_pipeline(int threads, const std::function<std::shared_ptr<PipelineItem>()>& next,
                  const std::function<void(PipelineItem&)>& work, const std::function<void(PipelineItem&)>& put) {
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
    guarded(*task, [&] { work(*task->item); });
    return task;
  };
  const auto write = [&](const InFlightPtr& task) {
    guarded(*task, [&] { put(*task->item); });
    if (!task->error || failed) return;
    first_error = task->error;
    failed = true;
  };
  const int cores = oneapi::tbb::info::default_concurrency();  // TBB warns on the screen where more are asked for
  oneapi::tbb::task_arena arena(threads > 0 ? std::min(threads, cores) : cores);
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

}  // namespace salvo::jobs
