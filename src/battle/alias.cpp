#include "battle/alias.h"

#include <algorithm>
#include <numeric>

namespace salvo::battle {

AliasTable::AliasTable(const std::vector<double>& weights) : cells_(weights.size()) {
  constexpr double kScale = 4294967296.0;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto n = static_cast<double>(weights.size());
  std::vector<double> share;
  std::vector<std::size_t> small, large;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    cells_[i].other = static_cast<std::uint32_t>(i);
    share.push_back(weights[i] / sum * n);
    (share[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::size_t low = small.back(), high = large.back();
    small.pop_back();
    cells_[low].threshold = static_cast<std::uint32_t>(std::min(share[low] * kScale, kScale - 1));
    cells_[low].other = static_cast<std::uint32_t>(high);
    share[high] -= 1 - share[low];
    if (share[high] >= 1) continue;
    large.pop_back();
    small.push_back(high);
  }
}

}  // namespace salvo::battle
