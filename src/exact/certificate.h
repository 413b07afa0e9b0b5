// Certificate: the value of a solved plan in exact rational arithmetic. In: a Plan and its Solution. Out: a fraction.
#pragma once

#include <cstddef>
#include <string>

#include "exact/exact.h"

namespace salvo {

/// The exact value as it is, without rounding (exact::certify).
struct Certificate {
  std::string numerator, denominator;  ///< in lowest terms; the numerator has the sign
  double error = 0;                    ///< the solution's double minus the fraction, rounded once
  std::size_t positions = 0;           ///< visited
  std::string fraction() const { return numerator + "/" + denominator; }
};

namespace exact {

inline constexpr std::size_t kMostCertified = 400'000;

/// Plays the plan once more from its rules, with the decisions of `solution.policy` and rational probabilities and
/// gains, and shares no arithmetic with the solvers. Throws PlanTooLarge beyond `most` positions.
Certificate certify(const Plan& plan, const Solution& solution, std::size_t most = kMostCertified);

}  // namespace exact
}  // namespace salvo
