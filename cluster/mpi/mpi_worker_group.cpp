#include "mpi_worker_group.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "jobs/ordered_pipeline.h"
#include "salvo/failure.h"
#include "work_ledger.h"

namespace salvo::mpi {
namespace {

using jobs::PipelineItem;
using jobs::RangedWork;

enum Tag : int { kReady, kRange, kEnd, kResult };

constexpr int kRangesAhead = 4;  // queued at a rank for each of its threads, so that no thread waits for a message

/// The message that each rank sends to the others before they begin.
struct Greeting {
  std::uint64_t identity = 0;
  int status = 0;
  std::array<char, 1024> words{};  ///< a message if the status is not 0, else the name of the machine
};

/// Waits without occupying a processor, unlike MPI's own functions.
class Backoff {
 public:
  void wait() {
    std::this_thread::sleep_for(next_);
    next_ = std::min(2 * next_, kLongest);
  }
  void reset() { next_ = kShortest; }

 private:
  static constexpr std::chrono::microseconds kShortest{20}, kLongest{1000};
  std::chrono::microseconds next_ = kShortest;
};

std::string machine_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

/// A message from another rank.
struct Message {
  int rank = 0, tag = 0;
  std::string bytes;
};

/// The next message from a rank, if one has arrived.
std::optional<Message> receive(int from) {
  int there = 0;
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &handle, &status);
  if (there == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message out{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Mrecv(out.bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
  return out;
}

/// A range as sent: its number, first and last.
using Numbers = std::array<std::uint64_t, 3>;

std::string pack_range(const NumberedRange& taken) {
  const Numbers numbers{taken.number, taken.range.first, taken.range.last};
  return {reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)};
}

NumberedRange unpack_range(const std::string& bytes) {
  Numbers numbers;
  std::memcpy(numbers.data(), bytes.data(), sizeof(numbers));
  return {numbers[0], {numbers[1], numbers[2]}};
}

/// The result of a range, in this process.
struct NumberedResult {
  std::uint64_t number = 0;
  std::shared_ptr<PipelineItem> result;
};

/// Appends the number of a range to the bytes of its result: at the end it moves none of them.
std::string with_number(std::string bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  return bytes;
}

/// Removes the number from the end of the bytes and returns it.
std::uint64_t take_number(std::string& bytes) {
  std::uint64_t number = 0;
  const std::size_t size = bytes.size() - sizeof(number);
  std::memcpy(&number, bytes.data() + size, sizeof(number));
  bytes.resize(size);
  return number;
}

void send(int to, Tag tag, const std::string& bytes) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/// Results being sent to rank 0 in the background.
class Outbox {
 public:
  void send(std::string bytes) {
    auto& [content, request] =
        messages_.emplace_back(std::make_unique<std::string>(std::move(bytes)), MPI_REQUEST_NULL);
    MPI_Isend(content->data(), static_cast<int>(content->size()), MPI_BYTE, 0, kResult, MPI_COMM_WORLD, &request);
    discard_sent();
  }
  /// Frees the messages that were sent. Returns whether none is left.
  bool discard_sent() {
    while (!messages_.empty()) {
      int arrived = 0;
      MPI_Test(&messages_.front().second, &arrived, MPI_STATUS_IGNORE);
      if (arrived == 0) return false;
      messages_.pop_front();
    }
    return true;
  }

 private:
  std::deque<std::pair<std::unique_ptr<std::string>, MPI_Request>> messages_;
};

}  // namespace

void MpiWorkerGroup::meet(const Refusal& outcome, const std::string& identity) {
  met_ = true;
  Greeting mine{base::fingerprint(identity), outcome.status, {}};
  const std::string words = outcome.status != 0 ? outcome.message : machine_name();
  std::copy_n(words.begin(), std::min(words.size(), mine.words.size() - 1), mine.words.begin());
  std::vector<Greeting> all(static_cast<std::size_t>(size_));
  constexpr int kSize = sizeof(Greeting);
  MPI_Allgather(&mine, kSize, MPI_BYTE, all.data(), kSize, MPI_BYTE, MPI_COMM_WORLD);
  for (const Greeting& one : all) {
    if (one.status == 0) continue;
    const auto rank = &one - all.data();
    const std::string text = one.words.data();
    refusal_ = {one.status, rank == 0 ? text : fmt::format("rank {}: {}", rank, text)};
    return;
  }
  for (const Greeting& one : all) {
    if (one.identity == all.front().identity) continue;
    refusal_ = {status_of(ErrorKind::InvalidInput),
                fmt::format("rank {} on {} has another question than rank 0 on {}; all need the same program, profiles "
                            "and files",
                            &one - all.data(), one.words.data(), all.front().words.data())};
    return;
  }
}

void MpiWorkerGroup::refuse(const Refusal& why) {
  const std::lock_guard lock(mutex_);
  meet(why, "");
}

std::optional<int> MpiWorkerGroup::start(const std::string& identity, int threads) {
  meet({}, identity);
  if (refusal_) throw std::runtime_error(refusal_->message);
  if (machine_.works()) return machine_.threads(threads);
  machine_.sleep();
  return std::nullopt;
}

void MpiWorkerGroup::run(int threads, const RangedWork& work) {
  is_root() ? run_root(threads, work) : run_worker(threads, work);
}

void MpiWorkerGroup::run_root(int threads, const RangedWork& work) {
  WorkLedger ledger(work);
  std::thread sender([&] { ledger.guard([&] { serve_machines(ledger); }); });
  ledger.guard([&] { work_here(ledger, threads, work); });
  sender.join();
  ledger.rethrow();
}

void MpiWorkerGroup::work_here(WorkLedger& ledger, int threads, const RangedWork& work) {
  jobs::process_in_order(
      threads,
      [&]() -> std::optional<NumberedRange> {
        for (Backoff backoff;; backoff.wait()) {
          if (const std::optional<NumberedRange> taken = ledger.take()) return taken;
          if (ledger.all_taken()) return std::nullopt;
        }
      },
      [&](const NumberedRange& taken) {
        return NumberedResult{taken.number, work.work(taken.range)};
      },
      [&](const NumberedResult& done) { ledger.finish(done.number, *done.result); });
}

void MpiWorkerGroup::serve_machines(WorkLedger& ledger) {
  std::vector<int> room(static_cast<std::size_t>(size_), 0);  // how many more ranges a rank accepts
  const std::size_t others = machine_.workers().size() - 1;
  const auto fill = [&] {
    for (bool any = true; any;) {  // one each per pass
      any = false;
      for (const int rank : machine_.workers()) {
        if (room[static_cast<std::size_t>(rank)] == 0) continue;
        const std::optional<NumberedRange> taken = ledger.take();
        if (!taken) return;
        --room[static_cast<std::size_t>(rank)];
        send(rank, kRange, pack_range(*taken));
        any = true;
      }
    }
  };
  std::size_t ready = 0;
  for (Backoff backoff; ready < others || !ledger.ended();) {
    if (ledger.failed()) return;
    std::optional<Message> message = receive(MPI_ANY_SOURCE);
    if (message && message->tag == kReady) {
      ++ready;
      room[static_cast<std::size_t>(message->rank)] = std::stoi(message->bytes);
    } else if (message) {
      ++room[static_cast<std::size_t>(message->rank)];
      const std::uint64_t number = take_number(message->bytes);
      ledger.finish(number, std::move(message->bytes));
    }
    fill();
    message ? backoff.reset() : backoff.wait();
  }
  for (const int rank : machine_.workers()) {
    if (rank != 0) send(rank, kEnd, "");
  }
}

void MpiWorkerGroup::run_worker(int threads, const RangedWork& work) {
  Outbox outbox;
  {
    const std::lock_guard lock(mutex_);
    send(0, kReady, std::to_string(kRangesAhead * threads));
  }
  jobs::process_in_order(
      threads,
      [&]() -> std::optional<NumberedRange> {
        for (Backoff backoff;; backoff.wait()) {
          const std::lock_guard lock(mutex_);
          outbox.discard_sent();
          const std::optional<Message> message = receive(0);
          if (!message) continue;
          if (message->tag == kEnd) return std::nullopt;
          return unpack_range(message->bytes);
        }
      },
      [&](const NumberedRange& taken) {
        return NumberedResult{taken.number, work.work(taken.range)};
      },
      [&](const NumberedResult& done) {
        std::string bytes = with_number(work.pack(*done.result), done.number);
        const std::lock_guard lock(mutex_);
        outbox.send(std::move(bytes));
      });
  for (Backoff backoff;; backoff.wait()) {
    const std::lock_guard lock(mutex_);
    if (outbox.discard_sent()) return;
  }
}

}  // namespace salvo::mpi
