// G-tests: see fit.h.
#include "battle/fit.h"

#include <algorithm>
#include <cmath>

#include "base/significance.h"

namespace salvo::battle {
namespace {

constexpr double kFew = 10;  // a cell that is expected less often tells nothing alone

double term(double count, double expected) { return count > 0 ? 2 * count * std::log(count / expected) : 0; }

double p_of(double g, int df) {
  if (df < 1) return 1;
  return base::chi_squared_tail(std::max(0.0, g), df);
}

double total(const Ends& ends) {
  double out = 0;
  for (const auto& [end, n] : ends) out += static_cast<double>(n);
  return out;
}

}  // namespace

double fit_of_sample(const Ends& sample, const std::map<std::array<int, 4>, double>& exact) {
  const double n = total(sample);
  double g = 0, rare = 0, rare_expected = 0;
  int cells = 0;
  for (const auto& [end, count] : sample) {
    if (!exact.contains(end)) return 0;
  }
  for (const auto& [end, p] : exact) {
    const auto found = sample.find(end);
    const double count = found == sample.end() ? 0 : static_cast<double>(found->second);
    if (n * p >= kFew) {
      g += term(count, n * p);
      ++cells;
    } else {
      rare += count;
      rare_expected += n * p;
    }
  }
  if (rare_expected >= 1 || rare > 0) {
    g += term(rare, rare_expected);
    ++cells;
  }
  return p_of(g, cells - 1);
}

double fit_of_two(const Ends& one, const Ends& other) {
  const double n = total(one), m = total(other), all = n + m;
  std::map<std::array<int, 4>, std::pair<double, double>> cells;
  for (const auto& [end, count] : one) cells[end].first += static_cast<double>(count);
  for (const auto& [end, count] : other) cells[end].second += static_cast<double>(count);
  std::pair<double, double> rare;
  double g = 0;
  int counted = 0;
  const auto add = [&](const std::pair<double, double>& cell) {
    const double both = cell.first + cell.second;
    if (both == 0) return;
    g += term(cell.first, both * n / all) + term(cell.second, both * m / all);
    ++counted;
  };
  for (const auto& [end, cell] : cells) {
    const double both = cell.first + cell.second;
    if (both * std::min(n, m) / all >= kFew) {
      add(cell);
    } else {
      rare.first += cell.first;
      rare.second += cell.second;
    }
  }
  add(rare);
  return p_of(g, counted - 1);
}

}  // namespace salvo::battle
