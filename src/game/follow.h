// Plays a policy's decisions in a window up to the next dice, cards or jump.
#pragma once

#include <vector>

#include "game/play.h"
#include "game/policy.h"

namespace salvo::game {

/// Queries the policy until dice or damage cards are needed, play jumps to another step, it passes, or no option is
/// open. `merge()` canonicalizes `position` before each query; `take(option)` applies an option to it. `start`: the
/// resources at the beginning of the attack. `options` is scratch space.
template <typename Merge, typename Take>
void follow(const Plan& plan, std::size_t attack, const Policy& policy, const Resources& start,
            const Position& position, std::vector<Option>& options, Merge merge, Take take) {
  const std::uint8_t step = position.step;
  for (bool done = false; !done;) {
    merge();
    if (!has_options(plan, plan.attacks[attack], position)) return;
    policy.decide(plan, attack, start, position, options);
    for (const Option& option : options) {
      take(option);
      done = option.effect < 0 || interrupted(position) || position.step != step;
      if (done) break;
    }
  }
}

}  // namespace salvo::game
