// Tails and quantiles of the normal and the chi-squared distribution, for tests and confidence intervals. Only its .cpp
// includes Boost.Math, which is slow to compile.
#pragma once

namespace salvo::base {

/// The standard normal quantile of 0.975: the half-width of a 95 % interval in standard errors.
inline constexpr double kTwoSided95 = 1.959963984540054;

/// The probability that a chi-squared variable with `df` > 0 degrees of freedom exceeds `x` >= 0.
double chi_squared_tail(double x, int df);

/// The z for which a standard normal variable satisfies |x| > z with probability `chance`, 0 < chance < 1.
double two_sided_z(double chance);

}  // namespace salvo::base
