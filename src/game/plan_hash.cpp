#include "base/hash.h"
#include "game/plan.h"

namespace salvo::game {
namespace {

template <typename Numbers>
void add_numbers(base::Hasher& mixer, const Numbers& numbers) {
  for (const int number : numbers) mixer.add(number);
  mixer.add(static_cast<std::uint64_t>(numbers.size()));
}

void add(base::Hasher& mixer, const Expression& expression) {
  for (const ExpressionOp& op : expression) {
    mixer.add(static_cast<std::uint64_t>(op.code) << 32 | static_cast<std::uint32_t>(op.value));
  }
  mixer.add(static_cast<std::uint64_t>(expression.size()));
}

void add(base::Hasher& mixer, const Costs& costs) {
  for (const Cost& cost : costs) {
    mixer.add(cost.resource);
    mixer.add(cost.n);
  }
}

void add(base::Hasher& mixer, const Operation& operation) {
  mixer.add(static_cast<std::uint64_t>(operation.kind) << 8 | static_cast<std::uint64_t>(operation.all) << 7 |
            static_cast<std::uint64_t>(operation.crit) << 6 | static_cast<std::uint64_t>(operation.exact) << 5 |
            operation.victim);
  add_numbers(mixer, operation.from);
  add(mixer, operation.amount);
  for (const int number : {operation.to, operation.n, operation.resource, operation.max}) mixer.add(number);
  mixer.add(static_cast<std::uint64_t>(operation.sets));
}

void add(base::Hasher& mixer, const Effect& effect) {
  add(mixer, effect.when);
  add(mixer, effect.times);
  add(mixer, effect.cost);
  for (const Operation& operation : effect.operations) add(mixer, operation);
  mixer.add(static_cast<std::uint64_t>(effect.sets) << 32 | effect.clears);
  mixer.add(effect.used_bit * 4 + effect.may * 2 + effect.forced);
}

void add(base::Hasher& mixer, const Step& step) {
  mixer.add(static_cast<std::uint64_t>(step.kind));
  add_numbers(mixer, step.effects);
  for (const int number : {step.base, step.min, step.max}) mixer.add(number);
}

void add(base::Hasher& mixer, const AttackPlan& attack) {
  mixer.add(attack.attacker);
  mixer.add(attack.defender);
  add(mixer, attack.cost);
  add(mixer, attack.required);
  add(mixer, attack.prevented);
  add_numbers(mixer, attack.removed_after);
  for (const Effect& effect : attack.effects) add(mixer, effect);
  for (const Step& step : attack.steps) add(mixer, step);
  for (const DealPlan& deal : attack.deals) {
    for (const DrawKind& kind : deal.kinds) mixer.add(kind.cards);
    mixer.add(deal.draws);
    mixer.add(deal.reveal);
    mixer.add(deal.prevent);
    add(mixer, deal.looks);
  }
}

}  // namespace

std::uint64_t hash_of(const Plan& plan) {
  base::Hasher mixer;
  for (const Die* die : {&plan.attack_die, &plan.defense_die}) {
    for (const int sides : die->sides_of_face) mixer.add(sides);
  }
  for (const ShipPlan& ship : plan.ships) {
    mixer.add(static_cast<std::uint64_t>(ship.mine));
    mixer.add(ship.hull);
    mixer.add(ship.shields);
    mixer.add(ship.health);
  }
  for (const Resource& resource : plan.resources) {
    mixer.add(static_cast<std::uint64_t>(resource.kind));
    for (const int number : {resource.ship, resource.token, resource.initial, resource.max}) mixer.add(number);
  }
  for (const std::uint64_t word : plan.start.words) mixer.add(word);
  mixer.add(static_cast<std::uint64_t>(plan.objective) << 16 | static_cast<std::uint64_t>(plan.attacker_policy) << 8 |
            static_cast<std::uint64_t>(plan.defender_policy));
  for (const AttackPlan& attack : plan.attacks) add(mixer, attack);
  for (const std::size_t end : plan.round_ends) mixer.add(static_cast<std::uint64_t>(end));
  return mixer.value();
}

}  // namespace salvo::game
