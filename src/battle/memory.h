// Memory: what the policies measured, of one thread: small tables in which a later entry takes the place of an earlier
// one. In: a name of everything that a measure depends on. Out: the measure. It only saves time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "battle/book.h"

namespace salvo::battle {

/// The best weapon against a target.
struct Aimed {
  double value = 0;
  int weapon = -1;
  const Outcomes* outcomes = nullptr;  ///< null: nothing can be shot
};

/// Rows of figures, each of one enemy. A row lies beside its name, in one cache line where they fit.
class Rows {
 public:
  Rows(std::size_t figures, std::size_t enemies)
      : stride_(std::bit_ceil(figures + 1)), rows_(kPart * enemies * stride_ + kLine / sizeof(double)) {
    const auto past = reinterpret_cast<std::uintptr_t>(rows_.data()) % kLine;
    first_ = past == 0 ? 0 : (kLine - past) / sizeof(double);
  }

  /// The row that `fill(row)` writes. It stays as it is until another of the same enemy is asked for.
  template <typename Fill>
  const double* row(std::size_t enemy, std::uint64_t name, const Fill& fill) {
    double* const place = rows_.data() + place_of(enemy, name);
    std::uint64_t known = 0;
    std::memcpy(&known, place, sizeof known);
    if (known != name) {
      fill(place + 1);
      std::memcpy(place, &name, sizeof name);
    }
    return place + 1;
  }
  static std::size_t spread(std::uint64_t name) { return static_cast<std::size_t>(name * 0x9e3779b97f4a7c15u >> 40); }

 private:
  static constexpr std::size_t kPart = std::size_t{1} << 13, kLine = 64;
  static_assert(sizeof(double) == sizeof(std::uint64_t));
  std::size_t place_of(std::size_t enemy, std::uint64_t name) const {
    return first_ + (enemy * kPart + spread(name) % kPart) * stride_;
  }

  std::size_t stride_, first_ = 0;
  std::vector<double> rows_;  ///< by enemy and place: a name, and its figures
};

class Memory {
 public:
  /// `options`: most of a ship; `enemies`: most of a side.
  Memory(std::size_t options, std::size_t enemies)
      : dealt(kDealt * options, enemies), lost(options, enemies), aimed_(kAimed) {}

  /// What the ship's attack deals after each of its options: without a lock of the option, and with it.
  static constexpr std::size_t kDealt = 2;
  Rows dealt;
  Rows lost;  ///< what the enemy's attack does then

  template <typename Find>
  const Aimed& aimed(std::uint64_t name, const Find& find) {
    Entry& entry = aimed_[Rows::spread(name) % kAimed];
    if (entry.name != name) entry = {name, find()};
    return entry.aimed;
  }

 private:
  static constexpr std::size_t kAimed = std::size_t{1} << 15;
  struct alignas(32) Entry {
    std::uint64_t name = 0;
    Aimed aimed;
  };
  static_assert(sizeof(Entry) == 32);
  std::vector<Entry> aimed_;
};

}  // namespace salvo::battle
