// The cross-check of the engines: a G-test over joint distributions, and the largest standardised difference of an
// estimate.
#pragma once

#include <span>

#include "compile/labels.h"
#include "game/distribution.h"
#include "salvo/report.h"

namespace salvo::answers {

/// Below this p the engines disagree: about one false alarm in a million runs.
inline constexpr double kMinP = 1e-6;
/// Beyond this many standard errors an estimate disagrees (two-sided normal: 3e-12 for each estimate compared).
inline constexpr double kMaxDifference = 7;

/// The ships after each round but the last (Plan::round_ends), by engine; empty: not compared. An interrupted sample
/// may have only the first rounds.
struct RoundsCompared {
  std::span<const game::Distribution> exact = {}, sample = {};
};

/// Tests the joint distribution (hits, crits) of each attacked ship, then compares every other estimate.
///
/// Each ship has its own G-test, at the end and after each of `rounds`. Ships of one scenario and rounds of one ship
/// depend on each other, so their statistics must not be added. `g` and `df` are those of the test with the smallest p;
/// `p` is that p times the number of tests (Bonferroni), at most 1. Cells with an expected count below 10 are pooled,
/// the smallest together. A sampled outcome whose exact probability is below 1e-15 gives p = 0.
///
/// `largest_difference` covers value, mean damage, destroyed, tokens left, the estimates of each attack, and the ships
/// after each of `rounds`. It is infinite where the sample contains what the exact engine calls impossible. The engines
/// agree when p >= kMinP and largest_difference <= kMaxDifference. `labels` only supplies names; without
/// labels, things are numbered. `sample.trials` must be positive, and both distributions must have the same ships and
/// attacks, and the same rounds where both have any.
CrossCheck cross_check(const game::Distribution& exact, const game::Distribution& sample,
                       const compile::Labels& labels = {}, const RoundsCompared& rounds = {});

}  // namespace salvo::answers
