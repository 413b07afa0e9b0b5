#include "sample/bitsliced/symbolic_position.h"

namespace salvo::sample {

SymbolicPosition::SymbolicPosition(const game::Plan& plan, Logic& logic) : attack_dice(logic), defense_dice(logic) {
  for (const game::Resource& r : plan.resources) totals.resources.emplace_back(plan.start.get(r));
  for (auto* by_ship : {&totals.hits, &totals.crits, &totals.damage, &totals.gained})
    by_ship->resize(plan.ships.size());
  totals.max_results.resize(plan.ships.size());
}

void SymbolicPosition::begin_attack(const game::Plan& plan, std::size_t k) {
  index = k;
  step = 0;
  attack = &plan.attacks[k];
  start = totals.resources;
  used.assign(kUsedBits, false);
  attack_dice.clear();
  defense_dice.clear();
  dice = min_dice = max_dice = hits = crits = side_rolled = 0;
  side_counts.fill(0);
  extra.fill(0);
  hit = false;
  active = true;
}

}  // namespace salvo::sample
