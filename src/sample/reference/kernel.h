// kernel: plays trials of a plan one by one, die by die. Plain and slow: the specification of every faster kernel.
#pragma once

#include <cstdint>

#include "game/policy.h"
#include "sample/address.h"
#include "sample/sample.h"
#include "sample/tally.h"

namespace salvo::sample {

/// What does not change during a run.
struct Setup {
  const game::Plan& plan;
  const game::Policy& policy;
  DieCode attack_code, defense_code;
  Addresses addresses;
  std::uint64_t seed = 0;
  Generator generator = Generator::Philox4x32_10;
};

Setup prepare(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed,
              Generator generator = Generator::Philox4x32_10);

/// Plays the trials first <= s < last and adds them to `tally`.
void play(const Setup& setup, std::uint64_t first, std::uint64_t last, Tally& tally);

}  // namespace salvo::sample
