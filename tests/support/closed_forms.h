// Closed forms to compare the engines with. They share no code with src/.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tests {

/// P(k of n), each with probability p.
inline double binomial(int n, int k, double p) {
  double out = 1;
  for (int i = 0; i < k; ++i) out = out * (n - i) / (i + 1);
  return out * std::pow(p, k) * std::pow(1 - p, n - k);
}

/// P(max(0, hits - evades) = n) for n from 0 to `attack`, when no dice are modified. An attack die hits on 4 of 8
/// sides and a defense die evades on 3 unless stated otherwise.
inline std::vector<double> damage(int attack, int agility, double hit = 0.5, double evade = 0.375) {
  std::vector<double> out(static_cast<std::size_t>(attack) + 1, 0.0);
  for (int h = 0; h <= attack; ++h) {
    for (int e = 0; e <= agility; ++e)
      out[static_cast<std::size_t>(std::max(0, h - e))] += binomial(attack, h, hit) * binomial(agility, e, evade);
  }
  return out;
}

/// Mean of a distribution over 0, 1, 2, ...
inline double mean(const Eigen::ArrayXd& pmf) {
  double out = 0;
  for (Eigen::Index k = 0; k < pmf.size(); ++k) out += static_cast<double>(k) * pmf(k);
  return out;
}

}  // namespace tests
