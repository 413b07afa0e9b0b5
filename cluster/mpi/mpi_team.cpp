// MpiTeam: see mpi_team.h.
#include "mpi_team.h"

#include <fmt/format.h>
#include <mpi.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cli/exit_status.h"
#include "cli/fingerprint.h"

namespace salvo::mpi {
namespace {

using cli::Outcome;
using cli::Part;

enum Tag : int { kReady, kPart, kEnd, kMade };

constexpr int kPartsAhead = 4;  // that wait at a rank for each of its threads, so that no thread waits for a message
constexpr std::size_t kMostHeld = std::size_t{256} << 20;  // bytes that wait at rank 0 for what comes before them

/// What a rank tells all others before they begin.
struct Greeting {
  std::uint64_t identity = 0;
  int status = 0;
  std::array<char, 1024> words{};  ///< a message if the status is not 0, else the machine
};

/// Waits for messages without keeping a processor busy, as MPI's own waiting does.
class Patience {
 public:
  void wait() {
    std::this_thread::sleep_for(next_);
    next_ = std::min(2 * next_, kLongest);
  }
  void begin_anew() { next_ = kShortest; }

 private:
  static constexpr std::chrono::microseconds kShortest{20}, kLongest{1000};
  std::chrono::microseconds next_ = kShortest;
};

std::string machine() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

/// A message from anybody, if there is one.
struct Message {
  int rank = 0, tag = 0;
  std::string bytes;
};

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

/// A part under way, or what was made of it behind its number.
using Numbers = std::array<std::uint64_t, 3>;

std::string packed(std::uint64_t number, const Part& part) {
  const Numbers numbers{number, part.first, part.last};
  return {reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)};
}

void send(int to, Tag tag, const std::string& bytes) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/// Messages that are on their way while the sender goes on.
class Outbox {
 public:
  void send(std::string bytes) {
    auto& [kept, request] = letters_.emplace_back(std::make_unique<std::string>(std::move(bytes)), MPI_REQUEST_NULL);
    MPI_Isend(kept->data(), static_cast<int>(kept->size()), MPI_BYTE, 0, kMade, MPI_COMM_WORLD, &request);
    clear_out();
  }
  /// Whether all have arrived.
  bool clear_out() {
    while (!letters_.empty()) {
      int arrived = 0;
      MPI_Test(&letters_.front().second, &arrived, MPI_STATUS_IGNORE);
      if (arrived == 0) return false;
      letters_.pop_front();
    }
    return true;
  }

 private:
  std::deque<std::pair<std::unique_ptr<std::string>, MPI_Request>> letters_;
};

}  // namespace

void MpiTeam::meet(const Outcome& outcome, const std::string& identity) {
  met_ = true;
  Greeting mine{cli::fingerprint(identity), outcome.status, {}};
  const std::string words = outcome.status != 0 ? outcome.message : machine();
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
    refusal_ = {cli::kWrongQuestion,
                fmt::format("rank {} on {} has another question than rank 0 on {}; all need the same program, profiles "
                            "and files",
                            &one - all.data(), one.words.data(), all.front().words.data())};
    return;
  }
}

void MpiTeam::give_up(const Outcome& why) {
  const std::lock_guard lock(mutex_);
  meet(why, "");
}

void MpiTeam::play(const std::string& identity, int threads, const std::function<std::optional<Part>()>& next,
                   const std::function<std::string(const Part&)>& work,
                   const std::function<void(std::string_view)>& put) {
  meet({}, identity);
  if (refusal_) throw std::runtime_error(refusal_->message);
  leads() ? lead(next, put) : follow(threads, work);
}

void MpiTeam::lead(const std::function<std::optional<Part>()>& next, const std::function<void(std::string_view)>& put) {
  std::vector<int> free(static_cast<std::size_t>(size_), 0);  // parts that a rank can still take
  std::map<std::uint64_t, std::string> held;                  // made before what comes before it
  std::size_t held_bytes = 0;
  std::uint64_t handed = 0, written = 0;
  std::optional<Part> part = next();
  const auto hand_out = [&] {
    for (bool any = true; any;) {  // one each in turn
      any = false;
      for (int rank = 1; rank < size_ && part && held_bytes < kMostHeld; ++rank) {
        if (free[static_cast<std::size_t>(rank)] == 0) continue;
        --free[static_cast<std::size_t>(rank)];
        send(rank, kPart, packed(handed++, *part));
        part = next();
        any = true;
      }
    }
  };
  const auto take = [&](Message message) {
    int& room = free[static_cast<std::size_t>(message.rank)];
    if (message.tag == kReady) {
      room = std::stoi(message.bytes);
      return;
    }
    ++room;
    std::uint64_t number = 0;
    std::memcpy(&number, message.bytes.data(), sizeof(number));
    held_bytes += message.bytes.size();
    held.emplace(number, std::move(message.bytes));
    for (auto first = held.begin(); first != held.end() && first->first == written; first = held.begin(), ++written) {
      put(std::string_view(first->second).substr(sizeof(number)));
      held_bytes -= first->second.size();
      held.erase(first);
    }
  };
  Patience patience;
  int ready = 0;
  while (part || written < handed || ready < size_ - 1) {
    if (std::optional<Message> message = receive(MPI_ANY_SOURCE)) {
      ready += message->tag == kReady ? 1 : 0;
      take(std::move(*message));
      hand_out();
      patience.begin_anew();
    } else {
      patience.wait();
    }
  }
  for (int rank = 1; rank < size_; ++rank) send(rank, kEnd, "");
}

void MpiTeam::follow(int threads, const std::function<std::string(const Part&)>& work) {
  struct Taken {
    std::uint64_t number;
    Part part;
  };
  const int at_work = threads > 0 ? threads : oneapi::tbb::this_task_arena::max_concurrency();
  Outbox outbox;
  {
    const std::lock_guard lock(mutex_);
    send(0, kReady, std::to_string(kPartsAhead * at_work));
  }
  cli::in_order(
      threads,
      [&]() -> std::optional<Taken> {
        for (Patience patience;; patience.wait()) {
          const std::lock_guard lock(mutex_);
          outbox.clear_out();
          const std::optional<Message> message = receive(0);
          if (!message) continue;
          if (message->tag == kEnd) return std::nullopt;
          Numbers numbers;
          std::memcpy(numbers.data(), message->bytes.data(), sizeof(numbers));
          return Taken{numbers[0], {numbers[1], numbers[2]}};
        }
      },
      [&](const Taken& taken) {
        std::string out(sizeof(taken.number), '\0');
        std::memcpy(out.data(), &taken.number, sizeof(taken.number));
        return out + work(taken.part);
      },
      [&](const std::string& made) {
        const std::lock_guard lock(mutex_);
        outbox.send(made);
      });
  for (Patience patience;; patience.wait()) {
    const std::lock_guard lock(mutex_);
    if (outbox.clear_out()) return;
  }
}

}  // namespace salvo::mpi
