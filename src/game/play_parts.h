// Helpers shared by the files that implement play.h. Private to game/.
#pragma once

#include <algorithm>

#include "base/index.h"
#include "game/damage.h"
#include "game/position_parts.h"

namespace salvo::game {

inline const Effect& effect_of(const AttackPlan& attack, int index) { return base::nth(attack.effects, index); }
inline const Step& step_of(const AttackPlan& attack, const Position& position) { return attack.steps[position.step]; }

inline Pool& pool_of(Position& position, bool attack_dice) {
  return attack_dice ? position.attack_pool : position.defense_pool;
}

inline Pool pool_of(const Position& position, bool attack_dice) {
  return attack_dice ? position.attack_pool : position.defense_pool;
}

inline bool used(const Effect& effect, const Position& position) {
  return effect.used_bit >= 0 && (position.used >> effect.used_bit & 1u) != 0;
}

inline bool payable(const Plan& plan, const Effect& effect, const Position& position) {
  return std::all_of(effect.cost.begin(), effect.cost.end(),
                     [&](const Cost& cost) { return position.resources.get(resource(plan, cost.resource)) >= cost.n; });
}

/// Whether price, condition and limit allow to use the effect now.
inline bool usable(const Plan& plan, const Effect& effect, const Position& position) {
  return !used(effect, position) && payable(plan, effect, position) &&
         (effect.when.empty() || evaluate(plan, effect.when, position) != 0);
}

/// Applies the rest of an effect whose dice have been rolled.
void resume_effect(const Plan& plan, const AttackPlan& attack, Position& position);

/// Applies the mandatory effects of a step in order, up to a roll or a jump.
void apply_mandatory_effects(const Plan& plan, const AttackPlan& attack, Position& position);

}  // namespace salvo::game
