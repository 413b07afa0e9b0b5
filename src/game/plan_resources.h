// The resources of a plan: where its attacks name them, and where a position has them.
#pragma once

#include "game/plan.h"

namespace salvo::game {

/// Calls visit(index) for each place of the expression that names a resource.
template <typename Program, typename Visit>
void each_resource_of(Program& expression, const Visit& visit) {
  for (auto& op : expression) {
    if (op.code == ExpressionOp::Code::Resource) visit(op.value);
  }
}

/// Calls visit(index) for each place of the attack that names a resource which it reads or changes; some are named
/// several times. Limits of policy rules name resources that an effect costs, and are left out; so are the resources of
/// ships, and what happens after the attack.
template <typename Attack, typename Visit>
void each_resource(Attack& attack, const Visit& visit) {
  const auto known = [&](auto& index) {
    if (index >= 0) visit(index);
  };
  const auto all_of = [&](auto& costs) {
    for (auto& cost : costs) visit(cost.resource);
  };
  all_of(attack.cost);
  all_of(attack.required);
  for (auto& waiver : attack.waivers) {
    each_resource_of(waiver.when, visit);
    all_of(waiver.price);
  }
  for (auto& effect : attack.effects) {
    each_resource_of(effect.when, visit);
    each_resource_of(effect.times, visit);
    all_of(effect.cost);
    for (auto& operation : effect.operations) {
      known(operation.resource);
      known(operation.cards.kind);
      known(operation.cards.faceup);
      known(operation.cards.facedown);
      for (auto& lock : operation.displaces) visit(lock);
      each_resource_of(operation.amount, visit);
    }
  }
  each_resource_of(attack.prevented, visit);
  for (auto& deal : attack.deals) {
    each_resource_of(deal.hits_are_crits, visit);
    known(deal.faceup);
    known(deal.facedown);
    known(deal.others);
    for (auto& kind : deal.kinds) {
      known(kind.seen);
      known(kind.faceup);
      known(kind.facedown);
    }
  }
  for (auto* rules : {&attack.attacker_rules, &attack.defender_rules}) {
    for (auto& rule : *rules) each_resource_of(rule.when, visit);
  }
}

/// Gives every dynamic resource its field in a position, and the start what is there. Throws PlanTooLarge.
void pack_resources(Plan& plan);

}  // namespace salvo::game
