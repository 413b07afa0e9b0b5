#include "serve/worker_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace salvo::serve {

void FairQueue::push(const std::string& client, std::uint64_t connection, Job job) {
  auto of = std::find_if(clients_.begin(), clients_.end(), [&](const Client& one) { return one.name == client; });
  if (of == clients_.end()) of = clients_.insert(clients_.end(), Client{client, {}, 0});
  auto& connections = of->connections;
  auto line =
      std::find_if(connections.begin(), connections.end(), [&](const auto& one) { return one.id == connection; });
  if (line == connections.end()) line = connections.insert(connections.end(), Connection{connection, {}});
  line->jobs.push_back(std::move(job));
  ++of->size;
  ++size_;
}

std::optional<Job> FairQueue::pop() {
  if (clients_.empty()) return std::nullopt;
  Client& client = clients_.front();
  Connection& connection = client.connections.front();
  Job job = std::move(connection.jobs.front());
  connection.jobs.pop_front();
  --client.size;
  --size_;
  // Move the connection and the client to the end of their lists, or remove them if they have no jobs left.
  if (connection.jobs.empty()) {
    client.connections.pop_front();
  } else {
    client.connections.splice(client.connections.end(), client.connections, client.connections.begin());
  }
  if (client.connections.empty()) {
    clients_.pop_front();
  } else {
    clients_.splice(clients_.end(), clients_, clients_.begin());
  }
  return job;
}

std::size_t FairQueue::size_of(const std::string& client) const {
  const auto of = std::find_if(clients_.begin(), clients_.end(), [&](const Client& one) { return one.name == client; });
  return of == clients_.end() ? 0 : of->size;
}

std::optional<Job> FairQueue::take_from_largest(std::size_t than) {
  const auto client = std::max_element(clients_.begin(), clients_.end(),
                                       [](const Client& a, const Client& b) { return a.size < b.size; });
  if (client == clients_.end() || client->size <= than) return std::nullopt;
  auto& connections = client->connections;
  // Prefer the connection with the most jobs.
  const auto connection =
      std::max_element(connections.begin(), connections.end(),
                       [](const Connection& a, const Connection& b) { return a.jobs.size() <= b.jobs.size(); });
  Job job = std::move(connection->jobs.back());
  connection->jobs.pop_back();
  if (connection->jobs.empty()) connections.erase(connection);
  --size_;
  if (--client->size == 0) clients_.erase(client);
  return job;
}

WorkerPool::WorkerPool(int quick, int slow, std::size_t most_queued)
    : quick_(static_cast<std::size_t>(quick)), most_queued_(most_queued) {
  constexpr std::size_t kStack = std::size_t{16} << 20;  // the parser recurses as deeply as questions may nest
  pthread_attr_t attributes;
  if (const int error = pthread_attr_init(&attributes); error != 0)
    throw std::system_error(error, std::generic_category(), "threads cannot be made");
  pthread_attr_setstacksize(&attributes, kStack);
  for (int i = 0; i < quick + slow; ++i) {
    pthread_t thread{};
    if (pthread_create(&thread, &attributes, enter, this) == 0) threads_.push_back(thread);
  }
  pthread_attr_destroy(&attributes);
  if (threads_.empty()) throw std::system_error(errno, std::generic_category(), "threads cannot be made");
}

WorkerPool::~WorkerPool() {
  std::vector<Job> waiting;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    while (auto job = queue_.pop()) waiting.push_back(std::move(*job));
  }
  wake_.notify_all();
  for (const Job& job : waiting) job.drop();
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

bool WorkerPool::add(const std::string& client, std::uint64_t connection, Job job) {
  std::optional<Job> dropped;
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    if (stop_) return false;
    if (queue_.size() >= most_queued_) {
      dropped = queue_.take_from_largest(queue_.size_of(client) + 1);
      if (!dropped) return false;
    }
    queue_.push(client, connection, std::move(job));
    wake = !watched_ || !next_start();
  }
  if (wake) wake_.notify_one();
  if (dropped) dropped->drop();
  return true;
}

std::optional<WorkerPool::Clock::time_point> WorkerPool::next_start() const {
  const Clock::time_point now = Clock::now();
  std::size_t quick = 0;
  std::optional<Clock::time_point> first;  // start of the oldest job that is not long yet
  for (const Clock::time_point begun : running_) {
    if (now - begun >= kLong) continue;
    ++quick;
    if (!first || begun < *first) first = begun;
  }
  return quick < quick_ ? std::nullopt : std::optional(*first + kLong);
}

void WorkerPool::run_jobs() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (queue_.size() == 0) {
      wake_.wait(lock);
      continue;
    }
    if (const auto moment = next_start()) {
      if (watched_) {
        wake_.wait(lock);
      } else {
        watched_ = true;
        wake_.wait_until(lock, *moment);
        watched_ = false;
      }
      continue;
    }
    {
      const Job job = *queue_.pop();
      const auto begun = running_.insert(running_.end(), Clock::now());
      if (queue_.size() > 0 && !watched_) wake_.notify_one();  // to begin the next one, or to watch this one
      lock.unlock();
      job.run();
      lock.lock();
      const double seconds = std::chrono::duration<double>(Clock::now() - *begun).count();
      mean_seconds_ += (seconds - mean_seconds_) / 32;
      running_.erase(begun);
    }
  }
}

void* WorkerPool::enter(void* pool) {
  static_cast<WorkerPool*>(pool)->run_jobs();
  return nullptr;
}

PoolState WorkerPool::state() const {
  const std::lock_guard lock(mutex_);
  PoolState out;
  out.queued = queue_.size();
  out.running = running_.size();
  const Clock::time_point now = Clock::now();
  out.long_running = static_cast<std::size_t>(
      std::count_if(running_.begin(), running_.end(), [&](const auto begun) { return now - begun >= kLong; }));
  out.expected_wait = mean_seconds_ * static_cast<double>(out.queued) / static_cast<double>(quick_);
  return out;
}

bool WorkerPool::idle() const {
  const std::lock_guard lock(mutex_);
  return queue_.size() == 0 && running_.empty();
}

}  // namespace salvo::serve
