// Certificate: the value of a solved plan in exact rational arithmetic. In: a Plan and its Solution. Out: a fraction.
#pragma once

#include <cstddef>

#include "exact/exact.h"
#include "salvo/certificate.h"

namespace salvo::exact {

/// In a browser, where every byte is loaded, there are none: the arithmetic of fractions is large, and its page does
/// not ask.
#ifdef __EMSCRIPTEN__
inline constexpr bool kCertifies = false;
#else
inline constexpr bool kCertifies = true;
#endif

inline constexpr std::size_t kMaxCertified = 400'000;

/// Plays the plan once more from its rules, with the decisions of `solution.policy` and rational probabilities and
/// gains, and shares no arithmetic with the solvers. Throws PlanTooLarge beyond `most` positions.
Certificate certify(const game::Plan& plan, const Solution& solution, std::size_t most = kMaxCertified);

}  // namespace salvo::exact
