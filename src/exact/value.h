// Values of states, and the tie rule that every solver shares.
//
// A player takes the best option by the objective; among options whose value equals the best within kTie, the best by
// expected damage (Objective::Kill only); among options that equal that one, the one that retains most (docs/format.md:
// Ties). Everything is compared with the best, never with the best so far: a chain of near ties cannot lead away from
// it.
#pragma once

#include <algorithm>
#include <cmath>

namespace salvo::exact {

/// Value of a state, mine minus theirs: the objective, and expected damage, which breaks ties of Objective::Kill.
struct Value {
  double first = 0, second = 0;
};

inline constexpr double kTie = 1e-11;  ///< absolute, and relative for values above 1 (docs/format.md: Ties)

/// Equality within kTie.
inline bool equal(double a, double b) {
  const double d = std::abs(a - b);
  return d <= kTie || d <= kTie * std::max(std::abs(a), std::abs(b));
}

/// The option among 0 .. count - 1 that a player takes who maximises sign times the value, by the rule above. Among
/// ties the largest key wins. -1 if none is `allowed`.
template <typename ValueOf, typename TieOf, typename Allowed>
int best_of(int count, double sign, ValueOf value_of, TieOf tie_of, Allowed allowed) {
  double first = -HUGE_VAL, second = -HUGE_VAL;
  for (int e = 0; e < count; ++e) {
    if (allowed(e)) first = std::max(first, sign * value_of(e).first);
  }
  for (int e = 0; e < count; ++e) {
    if (allowed(e) && equal(sign * value_of(e).first, first)) second = std::max(second, sign * value_of(e).second);
  }
  int out = -1;
  for (int e = 0; e < count; ++e) {
    if (!allowed(e) || !equal(sign * value_of(e).first, first) || !equal(sign * value_of(e).second, second)) continue;
    if (out < 0 || tie_of(e) > tie_of(out)) out = e;
  }
  return out;
}

}  // namespace salvo::exact
