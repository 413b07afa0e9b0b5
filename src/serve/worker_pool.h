// Threads that answer questions, taking turns among clients. A long question does not block short ones. Each job is run
// once or dropped once.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace salvo::serve {

struct Job {
  std::function<void()> run;   ///< may not throw
  std::function<void()> drop;  ///< called instead of run() when the queue needs room; may not throw
};

/// A queue that takes one job per client in turn, and within a client one per connection.
class FairQueue {
 public:
  void push(const std::string& client, std::uint64_t connection, Job job);
  /// The next job; empty if there is none.
  std::optional<Job> pop();
  std::size_t size() const { return size_; }
  std::size_t size_of(const std::string& client) const;
  /// Removes the newest job of the client with the most jobs, if it has more than `than`.
  std::optional<Job> take_from_largest(std::size_t than);

 private:
  struct Connection {
    std::uint64_t id = 0;
    std::deque<Job> jobs;
  };
  struct Client {
    std::string name;
    std::list<Connection> connections;  ///< the front is next
    std::size_t size = 0;
  };
  std::list<Client> clients_;  ///< the front is next
  std::size_t size_ = 0;
};

/// The state of the pool, for the metrics.
struct PoolState {
  std::size_t queued = 0, running = 0, long_running = 0;
  double expected_wait = 0;  ///< estimated seconds that a new question waits
};

/// Runs up to `quick` jobs at once. A job that has run for longer than kLong no longer counts, so another may begin
/// beside it, up to `slow` more. The operating system then shares the processors among all of them.
class WorkerPool {
 public:
  static constexpr std::chrono::milliseconds kLong{20};

  WorkerPool(int quick, int slow, std::size_t most_queued);
  /// Drops the waiting jobs and waits for the running ones.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// When the queue is full, drops the newest job of a client with more waiting jobs than this one. Returns false if
  /// there is none; then neither function of the job will be called.
  bool add(const std::string& client, std::uint64_t connection, Job job);
  PoolState state() const;
  bool idle() const;

 private:
  using Clock = std::chrono::steady_clock;
  static void* enter(void* pool);
  void run_jobs();
  /// When the next job may begin; empty: now.
  std::optional<Clock::time_point> next_start() const;

  const std::size_t quick_, most_queued_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  FairQueue queue_;
  std::list<Clock::time_point> running_;  ///< start time of each
  double mean_seconds_ = 1e-3;            ///< of recent jobs
  /// Whether a thread waits for a running job to become long. While one does and no job may begin, a new job wakes no
  /// thread: the first thread that finishes its job takes it.
  bool watched_ = false;
  bool stop_ = false;
  std::vector<pthread_t> threads_;
};

}  // namespace salvo::serve
