// The contract of all kernels, and their input.
//
// A kernel plays the trials first <= s < last of a plan under a policy and adds them to a Tally. The reference kernel,
// play(), is the specification: every other kernel reads the random bits that address.h and vector/random_words.h
// define and must count, trial by trial, exactly what the reference kernel counts, on every instruction set. It may
// leave out only what Wanted does not ask for, and it throws UnsupportedByKernel for a plan that it cannot play.
// KernelDispatcher picks the fastest kernel and checks it against the reference kernel before use.
#pragma once

#include <cstdint>
#include <stdexcept>

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

inline Setup prepare(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed,
                     Generator generator = Generator::Philox4x32_10) {
  const DieCode attack = encode(plan.attack_die);
  const DieCode defense = encode(plan.defense_die);
  return {plan, policy, attack, defense, assign_addresses(plan, attack, defense), seed, generator};
}

/// Which tallies to count. Those that are not wanted cost nothing.
struct Wanted {
  bool tokens = true, attacks = true;
};

/// Why a kernel does not play a plan. The dispatcher then tries the next one; the reference kernel never throws it.
struct UnsupportedByKernel : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The reference kernel: plays one trial after the other, die by die.
void play(const Setup& setup, std::uint64_t first, std::uint64_t last, Tally& tally);

}  // namespace salvo::sample
