// Proof of an exact value in rational arithmetic.
#pragma once

#include <cstddef>
#include <string>

namespace salvo {

/// The exact value as a fraction, recomputed in rational arithmetic.
struct Certificate {
  std::string numerator, denominator;  ///< in lowest terms; the numerator carries the sign
  double error = 0;                    ///< the value as a double minus the fraction, rounded once
  std::size_t positions = 0;           ///< positions of the game that were visited
  std::string fraction() const { return numerator + "/" + denominator; }
};

}  // namespace salvo
