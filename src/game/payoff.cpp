// Payoff of an attack under the objective (docs/format.md: Objectives).
#include "base/index.h"
#include "game/position_parts.h"

namespace salvo::game {

Payoff payoff_from_damage(const Plan& plan, const ShipPlan& ship, int damage, int removed, bool destroyed) {
  switch (plan.objective) {
    case Objective::Damage:
      return {static_cast<double>(damage), 0};
    case Objective::Kill:
      return {destroyed ? 1.0 : 0.0, static_cast<double>(damage)};
    case Objective::Health:
      return {static_cast<double>(removed), 0};
    case Objective::Exchange:
      break;
  }
  const double total = ship.mine ? plan.mine_total : plan.theirs_total;
  return {total > 0 ? removed / total : 0.0, 0};
}

Payoff payoff(const Plan& plan, const AttackPlan& attack, const Position& position) {
  const bool side = base::nth(plan.ships, attack.defender).mine;
  Payoff out;
  for (std::size_t v = 0; v < kVictims; ++v) {
    const int damage = position.extra[v] + (v == kDefender ? position.hits + position.crits : 0);
    const int removed = removed_from(position, v);
    if (damage == 0 && removed == 0) continue;
    const ShipPlan& ship = base::nth(plan.ships, attack.victim(v));
    const bool destroyed = removed > 0 && position.resources.get(resource(plan, ship.health)) == kHealthZero;
    const Payoff part = payoff_from_damage(plan, ship, damage, removed, destroyed);
    const double sign = ship.mine == side ? 1.0 : -1.0;
    out.value += sign * part.value;
    out.damage += sign * part.damage;
  }
  return out;
}

}  // namespace salvo::game
