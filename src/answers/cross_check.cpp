// The cross-check of the engines: a G-test per ship and standardised differences of the other figures.
// In: an exact and a sampled Distribution. Out: a CrossCheck.
#include "answers/cross_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "answers/estimates.h"
#include "base/g_test.h"

namespace salvo::answers {
namespace {

using base::Cell;
using base::GTest;
using Eigen::ArrayXXd;
using Eigen::Index;

constexpr double kImpossible = 1e-15;  ///< exact probabilities below this are rounding residue of 0
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ---------------------------------------------------------------- G-test

/// `a` padded with zeros to the given size; an empty array means "no hits, no crits".
ArrayXXd padded(const ArrayXXd& a, Index rows, Index columns) {
  ArrayXXd out = ArrayXXd::Zero(rows, columns);
  if (a.size() == 0) {
    out(0, 0) = 1;
  } else {
    out.topLeftCorner(a.rows(), a.cols()) = a;
  }
  return out;
}

/// The cells in order of expectation, pooled from the smallest on until each expects base::kSmallestExpected.
std::vector<Cell> pooled(std::vector<Cell> cells) {
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.expected < b.expected; });
  std::vector<Cell> out;
  Cell open;
  for (const Cell& cell : cells) {
    open.expected += cell.expected;
    open.counted += cell.counted;
    if (open.expected >= base::kSmallestExpected) {
      out.push_back(open);
      open = {};
    }
  }
  if (out.empty()) return {open};
  out.back().expected += open.expected;
  out.back().counted += open.counted;
  return out;
}

/// The test of one ship's joint distribution; df 0 when there was nothing to test.
GTest test_ship(const game::ShipDistribution& exact, const game::ShipDistribution& sample, double trials) {
  const Index rows = std::max({exact.joint.rows(), sample.joint.rows(), Index{1}});
  const Index columns = std::max({exact.joint.cols(), sample.joint.cols(), Index{1}});
  const ArrayXXd expected = padded(exact.joint, rows, columns);
  const ArrayXXd counted = (padded(sample.joint, rows, columns) * trials).round();
  std::vector<Cell> cells;
  for (Index i = 0; i < expected.size(); ++i) {
    if (expected(i) >= kImpossible) {
      cells.push_back({expected(i) * trials, counted(i)});
    } else if (counted(i) > 0) {
      return {kInfinity, 0, 1};
    }
  }
  return base::g_test(pooled(std::move(cells)));
}

/// The tests of all ships, at the end and after rounds.
class ShipTests {
 public:
  void add(const game::Distribution& exact, const game::Distribution& sample) {
    for (std::size_t s = 0; s < exact.ships.size(); ++s) {
      const GTest test = test_ship(exact.ships[s], sample.ships[s], static_cast<double>(sample.trials));
      if (test.df == 0) continue;
      if (tested_++ == 0 || test.p < worst_.p) worst_ = test;
    }
  }

  void write_to(CrossCheck& check) const {
    check.g = worst_.g;
    check.df = worst_.df;
    check.p = std::min(1.0, worst_.p * std::max(1, tested_));
  }

 private:
  GTest worst_;
  int tested_ = 0;
};

// ---------------------------------------------------------------- standardised differences

/// The difference in standard errors, with the larger of the standard errors of the exact distribution and the sample.
/// That of the sample is 0 if it misses a rare outcome. A difference d of values up to `size` then requires outcomes
/// with a probability of at least d / size, and n trials miss all of them with probability exp(-n d / size), which is
/// as unlikely as a normal deviation of sqrt(2 n d / size).
double standardised(const Estimate& exact, const Estimate& sample, double trials) {
  const double difference = std::abs(exact.value - sample.value);
  const double size = std::max({1.0, std::abs(exact.value), std::abs(sample.value)});
  if (difference <= 1e-12 * size) return 0;
  const double unseen = difference * size / (2 * trials);
  return difference / std::max({exact.se, sample.se, std::sqrt(unseen)});
}

/// Finds the largest difference and its figure.
class Largest {
 public:
  Largest(CrossCheck& check, double trials) : check_(check), trials_(trials) {}

  /// `trials`: the number of trials that the figure is a mean over; fewer than all for a conditional mean.
  void compare(const std::string& name, const Estimate& exact, const Estimate& sample, double trials) {
    note(name, standardised(exact, sample, trials));
  }
  /// A mean that cannot be negative: where it is exactly 0, nothing may occur.
  void compare(const std::string& name, const Estimate& exact, const Estimate& sample) {
    const bool impossible = exact.value < kImpossible && sample.value > 1e-12;
    note(name, impossible ? kInfinity : standardised(exact, sample, trials_));
  }

