// follow: what a player does in a window, as a policy decides, up to the next dice or cards.
// In: a Policy and a position at a window. Out: calls of `take`, one an option.
#pragma once

#include <vector>

#include "game/play.h"
#include "game/policy.h"

namespace salvo::game {

/// Asks the policy again and again, until dice or damage cards are needed, play goes on at another step, nothing more
/// is wanted, or no option is open. `merge()` drops what nothing can read any more from `position`, before each answer
/// of the policy; `take(option)` plays an option on it. `start`: the resources with which the attack began. `options`
/// is scratch.
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
