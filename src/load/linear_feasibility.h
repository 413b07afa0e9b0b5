// An exact solver for small systems of linear inequalities.
#pragma once

#include <vector>

namespace salvo::load {

/// Some x >= 0 with row * x >= 0 for each row, whose x[j] over `normalized` add up to 1; empty if there is none. All
/// rows have the same length. Uses phase 1 of the simplex method with Bland's rule (1977), which cannot cycle, in
/// rational arithmetic, so there is no tolerance.
std::vector<double> nonnegative_solution(const std::vector<std::vector<int>>& rows,
                                         const std::vector<bool>& normalized);

}  // namespace salvo::load
