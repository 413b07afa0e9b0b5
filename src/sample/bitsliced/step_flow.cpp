#include "sample/bitsliced/step_flow.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace salvo::sample {

void StepFlow::begin_attack() {
  pending_.assign(at_.attack->steps.size(), false);
  loops_.clear();
}

void StepFlow::resume() {
  at_.active = logic_.either(at_.active, std::exchange(pending_[at_.step], false));
  if (std::all_of(pending_.begin(), pending_.end(), [](Bit bit) { return bit.is(false); })) at_.active = true;
}

void StepFlow::jump(Bit condition, int step) {
  Bit& pending = base::nth(pending_, step);
  pending = logic_.either(pending, condition);
  at_.active = logic_.both(at_.active, !condition);
}

void StepFlow::loop_back() {
  for (std::size_t to = 0; to <= at_.step; ++to) {
    if (pending_[to].is(false) || last_jump_to(to) > static_cast<std::ptrdiff_t>(at_.step)) continue;
    // Each loop uses another effect of the window that asked the other player.
    if (++loops_[to] > std::popcount(jumping_effects(to))) {
      pending_[to] = false;
      continue;
    }
    pending_[at_.step + 1] = logic_.either(pending_[at_.step + 1], at_.active);
    at_.active = false;
    at_.step = to - 1;
    return;
  }
}

bool StepFlow::reachable(const Decision& decision) const {
  for (std::size_t to = 0; to <= at_.step; ++to) {
    if (last_jump_to(to) < static_cast<std::ptrdiff_t>(at_.step)) continue;
    const auto loop = loops_.find(to);
    const int loops = loop == loops_.end() ? 0 : loop->second;
    if (std::popcount(decision.position.used & jumping_effects(to)) != loops + (to < at_.step ? 1 : 0)) return false;
  }
  return true;
}

/// The last step with an effect that jumps to `step`, or -1.
std::ptrdiff_t StepFlow::last_jump_to(std::size_t step) const {
  std::ptrdiff_t last = -1;
  for (std::size_t s = step; s < at_.attack->steps.size(); ++s) {
    for (const int e : at_.attack->steps[s].effects) {
      if (base::nth(at_.attack->effects, e).jump == static_cast<int>(step)) last = static_cast<std::ptrdiff_t>(s);
    }
  }
  return last;
}

/// The effects of a step that jump, as bits of Position::used.
std::uint32_t StepFlow::jumping_effects(std::size_t step) const {
  std::uint32_t out = 0;
  for (const int e : at_.attack->steps[step].effects) {
    const game::Effect& effect = base::nth(at_.attack->effects, e);
    if (effect.jump >= 0 && effect.used_bit >= 0) out |= 1u << effect.used_bit;
  }
  return out;
}

}  // namespace salvo::sample
