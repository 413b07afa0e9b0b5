// Work on several threads: the only header that knows how. With TBB; one thing after the other where SALVO_SERIAL is
// set, since WebAssembly as browsers run it by default has no threads.
// In: work that may be done in any order. Out: its results; an exception of the work reaches the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#if !SALVO_SERIAL
#include <algorithm>
#include <thread>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace salvo::base {

#if SALVO_SERIAL

/// work(i) for each i < n, on the threads of the caller.
template <typename Work>
void for_each(std::size_t n, const Work& work) {
  for (std::size_t i = 0; i < n; ++i) work(i);
}

/// So many threads, kept for what follows; 0: all cores.
class Threads {
 public:
  explicit Threads(int) {}

  template <typename Work>
  void for_each(std::size_t n, const Work& work) {
    base::for_each(n, work);
  }

  /// The sum of parts of first <= i < last: part(begin, end, sum) gives `sum` with what it found; merge(a, b) adds two.
  template <typename Sum, typename Part, typename Merge>
  Sum sum(std::uint64_t first, std::uint64_t last, const Sum& zero, const Part& part, const Merge&) {
    return first < last ? part(first, last, zero) : zero;
  }
};

/// A value for each thread that asks, made when it first does.
template <typename T>
class PerThread {
 public:
  T& local() { return value_; }
  void clear() { value_ = T(); }
  /// visit(value) for each that was made, one after the other.
  template <typename Visit>
  void each(const Visit& visit) {
    visit(value_);
  }

 private:
  T value_{};
};

#else

/// work(i) for each i < n, on the threads of the caller.
template <typename Work>
void for_each(std::size_t n, const Work& work) {
  oneapi::tbb::parallel_for(std::size_t{0}, n, work);
}

/// So many threads, kept for what follows, but no more than there are cores; 0: all cores.
class Threads {
 public:
  explicit Threads(int threads)
      : arena_(threads > 0 ? std::min(threads, cores()) : oneapi::tbb::task_arena::automatic) {}

  template <typename Work>
  void for_each(std::size_t n, const Work& work) {
    arena_.execute([&] { base::for_each(n, work); });
  }

  /// The sum of parts of first <= i < last: part(begin, end, sum) gives `sum` with what it found; merge(a, b) adds two.
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

/// A value for each thread that asks, made when it first does.
template <typename T>
class PerThread {
 public:
  T& local() { return values_.local(); }
  void clear() { values_.clear(); }
  /// visit(value) for each that was made, one after the other.
  template <typename Visit>
  void each(const Visit& visit) {
    for (T& value : values_) visit(value);
  }

 private:
  oneapi::tbb::enumerable_thread_specific<T> values_;
};

#endif

}  // namespace salvo::base
