// The value of a solved plan in exact rational arithmetic.
#pragma once

#include <cstddef>

#include "exact/exact.h"
#include "salvo/certificate.h"

namespace salvo::exact {

/// WebAssembly builds omit certificates: rational arithmetic is large code, and the page does not use it.
#ifdef __EMSCRIPTEN__
inline constexpr bool kCertifies = false;
#else
inline constexpr bool kCertifies = true;
#endif

inline constexpr std::size_t kMaxCertified = 400'000;  ///< positions

/// Plays the plan again from the rules of game/, with the choices of `solution.policy` and with rational probabilities
/// and payoffs. Shares no arithmetic with the solvers. Throws PlanTooLarge beyond `most` positions.
Certificate certify(const game::Plan& plan, const Solution& solution, std::size_t most = kMaxCertified);

}  // namespace salvo::exact
