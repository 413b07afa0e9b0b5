#include "game/plan_resources.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"

namespace salvo::game {
namespace {

int bits_for(int max) {
  int bits = 1;
  while ((1 << bits) <= max) ++bits;
  return bits;
}

}  // namespace

bool reads_dice(const Expression& expression) {
  using Code = ExpressionOp::Code;
  return std::any_of(expression.begin(), expression.end(), [](const ExpressionOp& op) {
    return op.code == Code::AttackFace || op.code == Code::DefenseFace || op.code == Code::AttackDice ||
           op.code == Code::DefenseDice;
  });
}

bool reads(const Expression& expression, int resource) {
  return std::any_of(expression.begin(), expression.end(), [&](const ExpressionOp& op) {
    return op.code == ExpressionOp::Code::Resource && op.value == resource;
  });
}

bool reads(const Effect& effect, int resource) {
  return reads(effect.when, resource) || reads(effect.times, resource) ||
         std::any_of(effect.operations.begin(), effect.operations.end(),
                     [&](const Operation& operation) { return reads(operation.amount, resource); });
}

bool attack_reads(const AttackPlan& attack, int resource) {
  return reads(attack.prevented, resource) ||
         std::any_of(attack.effects.begin(), attack.effects.end(),
                     [&](const Effect& effect) { return reads(effect, resource); }) ||
         std::any_of(attack.deals.begin(), attack.deals.end(),
                     [&](const DealPlan& deal) { return reads(deal.hits_are_crits, resource); });
}

bool reads_after_damage(const AttackPlan& attack, const DealPlan& deal, int resource) {
  const auto in = [&](const std::vector<int>& effects) {
    return std::any_of(effects.begin(), effects.end(),
                       [&](int effect) { return reads(base::nth(attack.effects, effect), resource); });
  };
  if (reads(deal.hits_are_crits, resource) || in(deal.after_crit)) return true;
  if (std::any_of(deal.kinds.begin(), deal.kinds.end(), [&](const DrawKind& kind) { return in(kind.effects); }))
    return true;
  const auto damage = std::find_if(attack.steps.begin(), attack.steps.end(),
                                   [](const Step& step) { return step.kind == Step::Kind::Damage; });
  return std::any_of(damage, attack.steps.end(), [&](const Step& step) { return in(step.effects); });
}

void pack_resources(Plan& plan) {
  int word = 0;
  int shift = 0;
  for (Resource& r : plan.resources) {
    if (!r.dynamic) continue;
    const int bits = bits_for(r.max);
    if (shift + bits > 64) {
      ++word;
      shift = 0;
    }
    if (word > 1)
      throw PlanTooLarge(
          fmt::format(
              "{} ships with their tokens, charges, locks and hulls are too many for one scenario; leave out ships "
              "and tokens that do not matter, ask about each target separately with the ships that shoot at it, or "
              "use --objective damage, which does not track hulls",
              plan.ships.size()),
          word, 2);
    r.word = word;
    r.shift = shift;
    r.mask = (std::uint64_t{1} << bits) - 1;
    shift += bits;
    plan.start.set(r, r.initial);
  }
}

}  // namespace salvo::game
