// The proof of an exact value: the same value in rational arithmetic.
#pragma once

#include <cstddef>
#include <string>

namespace salvo {

/// The exact value as a fraction, found again in rational arithmetic.
struct Certificate {
  std::string numerator, denominator;  ///< in lowest terms; the numerator has the sign
  double error = 0;                    ///< the value as a double minus the fraction, rounded once
  std::size_t positions = 0;           ///< of the game that were visited
  std::string fraction() const { return numerator + "/" + denominator; }
};

}  // namespace salvo
