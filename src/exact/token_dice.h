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

/// Outcomes of n dice of three faces: success (or evade), focus, blank.
struct ThreeFaceRoll {
  int success = 0, focus = 0, blank = 0;
  double probability = 0;
};
using Rolls = boost::container::small_vector<ThreeFaceRoll, 28>;  // up to 6 dice without an allocation
/// Listed by success, then focus.
Rolls three_face_rolls(const Faces& face, int n);

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

/// A value of the objective.
struct Single {
  static constexpr bool kTwo = false;
  double v = 0;
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
  double v = 0, w = 0;
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

/// The first of the values 0 .. count - 1, which are listed by preference, that equals the best of them for a player
/// who maximises `sign` times the value (value.h). Number 0 must be allowed.
template <typename V, typename ValueAt, typename Allowed>
int first_best(int count, double sign, ValueAt value_at, Allowed allowed) {
  if (count == 1) return 0;
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

/// kept[s][f][b]: value when these dice are kept and all others rerolled; those of all n dice are in `changed`[s][f].
/// The mean over the next die of the values with that die kept.
template <typename V>
void fill_kept(const DiceTable& dice, const Faces& face, const V* changed, V* kept) {
  for (int s = 0; s <= dice.n; ++s) {
    for (int f = 0; f <= dice.n - s; ++f) kept[dice.at(s, f, dice.n - s - f)] = changed[dice.at(s, f)];
  }
  for (int left = dice.n - 1; left >= 0; --left) {
    for (int s = 0; s <= left; ++s) {
      for (int f = 0; f <= left - s; ++f) {
        const int b = left - s - f;
        V mean;
        mean.add(face[0], kept[dice.at(s + 1, f, b)]);
        mean.add(face[1], kept[dice.at(s, f + 1, b)]);
        mean.add(face[2], kept[dice.at(s, f, b + 1)]);
        kept[dice.at(s, f, b)] = mean;
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

/// What a player who maximises rerolls of a roll with focus or blank results. `stay`: the value of no reroll, with its
/// preference; a reroll has the preference `lock_key` less the dice that are rerolled. Successes are never rerolled.
template <typename V>
Reroll best_reroll(const DiceTable& table, const ThreeFaceRoll& roll, const V* kept, const V& stay,
                   std::uint64_t stay_key, std::uint64_t lock_key) {
  // Fewest dice first: among equal ones the first is preferred. Of as many, most blanks.
  const auto find = [&](auto is_found) -> Reroll {
    for (int dice = 1; dice <= roll.focus + roll.blank; ++dice) {
      for (int blanks = std::min(dice, roll.blank); blanks >= 0 && dice - blanks <= roll.focus; --blanks) {
        const Reroll here{roll.focus - (dice - blanks), roll.blank - blanks, true};
        if (is_found(kept[table.at(roll.success, here.focus, here.blank)])) return here;
      }
    }
    return {};
  };
  double first = -HUGE_VAL;
  find([&](const V& value) {
    first = std::max(first, value.v);
    return false;
  });
  const double most = std::max(first, stay.v);
  if (!equal(first, most)) return {};
  double second = stay.second();
  if constexpr (V::kTwo) {
    if (!equal(stay.v, most)) second = -HUGE_VAL;
    find([&](const V& value) {
      if (equal(value.v, most)) second = std::max(second, value.second());
      return false;
    });
  }
  const auto is_best = [&](const V& value) {
    return equal(value.v, most) && (!V::kTwo || equal(value.second(), second));
  };
  const Reroll out = find(is_best);
  const int dice = roll.focus + roll.blank - out.focus - out.blank;
  if (is_best(stay) && (!out.taken || lock_key - static_cast<std::uint64_t>(dice) < stay_key)) return {};
  return out;
}

}  // namespace salvo::exact
