// Numbers for people: no more digits than are certain, percent only here.
// In: figures with standard errors. Out: short text.
#pragma once

#include <cstdint>
#include <string>

#include "salvo/estimates.h"

namespace salvo::report {

/// Number of standard errors of a 95 % half-width.
double normal_quantile_95();

struct Interval {
  double low = 0, high = 1;
};

/// The 95 % Wilson interval of a share p of n trials (Wilson 1927; Brown, Cai, DasGupta 2001, eq. 4).
Interval wilson(double p, std::uint64_t trials);

/// The 95 % half-width of a sampled share; where all trials agreed, whose standard error is 0, half the Wilson
/// interval.
double chance_half_width(const Estimate& probability, std::uint64_t trials);

/// "42.13%". Exact: two decimals, "<0.01%" and ">99.99%" where those would say never or always. Sampled: as many
/// decimals as the Wilson interval is sure of.
std::string percent(const Estimate& probability, std::uint64_t trials);

/// The Wilson interval in percent, rounded outwards: "42.0–42.3".
std::string percent_interval(const Estimate& probability, std::uint64_t trials);

/// "1.237", or "2" for a whole number. `decimals` is for exact figures; a sampled one has those its half-width allows.
std::string mean(const Estimate& figure, int decimals);

/// "±0.002", the 95 % half-width rounded up; empty when exact or when each trial gave the same.
std::string half_width(const Estimate& figure);

/// "1.237 ±0.002" or "1.237".
std::string mean_with_half_width(const Estimate& figure, int decimals);

}  // namespace salvo::report
