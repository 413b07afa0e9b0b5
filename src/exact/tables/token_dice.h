// Dice of three faces (success, focus, blank) whose player may reroll once and spend tokens: rolls, and the choice of
// what to reroll. What dense tables and volleys share.
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

/// Outcomes of n dice of three faces: success (or evade), focus, blank. Unset by default: lists of them are filled at
/// once.
struct ThreeFaceRoll {
  int success, focus, blank;
  double probability;
};
using Rolls = boost::container::small_vector<ThreeFaceRoll, 28>;  // up to 6 dice without an allocation
/// Listed by success, then focus. In place of what `out` holds.
void list_three_face_rolls(const Faces& face, int n, Rolls& out);
inline Rolls three_face_rolls(const Faces& face, int n) {
  Rolls out;
  list_three_face_rolls(face, n, out);
  return out;
}

/// Number of the roll with these faces among three_face_rolls of n dice.
inline int roll_number(int success, int focus, int n) {
  return success * (n + 1) - success * (success - 1) / 2 + focus;  // each success count s has n - s + 1 entries
}

/// Places in tables by the faces of up to n dice.
struct DiceTable {
  int n = 0;

  std::size_t at(int success, int focus) const { return static_cast<std::size_t>(success * (n + 1) + focus); }
  std::size_t at(int success, int focus, int blank) const {
    return at(success, focus) * static_cast<std::size_t>(n + 1) + static_cast<std::size_t>(blank);
  }
  std::size_t squares() const { return static_cast<std::size_t>((n + 1) * (n + 1)); }
  std::size_t cubes() const { return squares() * static_cast<std::size_t>(n + 1); }
};

/// A value of the objective. Left unset by default, so that large tables on the stack cost nothing; Single{} is 0.
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

/// A value and what decides between equal ones (Objective::Kill).
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

/// The best of the numbers seen so far, and whether all that were taken for equal to it are so. What comes in order
/// needs one look each; only a chain of near ties (a equals b, b equals c, but a does not equal c) needs a second one.
class Leader {
 public:
  enum class Place { Behind, Level, Ahead };

  explicit Leader(double value) : most_(value), least_(value) {}
  /// Ahead: better than all before, equal to none of them. Level: equal to the best.
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
  /// True when all that were Level, and the one before them that was Ahead, equal the best.
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

/// first_best, one look after the other: for chains of near ties.
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

/// The first of the values 0 .. count - 1, which are listed by preference, that equals the best of them for a player
/// who maximises `sign` times the value (value.h). Number 0 must be allowed.
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
  } else {  // what is not better than the best so far is not looked at: it comes later
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

/// kept[s][f][b]: value when these dice are kept and all others rerolled; those of all n dice are in `changed`[s][f].
/// The mean over the next die of the values with that die kept.
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

/// most[s][f][b]: the largest of kept[s][0 .. f][0 .. b].
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

/// The same forward: rolls the dice that are missing from mass[s][f][b] one at a time.
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

/// Focus and blank results that are kept; the others are rerolled.
struct Reroll {
  int focus = 0, blank = 0;
  bool taken = false;
};

/// The first reroll of the focus and blank results for which is_found(its value) holds. Fewest dice first: among equal
/// ones the first is preferred. Of as many, most blanks. `kept`: of so many successes.
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

/// What a player who maximises rerolls of a roll with focus or blank results. `stay`: the value of no reroll, with its
/// preference; a reroll has the preference `lock_key` less the dice that are rerolled. Successes are never rerolled.
/// `kept`, `most`: see fill_kept and fill_most.
template <typename V>
Reroll best_reroll(const DiceTable& table, const ThreeFaceRoll& roll, const V* kept, const double* most, const V& stay,
                   std::uint64_t stay_key, std::uint64_t lock_key) {
  const std::size_t all = table.at(roll.success, roll.focus, roll.blank);
  double first = -HUGE_VAL;  // of all rerolls: at least one die is not kept
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
  // Most rerolls are far from the best: these need one look.
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
