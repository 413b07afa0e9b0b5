// Memory: what the policies measured, of one thread: tables in which a later entry takes the place of an earlier one.
// In: a name of everything that a measure depends on. Out: the measure. It only saves time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "battle/attack_tables.h"
#include "battle/huge_pages.h"

namespace salvo::battle {

/// The best weapon against a target, and what its attack does.
struct BestShot {
  double value = -1;  ///< less than that of any shot: one that is expected to do nothing is made, too
  [[no_unique_address]] OutcomeDraw draw;  ///< of nothing where damage cards are drawn with it
  int weapon = -1;                         ///< -1: nothing can be shot
};

/// All names have this bit, so that none is that of an empty place, 0.
inline constexpr int kKeyBit = 47;
/// Where the entry of a name lies in a table; `places` is a power of two.
inline std::size_t place_of(std::uint64_t name, std::size_t places) {
  return static_cast<std::size_t>(name * 0x9e3779b97f4a7c15u >> 40 & (places - 1));
}

/// Rows of figures, one for each option of a ship. A row lies beside its name, in one cache line where they fit.
class ScoreTable {
 public:
  static constexpr std::size_t kUsual = 6;  ///< figures of most ships, or more; a row has so many, or kMaxOptions

  /// `figures`: most of a row.
  explicit ScoreTable(std::size_t estimates)
      : lines_(estimates <= kUsual ? 1 : 2), rows_((kPlaces + 1) * lines_ * kLine), first_(rows_.data()) {
    const auto past = reinterpret_cast<std::uintptr_t>(first_) / sizeof(double) % kLine;
    if (past != 0) first_ += kLine - past;
  }
  ScoreTable(const ScoreTable&) = delete;
  ScoreTable& operator=(const ScoreTable&) = delete;

  /// Where the row of a name lies, which is fetched, so that it is there when it is read.
  double* place(std::uint64_t name) const {
    double* const out = first_ + place_of(name, kPlaces) * lines_ * kLine;
    __builtin_prefetch(out);
    return out;
  }
  /// The row that `fill(row)` writes, until the next one is asked for. `place`: that of the name.
  template <typename Fill>
  const double* row(double* place, std::uint64_t name, const Fill& fill) {
    std::uint64_t known = 0;
    std::memcpy(&known, place, sizeof known);
    if (known != name) {
      fill(place + 1);
      std::memcpy(place, &name, sizeof name);
    }
    return place + 1;
  }

 private:
  static constexpr std::size_t kPlaces = std::size_t{1} << 16, kLine = 8;  // figures of a cache line
  static_assert(sizeof(double) == sizeof(std::uint64_t) && kMaxOptions < 2 * kLine);
  std::size_t lines_;
  std::vector<double, HugePages<double>> rows_;  ///< by place: a name, and its figures
  double* first_;
};

class EvaluationTables {
 public:
  /// `options`: most of a ship.
  explicit EvaluationTables(std::size_t options) : dealt(options), lost(options), best_shots_(kBestShots) {}

  ScoreTable dealt;  ///< what the ship's attack deals after each of its options
  ScoreTable lost;   ///< what the enemy's attack does then

  struct alignas(32) Entry {
    std::uint64_t name = 0;
    BestShot shot;
  };
  static_assert(sizeof(Entry) == 32);
  /// Where what is known of a name lies, which is fetched.
  Entry* best_shot_place(std::uint64_t name) {
    Entry* const out = best_shots_.data() + place_of(name, kBestShots);
    __builtin_prefetch(out);
    return out;
  }

 private:
  static constexpr std::size_t kBestShots = std::size_t{1} << 16;
  std::vector<Entry, HugePages<Entry>> best_shots_;
};

}  // namespace salvo::battle
