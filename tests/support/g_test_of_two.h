// The likelihood ratio (G) test of two samples: do they come from one distribution?
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "base/g_test.h"

namespace tests {

/// The p of two samples.
template <typename Key>
double g_test_of_two(const salvo::base::CountMap<Key>& one, const salvo::base::CountMap<Key>& other) {
  const double n = salvo::base::total(one), m = salvo::base::total(other), all = n + m;
  std::map<Key, std::pair<double, double>> cells;
  for (const auto& [key, count] : one) cells[key].first += static_cast<double>(count);
  for (const auto& [key, count] : other) cells[key].second += static_cast<double>(count);
  std::pair<double, double> rare;
  double g = 0;
  int counted = 0;
  const auto add = [&](const std::pair<double, double>& cell) {
    const double both = cell.first + cell.second;
    if (both == 0) return;
    g += salvo::base::g_term(cell.first, both * n / all) + salvo::base::g_term(cell.second, both * m / all);
    ++counted;
  };
  for (const auto& [key, cell] : cells) {
    if ((cell.first + cell.second) * std::min(n, m) / all >= salvo::base::kSmallestExpected) {
      add(cell);
    } else {
      rare.first += cell.first;
      rare.second += cell.second;
    }
  }
  add(rare);
  return salvo::base::g_test(g, counted - 1).p;
}

}  // namespace tests
