// Where attacks refer to resources, and how positions pack them.
#pragma once

#include "game/plan.h"

namespace salvo::game {

/// Calls visit(index) for each reference to a resource in the expression.
template <typename Program, typename Visit>
void each_resource_of(Program& expression, const Visit& visit) {
  for (auto& op : expression) {
    if (op.code == ExpressionOp::Code::Resource) visit(op.value);
  }
}

/// Calls visit(index) for each reference to a resource that the attack reads or changes; a resource may be visited
/// several times. Omitted are the limits of policy rules, which only name prices of effects, the resources of ShipPlan,
/// and what happens after the attack.
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
    each_resource_of(deal.looks, visit);
    known(deal.faceup);
    known(deal.facedown);
    known(deal.others);
    for (auto& kind : deal.kinds) {
      known(kind.seen);
      known(kind.faceup);
      known(kind.facedown);
      known(kind.drawn);
    }
  }
  for (auto* rules : {&attack.attacker_rules, &attack.defender_rules}) {
    for (auto& rule : *rules) each_resource_of(rule.when, visit);
  }
}

/// Calls visit(expression) for the condition and the counts of an effect.
template <typename Visit>
void each_expression(const Effect& effect, const Visit& visit) {
  visit(effect.when);
  visit(effect.times);
  for (const Operation& operation : effect.operations) visit(operation.amount);
}

/// Whether an expression asks for dice that were rolled.
bool reads_dice(const Expression& expression);
/// Whether an expression, or one of the effect's, reads the resource.
bool reads(const Expression& expression, int resource);
bool reads(const Effect& effect, int resource);
/// Whether a condition or count of the attack reads the resource.
bool attack_reads(const AttackPlan& attack, int resource);
/// Whether something reads the resource while the defender suffers the attack's damage, or after that.
bool reads_after_damage(const AttackPlan& attack, const DealPlan& deal, int resource);

/// Assigns every dynamic resource its bit field in a position and fills Plan::start. Throws PlanTooLarge.
void pack_resources(Plan& plan);

}  // namespace salvo::game
