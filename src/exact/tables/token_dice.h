// Dice of three faces (success, focus, blank) whose player may reroll once and spend tokens: rolls, and the choice of
// what to reroll. Shared by the dense tables and the attack matrix.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "exact/value.h"

namespace salvo::exact {

using Faces = std::array<double, 3>;  ///< probability of success (or evade), focus, blank

/// An outcome of a roll. Uninitialized, because lists of rolls are filled at once.
struct ThreeFaceRoll {
  int success, focus, blank;
  double probability;
};
using Rolls = boost::container::small_vector<ThreeFaceRoll, 28>;  // up to 6 dice without an allocation
/// Replaces `out` by all outcomes of n dice, ordered by success, then focus.
void list_three_face_rolls(const Faces& face, int n, Rolls& out);
inline Rolls three_face_rolls(const Faces& face, int n) {
  Rolls out;
  list_three_face_rolls(face, n, out);
  return out;
}

/// The index of a roll in three_face_rolls of n dice.
inline int roll_number(int success, int focus, int n) {
  return success * (n + 1) - success * (success - 1) / 2 + focus;  // each success count s has n - s + 1 entries
}

/// Indices of tables by the faces of up to n dice.
struct DiceTable {
  int n = 0;

  std::size_t at(int success, int focus) const { return static_cast<std::size_t>(success * (n + 1) + focus); }
  std::size_t at(int success, int focus, int blank) const {
    return at(success, focus) * static_cast<std::size_t>(n + 1) + static_cast<std::size_t>(blank);
  }
  std::size_t squares() const { return static_cast<std::size_t>((n + 1) * (n + 1)); }
  std::size_t cubes() const { return squares() * static_cast<std::size_t>(n + 1); }
};

/// A value of the objective. Uninitialized by default, so that large tables on the stack cost nothing; Single{} is 0.
struct Single {
  static constexpr bool kTwo = false;
  double v;
  static Single of(const Value& value) { return {value.first}; }
  Value value() const { return {v, 0}; }
  double second() const { return 0; }
  void add(double p, const Single& x) { v += p * x.v; }
  Single plus(const Single& x, double sign) const { return {v + sign * x.v}; }
  Single times(double sign) const { return {sign * v}; }
};

/// A value and the second one that breaks ties (Objective::Kill).
struct Pair {
  static constexpr bool kTwo = true;
  double v, w;
  static Pair of(const Value& value) { return {value.first, value.second}; }
  Value value() const { return {v, w}; }
  double second() const { return w; }
  void add(double p, const Pair& x) {
    v += p * x.v;
    w += p * x.w;
  }
  Pair plus(const Pair& x, double sign) const { return {v + sign * x.v, w + sign * x.w}; }
  Pair times(double sign) const { return {sign * v, sign * w}; }
};

/// Finds the first best of a sequence in one pass. A chain of near ties (a equals b, b equals c, but a does not equal
/// c) makes the result uncertain and needs a second pass.
class Leader {
 public:
  enum class Place { Behind, Level, Ahead };

  explicit Leader(double value) : most_(value), least_(value) {}
  /// Ahead: better than the best so far. Level: equal to it. Behind: worse.
  Place offer(double value) {
    if (!equal(value, most_)) {
      if (value < most_) return Place::Behind;
      *this = Leader(value);
      return Place::Ahead;
    }
    most_ = std::max(most_, value);
    least_ = std::min(least_, value);
    return Place::Level;
  }
  /// Whether the last value that was Ahead, and all that were Level since, equal the best.
  bool certain() const { return most_ == least_ || equal(most_, least_); }

 private:
  double most_, least_;
};

/// The same for pairs.
class PairLeader {
 public:
  PairLeader(const Pair& value, double sign) : sign_(sign), first_(sign * value.v), second_(sign * value.w) {}
  Leader::Place offer(const Pair& value) {
    const Leader::Place place = first_.offer(sign_ * value.v);
    if (place == Leader::Place::Level) return second_.offer(sign_ * value.w);
    if (place == Leader::Place::Ahead) second_ = Leader(sign_ * value.w);
    return place;
  }
  bool certain() const { return first_.certain() && second_.certain(); }

 private:
  double sign_;
  Leader first_, second_;
};

/// first_best for chains of near ties: finds the best value first.
template <typename V, typename ValueAt, typename Allowed>
int first_best_of_chain(int count, double sign, ValueAt value_at, Allowed allowed) {
  double first = -HUGE_VAL, second = -HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    if (allowed(i)) first = std::max(first, sign * value_at(i).v);
  }
  for (int i = 0; V::kTwo && i < count; ++i) {
    const V& value = value_at(i);
    if (allowed(i) && equal(sign * value.v, first)) second = std::max(second, sign * value.second());
  }
  for (int i = 0;; ++i) {
    const V& value = value_at(i);
    if (allowed(i) && equal(sign * value.v, first) && (!V::kTwo || equal(sign * value.second(), second))) return i;
  }
}

/// The first of the values 0 .. count - 1, ordered by preference, that equals the best for a player who maximises
/// `sign` times the value (value.h). Number 0 must be allowed.
template <typename V, typename ValueAt, typename Allowed>
int first_best(int count, double sign, ValueAt value_at, Allowed allowed) {
  if (count == 1) return 0;
  int best = 0;
  if constexpr (V::kTwo) {
    PairLeader leader(value_at(0), sign);
    for (int i = 1; i < count; ++i) {
      if (allowed(i) && leader.offer(value_at(i)) == Leader::Place::Ahead) best = i;
    }
    if (leader.certain()) return best;
  } else {  // only values above the best so far matter, since equal ones come later
    double most = sign * value_at(0).v, taken = most;
    for (int i = 1; i < count; ++i) {
      if (!allowed(i)) continue;
      const double value = sign * value_at(i).v;
      if (value <= most) continue;
      if (!equal(value, most)) {
        best = i;
        taken = value;
      }
      most = value;
    }
    if (taken == most || equal(taken, most)) return best;
  }
  return first_best_of_chain<V>(count, sign, value_at, allowed);
}

