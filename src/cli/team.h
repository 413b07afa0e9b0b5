// Team: many processes that do the work of one command together (salvo-mpi); without one, the threads of this process
// do. In: parts of the work, one after another, and a function that does one. Out: what it made of each, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/ordered.h"

namespace salvo::cli {

/// Cells or trials from `first` on, up to `last`.
struct Part {
  std::uint64_t first = 0, last = 0;
  std::uint64_t size() const { return last - first; }
};

class Team {
 public:
  virtual ~Team() = default;

  /// Whether this process opens, writes and prints what all of them made. Only there are `next` and `put` called.
  virtual bool leads() const = 0;
  /// What in_order() does, on all processes: `work` and its result travel. `identity`: of the work, the same
  /// everywhere.
  virtual void play(const std::string& identity, int threads, const std::function<std::optional<Part>()>& next,
                    const std::function<std::string(const Part&)>& work,
                    const std::function<void(std::string_view)>& put) = 0;

  /// That which this process belongs to; nullptr: it is alone.
  static Team* current() { return current_; }
  static void join(Team* team) { current_ = team; }

 private:
  static inline Team* current_ = nullptr;
};

/// Whether this process opens, writes and prints.
inline bool leads() { return Team::current() == nullptr || Team::current()->leads(); }

/// in_order() on this process, or on all of its team. `pack` makes a text of a result, `unpack` the result of a text.
template <typename Next, typename Work, typename Put, typename Pack, typename Unpack>
void in_parts(const std::string& identity, int threads, Next next, Work work, Put put, Pack pack, Unpack unpack) {
  Team* const team = Team::current();
  if (team == nullptr) return in_order(threads, std::move(next), std::move(work), std::move(put));
  team->play(
      identity, threads, next, [&](const Part& part) { return pack(work(part)); },
      [&](std::string_view text) { put(unpack(text)); });
}

}  // namespace salvo::cli
