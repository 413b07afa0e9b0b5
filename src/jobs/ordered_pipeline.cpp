// Ordered work as a pipeline of TBB: see ordered.h.
#include "jobs/ordered_pipeline.h"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <exception>

namespace salvo::jobs {
namespace {

/// Exceptions take the way of results: what a pipeline of TBB holds when one of its filters throws is never given
/// back.
struct InFlight {
  std::shared_ptr<Piece> piece;
  std::exception_ptr error;
};

}  // namespace

void pieces_in_order(int threads, const std::function<std::shared_ptr<Piece>()>& next,
                     const std::function<void(Piece&)>& work, const std::function<void(Piece&)>& put) {
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
    if (!ended) guarded(*task, [&] { task->piece = next(); });
    ended = !task->piece;
    if (ended && !task->error) control.stop();
    return task;
  };
  const auto change = [&](const InFlightPtr& task) {
    guarded(*task, [&] { work(*task->piece); });
    return task;
  };
  const auto write = [&](const InFlightPtr& task) {
    guarded(*task, [&] { put(*task->piece); });
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

}  // namespace salvo::jobs
