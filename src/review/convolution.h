// The distribution of a sum of independent integers.
#pragma once

#include <vector>

namespace salvo::review {

/// Probabilities of `least`, `least` + 1, ...
struct Counts {
  int least = 0;
  std::vector<double> pmf = {1.0};
};

/// The distribution of the sum, or the difference, of `a` and an independent count with this pmf.
Counts plus(const Counts& a, const std::vector<double>& pmf);
Counts minus(const Counts& a, const std::vector<double>& pmf);

/// Chance of less than x, and of x itself; x may lie between integers.
struct Rank {
  double below = 0, tied = 0;
};
Rank rank_in(const Counts& counts, double x);

}  // namespace salvo::review
