// Several processes that work on one command together (salvo-mpi). A process without a group uses its own threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "jobs/ordered_pipeline.h"

namespace salvo::jobs {

/// Cells or trials from `first` up to, but not including, `last`.
struct WorkRange {
  std::uint64_t first = 0, last = 0;
  std::uint64_t size() const { return last - first; }
};

/// Work split into ranges, with type-erased results.
struct RangedWork {
  std::function<std::optional<WorkRange>()> next;
  std::function<std::shared_ptr<PipelineItem>(const WorkRange&)> work;
  std::function<void(PipelineItem&)> put;
  std::function<std::string(PipelineItem&)> pack;  ///< serializes a result and leaves it empty
  std::function<std::shared_ptr<PipelineItem>(std::string)> unpack;
};

class WorkerGroup {
 public:
  virtual ~WorkerGroup() = default;

  /// Whether this process reads the input, writes files and prints. Only the root calls `next` and `put`, from one
  /// thread at a time.
  virtual bool is_root() const = 0;
  /// Whether the group has several machines, so that results travel as bytes.
  virtual bool is_distributed() const = 0;
  /// Waits until all processes are ready. `identity` of the work must be equal everywhere. `threads` is the number for
  /// each process (0: all cores). Returns the number of threads for this process; empty if other processes did all of
  /// the work. If the group is not distributed, only one process gets a number.
  virtual std::optional<int> start(const std::string& identity, int threads) = 0;
  /// process_in_order() across the processes that start() gave threads.
  virtual void run(int threads, const RangedWork& work) = 0;

  /// The group of this process; null if it works alone.
  static WorkerGroup* current() { return current_; }
  static void set_current(WorkerGroup* group) { current_ = group; }

 private:
  static inline WorkerGroup* current_ = nullptr;
};

/// Whether this process reads the input, writes files and prints.
inline bool is_root() { return WorkerGroup::current() == nullptr || WorkerGroup::current()->is_root(); }

/// process_in_order() in this process, or in its whole group. `pack` turns a result into bytes and may consume it;
/// `unpack` is its inverse.
template <typename Work, typename Put, typename Pack, typename Unpack>
void process_ranges(const std::string& identity, int threads, std::function<std::optional<WorkRange>()> next, Work work,
                    Put put, Pack pack, Unpack unpack) {
  WorkerGroup* const group = WorkerGroup::current();
  if (group != nullptr) {
    const std::optional<int> own = group->start(identity, threads);
    if (!own) return;
    threads = *own;
  }
  if (group == nullptr || !group->is_distributed())
    return process_in_order(threads, std::move(next), std::move(work), std::move(put));
  using Result = decltype(work(std::declval<const WorkRange&>()));
  struct TypedResult : PipelineItem {
    explicit TypedResult(Result from) : result(std::move(from)) {}
    Result result;
  };
  const auto result = [](PipelineItem& item) -> Result& { return static_cast<TypedResult&>(item).result; };
  group->run(threads,
             {std::move(next), [&](const WorkRange& range) { return std::make_shared<TypedResult>(work(range)); },
              [&](PipelineItem& item) { put(result(item)); },
              [&](PipelineItem& item) { return pack(std::move(result(item))); },
              [&](std::string bytes) { return std::make_shared<TypedResult>(unpack(std::move(bytes))); }});
}

}  // namespace salvo::jobs
