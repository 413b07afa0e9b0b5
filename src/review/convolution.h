// Convolution: the distribution of a sum of independent whole numbers. In: distributions. Out: one.
#pragma once

#include <vector>

namespace salvo::review {

/// Probabilities of `least`, `least` + 1, ...
struct Counts {
  int least = 0;
  std::vector<double> pmf = {1.0};
};

/// The sum of a count and one more, or less it.
Counts plus(const Counts& a, const std::vector<double>& pmf);
Counts minus(const Counts& a, const std::vector<double>& pmf);

/// Chance of less than x, and of x itself, where x may lie between whole numbers.
struct Rank {
  double below = 0, tied = 0;
};
Rank rank_in(const Counts& counts, double x);

}  // namespace salvo::review
