// Linear feasibility: a small exact answer to "can these sums be non-negative together?".
// In: rows of whole coefficients. Out: a solution, or nothing.
#pragma once

#include <vector>

namespace salvo::load {

/// Some x >= 0 with sum x[j] over `normalized` = 1 and row * x >= 0 for each row, or empty when there is none. All rows
/// have the same length. Phase 1 of the simplex method with Bland's rule (1977), which cannot cycle; computed in
/// rational numbers, so there is no tolerance.
std::vector<double> nonnegative_solution(const std::vector<std::vector<int>>& rows,
                                         const std::vector<bool>& normalized);

}  // namespace salvo::load