 private:
  void note(const std::string& name, double difference) {
    if (difference <= check_.largest_difference) return;
    check_.largest_difference = difference;
    check_.largest_name = name;
  }

  CrossCheck& check_;
  double trials_;
};

/// `when`: "" at the end, or " after round 1".
void compare_ship(Largest& largest, const ShipEstimates& exact, const ShipEstimates& sample,
                  const std::string& when = "") {
  const std::string name = exact.name + when;
  largest.compare("mean damage of " + name, exact.mean_damage, sample.mean_damage);
  largest.compare("destroyed of " + name, exact.destroyed, sample.destroyed);
  for (std::size_t t = 0; t < std::min(exact.states.size(), sample.states.size()); ++t) {
    const auto& [state, figure] = exact.states[t];
    largest.compare(fmt::format("{} of {}", state, name), figure, sample.states[t].second);
  }
  for (std::size_t t = 0; t < std::min(exact.tokens_left.size(), sample.tokens_left.size()); ++t) {
    const auto& [kind, figure] = exact.tokens_left[t];
    largest.compare(fmt::format("{} left of {}", kind, name), figure, sample.tokens_left[t].second);
  }
}

/// Dice are means over the trials in which the attack happens; where there was none, there is nothing to compare.
void compare_attack(Largest& largest, const std::string& name, const AttackEstimates& exact,
                    const AttackEstimates& sample, double trials) {
  largest.compare("happens of " + name, exact.happens, sample.happens);
  largest.compare("hit probability of " + name, exact.hit_probability, sample.hit_probability);
  largest.compare("mean hits of " + name, exact.mean_hits, sample.mean_hits);
  largest.compare("mean crits of " + name, exact.mean_crits, sample.mean_crits);
  const double happened = sample.happens.value * trials;
  if (happened < 1 || !(exact.happens.value > 0)) return;
  largest.compare("attack dice of " + name, exact.attack_dice, sample.attack_dice, happened);
  largest.compare("defense dice of " + name, exact.defense_dice, sample.defense_dice, happened);
}

/// The figures to compare: the exact ones with the standard errors of a sample of this size, and the sampled ones.
std::pair<Estimates, Estimates> figures_of(const game::Distribution& exact, const game::Distribution& sample,
                                           const compile::Labels& labels) {
  game::Distribution expected = exact;
  expected.trials = sample.trials;
  return {make_estimates(labels, expected), make_estimates(labels, sample)};
}

void compare_figures(Largest& largest, const game::Distribution& exact, const game::Distribution& sample,
                     const compile::Labels& labels) {
  const auto [ours, theirs] = figures_of(exact, sample, labels);
  const auto trials = static_cast<double>(sample.trials);
  largest.compare("value", ours.value, theirs.value, trials);
  for (std::size_t s = 0; s < ours.ships.size(); ++s) compare_ship(largest, ours.ships[s], theirs.ships[s]);
  for (std::size_t a = 0; a < ours.attacks.size(); ++a) {
    compare_attack(largest, fmt::format("attack {}", a + 1), ours.attacks[a], theirs.attacks[a], trials);
  }
}

/// Compares only the ships after a round; attacks are compared at the end.
void compare_round(Largest& largest, std::size_t round, const game::Distribution& exact,
                   const game::Distribution& sample, const compile::Labels& labels) {
  const auto [ours, theirs] = figures_of(exact, sample, labels);
  const std::string when = fmt::format(" after round {}", round + 1);
  for (std::size_t s = 0; s < ours.ships.size(); ++s) compare_ship(largest, ours.ships[s], theirs.ships[s], when);
}

}  // namespace

CrossCheck cross_check(const game::Distribution& exact, const game::Distribution& sample, const compile::Labels& labels,
                       const RoundsCompared& rounds) {
  assert(sample.trials > 0);
  assert(exact.ships.size() == sample.ships.size() && exact.attacks.size() == sample.attacks.size());
  CrossCheck check;
  ShipTests tests;
  Largest largest(check, static_cast<double>(sample.trials));
  tests.add(exact, sample);
  compare_figures(largest, exact, sample, labels);
  for (std::size_t r = 0; r < std::min(rounds.exact.size(), rounds.sample.size()); ++r) {
    tests.add(rounds.exact[r], rounds.sample[r]);
    compare_round(largest, r, rounds.exact[r], rounds.sample[r], labels);
  }
  check.rounds_left_out = static_cast<int>(rounds.exact.size() - std::min(rounds.exact.size(), rounds.sample.size()));
  tests.write_to(check);
  check.agree = check.p >= kMinP && check.largest_difference <= kMaxDifference;
  return check;
}

}  // namespace salvo::answers
