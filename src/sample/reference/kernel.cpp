#include "sample/reference/kernel.h"

#include "sample/reference/reference_player.h"

namespace salvo::sample {

Setup prepare(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed, Generator generator) {
  Setup setup{plan, policy, encode(plan.attack_die), encode(plan.defense_die), {}, seed, generator};
  setup.addresses = assign_addresses(plan, setup.attack_code, setup.defense_code);
  return setup;
}

void play(const Setup& setup, std::uint64_t first, std::uint64_t last, Tally& tally) {
  ReferencePlayer player(setup, tally);
  for (std::uint64_t s = first; s < last; ++s) player.play_trial(s);
}

}  // namespace salvo::sample
