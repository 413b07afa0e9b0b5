// Memory: what the policies measured, of one thread: small tables in which a later entry takes the place of an earlier
// one. In: a name of everything that a measure depends on. Out: the measure. It only saves time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "battle/book.h"

namespace salvo::battle {

/// The best weapon against a target.
struct Aimed {
  double value = 0;
  int weapon = -1;
  const Outcomes* outcomes = nullptr;  ///< null: nothing can be shot
};

class Memory {
 public:
  static constexpr std::size_t kFigures = 3;  ///< of an option (Game::look_ahead)

  /// `options`: most of a ship; `enemies`: most of a side.
  Memory(std::size_t options, std::size_t enemies)
      : row_(kFigures * options), aimed_(kAimed), names_(kPart * enemies), rows_(names_.size() * row_) {}

  template <typename Find>
  const Aimed& aimed(std::uint64_t name, const Find& find) {
    Entry& entry = aimed_[spread(name) % kAimed];
    if (entry.name != name) entry = {name, find()};
    return entry.aimed;
  }

  /// The row that `fill(row)` writes. It stays as it is until another of the same enemy is asked for.
  template <typename Fill>
  const double* prospects(std::size_t enemy, std::uint64_t name, const Fill& fill) {
    const std::size_t place = enemy * kPart + spread(name) % kPart;
    double* const row = rows_.data() + place * row_;
    if (names_[place] != name) {
      fill(row);
      names_[place] = name;
    }
    return row;
  }

 private:
  static constexpr std::size_t kAimed = std::size_t{1} << 15, kPart = std::size_t{1} << 13;
  static std::size_t spread(std::uint64_t name) { return static_cast<std::size_t>(name * 0x9e3779b97f4a7c15u >> 40); }
  struct Entry {
    std::uint64_t name = 0;
    Aimed aimed;
  };
  std::size_t row_;
  std::vector<Entry> aimed_;
  std::vector<std::uint64_t> names_;
  std::vector<double> rows_;
};

}  // namespace salvo::battle
