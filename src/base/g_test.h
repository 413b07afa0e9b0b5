// The likelihood ratio (G) test: does a sample come from a known distribution?
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace salvo::base {

/// Cells with a lower expectation are pooled, so that G is close enough to chi-squared.
inline constexpr double kSmallestExpected = 10;

struct Cell {
  double expected = 0, counted = 0;
};

struct GTest {
  double g = 0, p = 1;  ///< p: the probability of a G this large by chance
  int df = 0;           ///< 0: there was nothing to test
};

/// The share of a cell in G.
double g_term(double counted, double expected);
/// The test of a sum of terms, chi-squared with `df` degrees of freedom (Sokal and Rohlf, Biometry, ch. 17).
GTest g_test(double g, int df);
GTest g_test(const std::vector<Cell>& cells);

template <typename Key>
using CountMap = std::map<Key, std::uint64_t>;

template <typename Key>
double total(const CountMap<Key>& counts) {
  double out = 0;
  for (const auto& [key, n] : counts) out += static_cast<double>(n);
  return out;
}

/// The p of a sample against a known distribution; 0 when something happened that cannot.
template <typename Key>
double g_test_of_sample(const CountMap<Key>& sample, const std::map<Key, double>& exact) {
  for (const auto& [key, count] : sample) {
    if (!exact.contains(key)) return 0;
  }
  const double n = total(sample);
  std::vector<Cell> cells;
  Cell rare;
  for (const auto& [key, p] : exact) {
    const auto found = sample.find(key);
    const Cell cell{n * p, found == sample.end() ? 0 : static_cast<double>(found->second)};
    if (cell.expected >= kSmallestExpected) {
      cells.push_back(cell);
    } else {
      rare.expected += cell.expected;
      rare.counted += cell.counted;
    }
  }
  if (rare.expected >= 1 || rare.counted > 0) cells.push_back(rare);
  return g_test(cells).p;
}

}  // namespace salvo::base
