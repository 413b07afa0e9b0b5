// Canonical form of positions: drops reroll marks that no later reroll distinguishes, and bits that nothing reads.
#include <algorithm>

#include "game/play_parts.h"

namespace salvo::game {
namespace {

/// The step of the position; during a decision about a damage card, the step that resumes afterwards.
const Step& resuming_step(const AttackPlan& attack, const Position& position) {
  return attack.steps[position.return_step > 0 ? position.return_step - 1u : position.step];
}

/// The ship can pay for the effect, or an effect of the attack can still gain the price.
bool may_be_payable(const Plan& plan, const AttackPlan& attack, const Effect& effect, const Position& position) {
  return std::all_of(effect.cost.begin(), effect.cost.end(), [&](const Cost& cost) {
    if (position.resources.get(resource(plan, cost.resource)) >= cost.n) return true;
    return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const Effect& other) {
      return std::any_of(other.operations.begin(), other.operations.end(), [&](const Operation& operation) {
        return operation.kind == Operation::Kind::Gain && operation.resource == cost.resource;
      });
    });
  });
}

}  // namespace

bool marks_matter(const Plan& plan, const AttackPlan& attack, const Position& position, bool attack_dice) {
  const Step& step = resuming_step(attack, position);
  for (auto s = static_cast<std::size_t>(step.earliest); s < attack.steps.size(); ++s) {
    if (attack.steps[s].kind != Step::Kind::Window) continue;
    for (const int index : attack.steps[s].effects) {
      const Effect& effect = effect_of(attack, index);
      const bool rerolls =
          std::any_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& operation) {
            return operation.kind == Operation::Kind::Reroll && operation.attack_dice == attack_dice;
          });
      if (rerolls && !used(effect, position) && may_be_payable(plan, attack, effect, position)) return true;
    }
  }
  return false;
}

void canonicalize(const Plan& plan, const AttackPlan& attack, Position& position) {
  constexpr std::uint64_t kMarked = ~((std::uint64_t{1} << kCountBits * base::kMaxFaces) - 1);
  if ((position.attack_pool.bits() & kMarked) != 0 && !marks_matter(plan, attack, position, true)) {
    position.attack_pool = position.attack_pool.unmarked();
  }
  if ((position.defense_pool.bits() & kMarked) != 0 && !marks_matter(plan, attack, position, false)) {
    position.defense_pool = position.defense_pool.unmarked();
  }
  position.used &= resuming_step(attack, position).read_later;
}

}  // namespace salvo::game