/// Sets kept[s][f][b] to the value of rerolling all but these dice, which is the mean of kept over the next die. For
/// all n dice it is changed[s][f].
template <typename V>
void fill_kept(const DiceTable& dice, const Faces& face, const V* changed, V* kept) {
  for (int s = 0; s <= dice.n; ++s) {
    for (int f = 0; f <= dice.n - s; ++f) kept[dice.at(s, f, dice.n - s - f)] = changed[dice.at(s, f)];
  }
  const std::size_t success = dice.at(1, 0, 0), focus = dice.at(0, 1, 0);
  for (int left = dice.n - 1; left >= 0; --left) {
    for (int s = 0; s <= left; ++s) {
      V* here = kept + dice.at(s, 0, left - s);
      for (int f = 0; f <= left - s; ++f, here += focus - 1) {  // one focus result more, one blank less
        V mean{};
        mean.add(face[0], here[success]);
        mean.add(face[1], here[focus]);
        mean.add(face[2], here[1]);
        *here = mean;
      }
    }
  }
}

/// Sets most[s][f][b] to the largest of kept[s][0 .. f][0 .. b].
template <typename V>
void fill_most(const DiceTable& dice, const V* kept, double* most) {
  const std::size_t focus = dice.at(0, 1, 0);
  for (int s = 0; s <= dice.n; ++s) {
    const std::size_t first = dice.at(s, 0, 0);
    for (int f = 0; f <= dice.n - s; ++f) {
      const std::size_t row = first + static_cast<std::size_t>(f) * focus;
      double so_far = -HUGE_VAL;
      for (std::size_t b = 0; b <= static_cast<std::size_t>(dice.n - s - f); ++b) {
        so_far = std::max(so_far, kept[row + b].v);
        most[row + b] = f == 0 ? so_far : std::max(so_far, most[row + b - focus]);
      }
    }
  }
}

/// The forward counterpart of fill_kept: rolls the dice that mass[s][f][b] lacks, one at a time.
inline void roll_missing(const DiceTable& dice, const Faces& face, double* mass) {
  for (int left = 0; left < dice.n; ++left) {
    for (int s = 0; s <= left; ++s) {
      for (int f = 0; f <= left - s; ++f) {
        const int b = left - s - f;
        const double p = mass[dice.at(s, f, b)];
        if (p == 0) continue;
        mass[dice.at(s + 1, f, b)] += p * face[0];
        mass[dice.at(s, f + 1, b)] += p * face[1];
        mass[dice.at(s, f, b + 1)] += p * face[2];
      }
    }
  }
}

/// A choice of what to reroll: all but `focus` and `blank` results, and the successes.
struct Reroll {
  int focus = 0, blank = 0;
  bool taken = false;
};

/// The most preferred reroll for whose value is_found holds: fewest dice first, then most blanks. `kept`: the table
/// for the successes of the roll.
template <typename V, typename IsFound>
Reroll find_reroll(const ThreeFaceRoll& roll, int n, const V* kept, IsFound is_found) {
  for (int dice = 1; dice <= roll.focus + roll.blank; ++dice) {
    int blank = roll.blank - std::min(dice, roll.blank);  // kept
    int focus = roll.focus + roll.blank - dice - blank;
    for (; focus >= 0 && blank <= roll.blank; --focus, ++blank) {
      if (is_found(kept[focus * (n + 1) + blank])) return {focus, blank, true};
    }
  }
  return {};
}

/// The best reroll of a roll for a player who maximises. `stay`, `stay_key`: value and tie key of no reroll. The tie
/// key of a reroll is `lock_key` minus the number of rerolled dice. `kept`, `most`: see fill_kept and fill_most.
template <typename V>
Reroll best_reroll(const DiceTable& table, const ThreeFaceRoll& roll, const V* kept, const double* most, const V& stay,
                   std::uint64_t stay_key, std::uint64_t lock_key) {
  const std::size_t all = table.at(roll.success, roll.focus, roll.blank);
  double first = -HUGE_VAL;  // of all rerolls of at least one die
  if (roll.focus > 0) first = most[all - table.at(0, 1, 0)];
  if (roll.blank > 0) first = std::max(first, most[all - 1]);
  const double best = std::max(first, stay.v);
  if (first != best && !equal(first, best)) return {};
  kept += table.at(roll.success, 0, 0);
  const bool stay_first = equal(stay.v, best);
  double second = stay_first ? stay.second() : -HUGE_VAL;
  if constexpr (V::kTwo) {
    find_reroll(roll, table.n, kept, [&](const V& value) {
      if (equal(value.v, best)) second = std::max(second, value.w);
      return false;
    });
  }
  // A cheap test rejects most rerolls before the exact one.
  const double far = best - 2 * kTie * std::max(1.0, std::abs(best));
  const Reroll out = find_reroll(roll, table.n, kept, [&](const V& value) {
    return value.v >= far && equal(value.v, best) && (!V::kTwo || equal(value.second(), second));
  });
  const bool stays = stay_first && (!V::kTwo || equal(stay.second(), second));
  const int dice = roll.focus + roll.blank - out.focus - out.blank;
  if (stays && (!out.taken || lock_key - static_cast<std::uint64_t>(dice) < stay_key)) return {};
  return out;
}

}  // namespace salvo::exact
