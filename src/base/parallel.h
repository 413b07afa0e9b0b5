// The only header that starts threads, by TBB. With SALVO_SERIAL everything runs in sequence, since WebAssembly has no
// threads in browsers by default. Exceptions of the work reach the caller: of for_each() that of the least i.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#if !SALVO_SERIAL
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace salvo::base {

#if SALVO_SERIAL

/// Calls work(i) for each i < n, in any order.
template <typename Work>
void for_each(std::size_t n, const Work& work) {
  for (std::size_t i = 0; i < n; ++i) work(i);
}

/// The serial stand-in; the number of threads is ignored.
class Threads {
 public:
  explicit Threads(int) {}

  template <typename Work>
  void for_each(std::size_t n, const Work& work) {
    base::for_each(n, work);
  }

  /// Reduces over first <= i < last. part(begin, end, sum) returns `sum` plus its range; merge(a, b) adds two sums.
  template <typename Sum, typename Part, typename Merge>
  Sum sum(std::uint64_t first, std::uint64_t last, const Sum& zero, const Part& part, const Merge&) {
    return first < last ? part(first, last, zero) : zero;
  }
};

/// One value per thread, made at its first local().
template <typename T>
class PerThread {
 public:
  T& local() { return value_; }
  void clear() { value_ = T(); }
  /// Calls visit(value) for each value in sequence.
  template <typename Visit>
  void each(const Visit& visit) {
    visit(value_);
  }

 private:
  T value_{};
};

#else

/// The failure with the least index, so that the error of several does not depend on threads.
class FirstFailure {
 public:
  bool before(std::size_t i) const { return index_.load(std::memory_order_relaxed) < i; }
  /// Keeps the exception that is being handled, unless one of a lesser index is kept.
  void keep(std::size_t i) {
    const std::lock_guard lock(mutex_);
    if (i >= index_.load(std::memory_order_relaxed)) return;
    index_.store(i, std::memory_order_relaxed);
    failure_ = std::current_exception();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<std::size_t> index_ = SIZE_MAX;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

/// Calls work(i) for each i < n, in any order. After a failure it skips every greater i.
template <typename Work>
void for_each(std::size_t n, const Work& work) {
  FirstFailure first;
  oneapi::tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
    if (first.before(i)) return;
    try {
      work(i);
    } catch (...) {
      first.keep(i);
    }
  });
  first.rethrow();
}

/// A pool of this many threads, at most one per core; 0: all cores.
class Threads {
 public:
  explicit Threads(int threads)
      : arena_(threads > 0 ? std::min(threads, cores()) : oneapi::tbb::task_arena::automatic) {}

  template <typename Work>
  void for_each(std::size_t n, const Work& work) {
    arena_.execute([&] { base::for_each(n, work); });
  }

  /// Reduces over first <= i < last. part(begin, end, sum) returns `sum` plus its range; merge(a, b) adds two sums.
  template <typename Sum, typename Part, typename Merge>
  Sum sum(std::uint64_t first, std::uint64_t last, const Sum& zero, const Part& part, const Merge& merge) {
    using Range = oneapi::tbb::blocked_range<std::uint64_t>;
    Sum out = zero;
    arena_.execute([&] {
      const auto add = [&part](const Range& range, Sum sum) {
        return part(range.begin(), range.end(), std::move(sum));
      };
      out = oneapi::tbb::parallel_reduce(Range(first, last, 1), zero, add, merge);
    });
    return out;
  }

 private:
  static int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

  oneapi::tbb::task_arena arena_;
};

/// One value per thread, made at its first local().
template <typename T>
class PerThread {
 public:
  T& local() { return values_.local(); }
  void clear() { values_.clear(); }
  /// Calls visit(value) for each value in sequence.
  template <typename Visit>
  void each(const Visit& visit) {
    for (T& value : values_) visit(value);
  }

 private:
  oneapi::tbb::enumerable_thread_specific<T> values_;
};

#endif

}  // namespace salvo::base
