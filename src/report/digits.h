// Numbers for people: only digits that are certain. Percent exists only here.
#pragma once

#include <cstdint>
#include <string>

#include "salvo/estimates.h"

namespace salvo::report {

struct Interval {
  double low = 0, high = 1;
};

/// The 95 % Wilson interval of a share p of n trials (Wilson 1927; Brown, Cai, DasGupta 2001, eq. 4).
Interval wilson(double p, std::uint64_t trials);

/// The 95 % half-width of a sampled share. If all trials agreed, so that the standard error is 0: half the Wilson
/// interval.
double chance_half_width(const Estimate& probability, std::uint64_t trials);

/// "42.13%". Exact: two decimals, and "<0.01%" and ">99.99%" where rounding would claim never or always. Sampled: as
/// many decimals as the Wilson interval supports.
std::string percent(const Estimate& probability, std::uint64_t trials);

/// The Wilson interval in percent, rounded outwards: "42.0–42.3".
std::string percent_interval(const Estimate& probability, std::uint64_t trials);

/// "±0.3%", the 95 % half-width rounded up to the decimals of percent(); empty when exact.
std::string percent_half_width(const Estimate& probability, std::uint64_t trials);

/// "42.13%  (42.0–42.3%)", without the interval when exact.
std::string percent_with_interval(const Estimate& probability, std::uint64_t trials);
/// "1.237", or "2" for a whole number. `decimals` applies to exact figures; the half-width sets those of sampled ones.
std::string mean(const Estimate& figure, int decimals);

/// "±0.002", the 95 % half-width rounded up; empty when exact or when all trials agreed.
std::string half_width(const Estimate& figure);

/// "1.237 ±0.002" or "1.237".
std::string mean_with_half_width(const Estimate& figure, int decimals);

}  // namespace salvo::report
