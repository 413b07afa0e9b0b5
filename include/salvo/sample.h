// The sampling engine: plays a plan die by die with reproducible random bits.
#pragma once

#include <cstdint>
#include <functional>

#include "salvo/distribution.h"
#include "salvo/plan.h"
#include "salvo/policy.h"

namespace salvo::sample {

struct Options {
  std::uint64_t trials = 1'000'000;
  double precision =
      0;  ///< > 0: sample until every reported figure's 95 % half-width is at most this; trials is then the most
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores
  /// Called from time to time with trials done and trials planned; returns false to stop early. May be empty.
  std::function<bool(std::uint64_t, std::uint64_t)> progress;
};

/// Plays `options.trials` sequences. The result depends on plan, policy, seed and trials only, not on threads.
Distribution run(const Plan& plan, const Policy& policy, const Options& options);

}  // namespace salvo::sample
