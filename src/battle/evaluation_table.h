// Tables of what policies computed, one set for each thread. They only save time: a later entry replaces an earlier one
// in the same place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "battle/attack_tables.h"
#include "battle/huge_pages.h"

namespace salvo::battle {

/// Below every score. Scores of the policy `sound` may be negative.
inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();

/// The best weapon against a target and the outcomes of its attack.
struct BestShot {
  /// Below that of any shot: even a shot that is expected to do nothing is made.
  double value = kNoScore;
  [[no_unique_address]] OutcomeDraw draw;  ///< empty where damage cards are drawn with the outcome
  std::int16_t weapon = -1;                ///< -1: no weapon can be used
  bool keeps_lock = false;                 ///< AttackKey::keeps_lock
  double kill = 0;                         ///< chance to destroy the target; 0 where the policy does not ask
};

/// All keys have this bit, so that none equals 0, the key of an empty entry.
inline constexpr int kKeyBit = 47;
/// The place of a key in a table; `places` is a power of two.
inline std::size_t place_of(std::uint64_t name, std::size_t places) {
  return static_cast<std::size_t>(name * 0x9e3779b97f4a7c15u >> 40 & (places - 1));
}

/// Rows of scores, one for each option of a ship. A row lies beside its key, in one cache line where both fit.
class ScoreTable {
 public:
  static constexpr std::size_t kUsual = 6;  ///< enough for most ships; a row has this many scores, or kMaxOptions

  /// `options`: the most of a row.
  explicit ScoreTable(std::size_t options)
      : lines_(options <= kUsual ? 1 : 2), rows_((kPlaces + 1) * lines_ * kLine), first_(rows_.data()) {
    const auto past = reinterpret_cast<std::uintptr_t>(first_) / sizeof(double) % kLine;
    if (past != 0) first_ += kLine - past;
  }
  ScoreTable(const ScoreTable&) = delete;
  ScoreTable& operator=(const ScoreTable&) = delete;

  /// Prefetches and returns the place of a key.
  double* place(std::uint64_t name) const {
    double* const out = first_ + place_of(name, kPlaces) * lines_ * kLine;
    __builtin_prefetch(out);
    return out;
  }
  /// The row of the key at `place(key)`; fill(row) computes it if another key is there, or if `place` is null. Valid
  /// until the next call.
  template <typename Fill>
  const double* row(double* place, std::uint64_t name, const Fill& fill) {
    if (place == nullptr) {
      fill(unnamed_.data());
      return unnamed_.data();
    }
    std::uint64_t known = 0;
    std::memcpy(&known, place, sizeof known);
    if (known != name) {
      fill(place + 1);
      std::memcpy(place, &name, sizeof name);
    }
    return place + 1;
  }

 private:
  static constexpr std::size_t kPlaces = std::size_t{1} << 16, kLine = 8;  // scores of a cache line
  static_assert(sizeof(double) == sizeof(std::uint64_t) && kMaxOptions < 2 * kLine);
  std::size_t lines_;
  std::vector<double, HugePages<double>> rows_;  ///< by place: a key and its scores
  double* first_;
  std::array<double, kMaxOptions> unnamed_{};  ///< a row that is not kept
};

class EvaluationTables {
 public:
  /// `options`: the most of a ship.
  explicit EvaluationTables(std::size_t options) : dealt(options), lost(options), best_shots_(kBestShots) {}

  ScoreTable dealt;  ///< by option of the ship: the score of its attack afterwards
  ScoreTable lost;   ///< by option of the ship: the score of the enemy's attack on it afterwards

  struct alignas(64) Entry {
    std::uint64_t name = 0;
    BestShot shot;
  };
  static_assert(sizeof(Entry) == 64);
  /// Prefetches and returns the place of a key.
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
