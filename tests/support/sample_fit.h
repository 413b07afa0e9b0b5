// Tests whether a sampled distribution fits an exact one by a likelihood ratio (G) test: from counts and probabilities
// by cell to G, its degrees of freedom, and the probability p of so large a G by chance.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/significance.h"

namespace fit {

/// False-alarm rate of one test: a correct engine fails it for one seed in a million.
inline constexpr double kFalseAlarm = 1e-6;

struct Fit {
  double g = 0;
  int df = 0;
  double p = 1;  ///< 0 after an impossible outcome
};

/// Adds the term of one cell: 2 n log(n / expected).
inline void add_cell(Fit& out, double count, double expected) {
  if (count > 0) out.g += 2 * count * std::log(count / expected);
  ++out.df;
}

/// `sampled`: relative frequencies in `trials` trials. Cells with an expected count below 10 are merged.
inline Fit test(const Eigen::ArrayXXd& sampled, const Eigen::ArrayXXd& exact, std::uint64_t trials) {
  const double n = static_cast<double>(trials);
  Fit out;
  out.df = -1;
  double rare_count = 0;
  double rare_expected = 0;
  const Eigen::Index rows = std::max(sampled.rows(), exact.rows());
  const Eigen::Index cols = std::max(sampled.cols(), exact.cols());
  for (Eigen::Index h = 0; h < rows; ++h) {
    for (Eigen::Index c = 0; c < cols; ++c) {
      const double count = h < sampled.rows() && c < sampled.cols() ? std::round(n * sampled(h, c)) : 0.0;
      const double expected = h < exact.rows() && c < exact.cols() ? n * exact(h, c) : 0.0;
      if (expected <= 0 && count > 0) return {HUGE_VAL, 1, 0.0};
      if (expected >= 10) {
        add_cell(out, count, expected);
      } else {
        rare_count += count;
        rare_expected += expected;
      }
    }
  }
  if (rare_expected >= 1 || rare_count > 0) add_cell(out, rare_count, rare_expected);
  if (out.df < 1) return {0, 0, 1};
  out.p = salvo::base::chi_squared_tail(std::max(0.0, out.g), out.df);
  return out;
}

}  // namespace fit
