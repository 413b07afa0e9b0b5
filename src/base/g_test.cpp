#include "base/g_test.h"

#include <algorithm>
#include <cmath>

#include "base/significance.h"

namespace salvo::base {

double g_term(double counted, double expected) { return counted > 0 ? 2 * counted * std::log(counted / expected) : 0; }

GTest g_test(double g, int df) {
  if (df < 1) return {};
  g = std::max(0.0, g);  // rounding may leave -1e-16
  return {g, chi_squared_tail(g, df), df};
}

GTest g_test(const std::vector<Cell>& cells) {
  double g = 0;
  for (const Cell& cell : cells) g += g_term(cell.counted, cell.expected);
  return g_test(g, static_cast<int>(cells.size()) - 1);
}

}  // namespace salvo::base
