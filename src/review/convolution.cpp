#include "review/convolution.h"

#include <algorithm>
#include <cmath>

namespace salvo::review {

Counts plus(const Counts& a, const std::vector<double>& pmf) {
  Counts out{a.least, std::vector<double>(a.pmf.size() + pmf.size() - 1, 0.0)};
  for (std::size_t i = 0; i < a.pmf.size(); ++i) {
    for (std::size_t j = 0; j < pmf.size(); ++j) out.pmf[i + j] += a.pmf[i] * pmf[j];
  }
  return out;
}

Counts minus(const Counts& a, const std::vector<double>& pmf) {
  Counts out = plus(a, {pmf.rbegin(), pmf.rend()});
  out.least -= static_cast<int>(pmf.size()) - 1;
  return out;
}

Rank rank_in(const Counts& counts, double x) {
  constexpr double kSame = 1e-9;
  Rank out;
  for (std::size_t i = 0; i < counts.pmf.size(); ++i) {
    const double n = counts.least + static_cast<double>(i);
    if (n < x - kSame) out.below += counts.pmf[i];
    if (std::abs(n - x) <= kSame) out.tied += counts.pmf[i];
  }
  out.below = std::min(1.0, out.below);
  return out;
}

}  // namespace salvo::review
