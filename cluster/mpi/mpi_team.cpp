// MpiTeam: see mpi_team.h.
#include "mpi_team.h"

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

#include "cli/exit_status.h"
#include "jobs/fingerprint.h"
#include "jobs/ordered_pipeline.h"
#include "ledger.h"

namespace salvo::mpi {
namespace {

using cli::Outcome;
using jobs::Part;
using jobs::PartWork;
using jobs::Piece;

enum Tag : int { kReady, kPart, kEnd, kMade };

constexpr int kPartsAhead = 4;  // that wait at a rank for each of its threads, so that no thread waits for a message

/// What a rank tells all others before they begin.
struct Greeting {
  std::uint64_t identity = 0;
  int status = 0;
  std::array<char, 1024> words{};  ///< a message if the status is not 0, else the machine
};

/// Waits without keeping a processor busy, as MPI's own waiting does.
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

/// A part under way as it travels.
using Numbers = std::array<std::uint64_t, 3>;

std::string packed(const Taken& taken) {
  const Numbers numbers{taken.number, taken.part.first, taken.part.last};
  return {reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)};
}

Taken unpacked(const std::string& bytes) {
  Numbers numbers;
  std::memcpy(numbers.data(), bytes.data(), sizeof(numbers));
  return {numbers[0], {numbers[1], numbers[2]}};
}

/// What was made of a part, in this process.
struct Made {
  std::uint64_t number = 0;
  std::shared_ptr<Piece> piece;
};

/// Puts the number of a part behind the bytes that were made of it, where it moves none of them.
std::string with_number(std::string bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  return bytes;
}

/// Takes it off again.
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
  Greeting mine{jobs::fingerprint(identity), outcome.status, {}};
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

std::optional<int> MpiTeam::begin(const std::string& identity, int threads) {
  meet({}, identity);
  if (refusal_) throw std::runtime_error(refusal_->message);
  if (machine_.works()) return machine_.threads(threads);
  machine_.sleep();
  return std::nullopt;
}

void MpiTeam::play(int threads, const PartWork& work) { leads() ? lead(threads, work) : follow(threads, work); }

void MpiTeam::lead(int threads, const PartWork& work) {
  Ledger ledger(work);
  std::thread speaker([&] { ledger.guard([&] { hand_out(ledger); }); });
  ledger.guard([&] { work_beside(ledger, threads, work); });
  speaker.join();
  ledger.rethrow();
}

void MpiTeam::work_beside(Ledger& ledger, int threads, const PartWork& work) {
  jobs::in_order(
      threads,
      [&]() -> std::optional<Taken> {
        for (Patience patience;; patience.wait()) {
          if (const std::optional<Taken> taken = ledger.take()) return taken;
          if (ledger.all_taken()) return std::nullopt;
        }
      },
      [&](const Taken& taken) {
        return Made{taken.number, work.work(taken.part)};
      },
      [&](const Made& made) { ledger.made(made.number, *made.piece); });
}

void MpiTeam::hand_out(Ledger& ledger) {
  std::vector<int> room(static_cast<std::size_t>(size_), 0);  // parts that a rank can still take
  const std::size_t others = machine_.workers().size() - 1;
  const auto fill = [&] {
    for (bool any = true; any;) {  // one each in turn
      any = false;
      for (const int rank : machine_.workers()) {
        if (room[static_cast<std::size_t>(rank)] == 0) continue;
        const std::optional<Taken> taken = ledger.take();
        if (!taken) return;
        --room[static_cast<std::size_t>(rank)];
        send(rank, kPart, packed(*taken));
        any = true;
      }
    }
  };
  std::size_t ready = 0;
  for (Patience patience; ready < others || !ledger.ended();) {
    if (ledger.failed()) return;
    std::optional<Message> message = receive(MPI_ANY_SOURCE);
    if (message && message->tag == kReady) {
      ++ready;
      room[static_cast<std::size_t>(message->rank)] = std::stoi(message->bytes);
    } else if (message) {
      ++room[static_cast<std::size_t>(message->rank)];
      const std::uint64_t number = take_number(message->bytes);
      ledger.made(number, std::move(message->bytes));
    }
    fill();
    message ? patience.begin_anew() : patience.wait();
  }
  for (const int rank : machine_.workers()) {
    if (rank != 0) send(rank, kEnd, "");
  }
}

void MpiTeam::follow(int threads, const PartWork& work) {
  Outbox outbox;
  {
    const std::lock_guard lock(mutex_);
    send(0, kReady, std::to_string(kPartsAhead * threads));
  }
  jobs::in_order(
      threads,
      [&]() -> std::optional<Taken> {
        for (Patience patience;; patience.wait()) {
          const std::lock_guard lock(mutex_);
          outbox.clear_out();
          const std::optional<Message> message = receive(0);
          if (!message) continue;
          if (message->tag == kEnd) return std::nullopt;
          return unpacked(message->bytes);
        }
      },
      [&](const Taken& taken) {
        return Made{taken.number, work.work(taken.part)};
      },
      [&](const Made& made) {
        std::string bytes = with_number(work.pack(*made.piece), made.number);
        const std::lock_guard lock(mutex_);
        outbox.send(std::move(bytes));
      });
  for (Patience patience;; patience.wait()) {
    const std::lock_guard lock(mutex_);
    if (outbox.clear_out()) return;
  }
}

}  // namespace salvo::mpi
