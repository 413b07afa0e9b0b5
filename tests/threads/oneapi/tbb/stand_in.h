// The parts of TBB that salvo uses, on std::thread. The thread sanitizer cannot see into a library built without it and
// reports every hand-over inside TBB as a race. Used only by the preset `threads` (docs/trust.md). Simple rather than
// fast: a loop starts its threads and waits for them, and a nested loop runs on the calling thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace oneapi::tbb {

/// The number of threads of a loop started on this thread; 0: not set.
inline thread_local int t_width = 0;
inline constexpr int kDefaultWidth = 4;  // even with fewer cores, since races do not need them

class task_arena {
 public:
  static constexpr int automatic = -1;
  explicit task_arena(int threads = automatic)
      : width_(threads > 0 ? std::min(threads, 2 * kDefaultWidth) : kDefaultWidth) {}
  int max_concurrency() const { return width_; }

  template <typename Work>
  auto execute(Work&& work) {
    struct Width {
      int before;
      ~Width() { t_width = before; }
    } const width{std::exchange(t_width, t_width == 1 ? 1 : width_)};
    return work();
  }

 private:
  int width_;
};

/// work(i) for first <= i < last; rethrows the first exception.
template <typename Index, typename Work>
void parallel_for(Index first, Index last, const Work& work) {
  if (first >= last) return;
  const auto count = static_cast<std::size_t>(last - first);
  const std::size_t threads =
      std::min<std::size_t>(count, static_cast<std::size_t>(t_width > 0 ? t_width : kDefaultWidth));
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex of_failure;
  const auto run = [&] {
    const int before = std::exchange(t_width, 1);
    try {
      for (std::size_t i = next++; i < count; i = next++) work(static_cast<Index>(first + static_cast<Index>(i)));
    } catch (...) {
      next = count;
      const std::lock_guard lock(of_failure);
      if (!failure) failure = std::current_exception();
    }
    t_width = before;
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(run);
  run();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

template <typename Index>
class blocked_range {
 public:
  blocked_range(Index begin, Index end, std::size_t = 1) : begin_(begin), end_(end) {}
  Index begin() const { return begin_; }
  Index end() const { return end_; }

 private:
  Index begin_, end_;
};

template <typename Index, typename Sum, typename Add, typename Merge>
Sum parallel_reduce(const blocked_range<Index>& range, const Sum& zero, const Add& add, const Merge& merge) {
  const Index all = range.end() - range.begin();
  const Index parts = std::min<Index>(all, 2 * kDefaultWidth);
  std::vector<Sum> sums(static_cast<std::size_t>(parts), zero);
  parallel_for(Index{0}, parts, [&](Index i) {
    const blocked_range<Index> part(range.begin() + all * i / parts, range.begin() + all * (i + 1) / parts);
    Sum& sum = sums[static_cast<std::size_t>(i)];
    sum = add(part, std::move(sum));
  });
  Sum out = zero;
  for (Sum& sum : sums) out = merge(std::move(out), std::move(sum));
  return out;
}

/// One value for each thread that accesses it.
template <typename T>
class enumerable_thread_specific {
 public:
  T& local() {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = at_.try_emplace(std::this_thread::get_id(), values_.size());
    if (is_new) values_.emplace_back();
    return values_[at->second];
  }
  void clear() {
    at_.clear();
    values_.clear();
  }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }

 private:
  std::mutex mutex_;
  std::map<std::thread::id, std::size_t> at_;
  std::deque<T> values_;
};

struct flow_control {
  bool stopped = false;
  void stop() { stopped = true; }
};

enum class filter_mode { serial_in_order, parallel };

/// A stage of a pipeline and all stages before it.
template <typename Function>
struct filter {
  Function function;
};
template <typename First, typename Second>
struct filters {
  First first;
  Second second;
};

template <typename In, typename Out, typename Function>
filter<Function> make_filter(filter_mode, const Function& function) {
  return {function};
}
template <typename A, typename B>
filters<filter<A>, filter<B>> operator&(const filter<A>& a, const filter<B>& b) {
  return {a, b};
}
template <typename A, typename B, typename C>
filters<filters<filter<A>, filter<B>>, filter<C>> operator&(const filters<filter<A>, filter<B>>& a,
                                                            const filter<C>& b) {
  return {a, b};
}

/// Three stages: this thread produces items in order, other threads process them, and the thread that has the next item
/// consumes it in order. An item that arrives late, such as a line still being typed, does not delay earlier ones.
template <typename Make, typename Work, typename Take>
void parallel_pipeline(std::size_t in_flight,
                       const filters<filters<filter<Make>, filter<Work>>, filter<Take>>& stages) {
  const auto& make = stages.first.first.function;
  const auto& work = stages.first.second.function;
  const auto& take = stages.second.function;
  flow_control control;
  using Item = decltype(make(control));
  std::map<std::size_t, decltype(work(std::declval<Item&>()))> done;
  std::size_t taken = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto fail = [&] {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::current_exception();
  };
  const auto failed = [&] {
    const std::lock_guard lock(mutex);
    return failure != nullptr;
  };
  const auto play = [&](std::size_t number, Item item) {
    const int before = std::exchange(t_width, 1);
    try {
      auto result = work(item);
      const std::lock_guard lock(mutex);
      done.emplace(number, std::move(result));
      for (auto at = done.find(taken); at != done.end(); at = done.find(++taken)) {
        take(at->second);
        done.erase(at);
      }
    } catch (...) {
      fail();
    }
    t_width = before;
  };
  std::deque<std::thread> others;
  const bool alone = t_width == 1;
  try {
    for (std::size_t number = 0; !failed(); ++number) {
      Item item = make(control);
      if (control.stopped) break;
      if (alone) {
        play(number, std::move(item));
        continue;
      }
      others.emplace_back(play, number, std::move(item));
      if (others.size() < in_flight) continue;
      others.front().join();
      others.pop_front();
    }
  } catch (...) {
    fail();
  }
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

class global_control {
 public:
  enum parameter { max_allowed_parallelism };
  global_control(parameter, std::size_t) {}
};

}  // namespace oneapi::tbb
