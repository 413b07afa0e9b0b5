// Do two samples come from one distribution, or a sample from a known one? Likelihood ratio (G) tests.
#pragma once

#include <array>
#include <cstdint>
#include <map>

namespace salvo::battle {

using Ends = std::map<std::array<int, 4>, std::uint64_t>;

/// The probability p of a difference so large by chance. Cells that are expected fewer than 10 times are taken
/// together. 0 when something happened that cannot.
double fit_of_sample(const Ends& sample, const std::map<std::array<int, 4>, double>& exact);
/// Two samples.
double fit_of_two(const Ends& one, const Ends& other);

}  // namespace salvo::battle
