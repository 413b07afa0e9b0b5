// Team: many processes that do the work of one command together (salvo-mpi); without one, the threads of this process
// do. In: parts of the work, one after another, and a function that does one. Out: what it made of each, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "jobs/ordered_pipeline.h"

namespace salvo::jobs {

/// Cells or trials from `first` on, up to `last`.
struct Part {
  std::uint64_t first = 0, last = 0;
  std::uint64_t size() const { return last - first; }
};

/// Work in parts, for a team that does not know what is made of them.
struct PartWork {
  std::function<std::optional<Part>()> next;
  std::function<std::shared_ptr<Piece>(const Part&)> work;
  std::function<void(Piece&)> put;
  std::function<std::string(Piece&)> pack;  ///< bytes that travel; nothing is left in the piece
  std::function<std::shared_ptr<Piece>(std::string)> unpack;
};

class Team {
 public:
  virtual ~Team() = default;

  /// Whether this process opens, writes and prints what all of them made. Only there are `next` and `put` called, by
  /// one thread at a time.
  virtual bool leads() const = 0;
  /// Whether there is more than one machine, so that what is made travels.
  virtual bool travels() const = 0;
  /// Meets the others before the work. `identity`: of the work, the same everywhere. `threads`: of each process; 0: all
  /// that there is. Returns with how many threads this process works, alone unless something travels; empty: it does
  /// not, and the others are done.
  virtual std::optional<int> begin(const std::string& identity, int threads) = 0;
  /// What in_order() does, on all processes that do some of it.
  virtual void play(int threads, const PartWork& work) = 0;

  /// That which this process belongs to; nullptr: it is alone.
  static Team* current() { return current_; }
  static void join(Team* team) { current_ = team; }

 private:
  static inline Team* current_ = nullptr;
};

/// Whether this process opens, writes and prints.
inline bool leads() { return Team::current() == nullptr || Team::current()->leads(); }

/// in_order() on this process, or on all of its team. `pack` makes bytes of a result that is not needed any more,
/// `unpack` a result of bytes.
template <typename Work, typename Put, typename Pack, typename Unpack>
void in_parts(const std::string& identity, int threads, std::function<std::optional<Part>()> next, Work work, Put put,
              Pack pack, Unpack unpack) {
  Team* const team = Team::current();
  if (team != nullptr) {
    const std::optional<int> own = team->begin(identity, threads);
    if (!own) return;
    threads = *own;
  }
  if (team == nullptr || !team->travels()) return in_order(threads, std::move(next), std::move(work), std::move(put));
  using Result = decltype(work(std::declval<const Part&>()));
  struct Made : Piece {
    explicit Made(Result made) : result(std::move(made)) {}
    Result result;
  };
  const auto result = [](Piece& piece) -> Result& { return static_cast<Made&>(piece).result; };
  team->play(threads,
             {std::move(next), [&](const Part& part) { return std::make_shared<Made>(work(part)); },
              [&](Piece& piece) { put(result(piece)); }, [&](Piece& piece) { return pack(std::move(result(piece))); },
              [&](std::string bytes) { return std::make_shared<Made>(unpack(std::move(bytes))); }});
}

}  // namespace salvo::jobs
