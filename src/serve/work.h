// Work: questions wait in turns and are worked on by a few threads; one that takes long holds up nobody else.
// In: jobs with the client and the connection that they are from. Out: each is played once, or dropped once.
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
  std::function<void()> play;  ///< may not throw
  std::function<void()> drop;  ///< called in place of play() when others need the room; may not throw
};

/// Jobs in the order of turns: each client has its turn, and within a client each connection.
class FairQueue {
 public:
  void push(const std::string& client, std::uint64_t connection, Job job);
  /// Whose turn it is; empty when there is none.
  std::optional<Job> pop();
  std::size_t size() const { return size_; }
  std::size_t size_of(const std::string& client) const;
  /// Takes the newest job of the client that has the most waiting, where that is more than `than`.
  std::optional<Job> take_from_largest(std::size_t than);

 private:
  struct Connection {
    std::uint64_t id = 0;
    std::deque<Job> jobs;
  };
  struct Client {
    std::string name;
    std::list<Connection> connections;  ///< the first is next
    std::size_t size = 0;
  };
  std::list<Client> clients_;  ///< the first is next
  std::size_t size_ = 0;
};

/// What is going on, for the metrics.
struct WorkState {
  std::size_t queued = 0, running = 0, long_running = 0;
  double expected_wait = 0;  ///< seconds that a new question would wait, about
};

/// Threads that play jobs. Some `quick` of them at once; a job that has run for longer than kLong no longer counts, so
/// that another may begin beside it, up to `slow` of these. The processor then divides its time among all of them.
class Workers {
 public:
  static constexpr std::chrono::milliseconds kLong{20};

  Workers(int quick, int slow, std::size_t most_queued);
  /// Waits for what runs; what waits is dropped.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False when there is no room: neither function of the job will be called. The newest job of a client that has more
  /// waiting than this one gives way.
  bool add(const std::string& client, std::uint64_t connection, Job job);
  WorkState state() const;
  bool idle() const;

 private:
  using Clock = std::chrono::steady_clock;
  static void* enter(void* workers);
  void work();
  /// The moment from which a job may begin; empty: now.
  std::optional<Clock::time_point> may_begin() const;

  const std::size_t quick_, most_queued_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  FairQueue queue_;
  std::list<Clock::time_point> running_;  ///< when each began
  double mean_seconds_ = 1e-3;            ///< of a job, lately
  bool stop_ = false;
  std::vector<pthread_t> threads_;
};

}  // namespace salvo::serve
