// Cross-check: does the sampled distribution agree with the exact one?
// In: both answers to one plan. Out: a G-test over joint distributions and the largest difference of a mean.
#pragma once

#include <span>

#include "compile/labels.h"
#include "game/distribution.h"
#include "salvo/report.h"

namespace salvo::answers {

/// Below this p the engines disagree: about one false alarm in a million runs.
inline constexpr double kSmallestP = 1e-6;
/// Beyond this many standard errors a mean or probability disagrees (two-sided normal: 3e-12 for each figure compared).
inline constexpr double kLargestDifference = 7;

/// What both engines say of the ships after each round but the last (Plan::round_ends); empty: it is not compared. The
/// sample may have fewer, the first ones, where it was interrupted.
struct RoundsCompared {
  std::span<const game::Distribution> exact = {}, sample = {};
};

/// Tests the joint distribution (hits, crits) of each attacked ship, then compares every other figure.
///
/// Each ship has its own G-test, at the end and after each of `rounds`; ships of one scenario and rounds of one ship
/// depend on each other, so their statistics must not be added. `g` and `df` are those of the test with the smallest p;
/// `p` is that p times the number of tests (Bonferroni), at most 1. Cells with an expected count below 10 are pooled,
/// the smallest together. A sampled outcome whose exact probability is below 1e-15 gives p = 0.
///
/// `largest_difference` is over value, mean damage, destroyed, tokens left and the figures of each attack, and those of
/// the ships after each of `rounds`; infinite where the exact engine says impossible and the sample has it. They agree
/// when p >= kSmallestP and largest_difference <= kLargestDifference. `labels` only names things; without it they are
/// numbered. `sample.trials` must be positive, and both must have the same ships and attacks, and the same rounds where
/// there are any.
CrossCheck cross_check(const game::Distribution& exact, const game::Distribution& sample,
                       const compile::Labels& labels = {}, const RoundsCompared& rounds = {});

}  // namespace salvo::answers
