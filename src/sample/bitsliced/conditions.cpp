#include "sample/bitsliced/conditions.h"

#include <algorithm>

#include "base/index.h"
#include "game/position_parts.h"
#include "sample/kernel.h"

namespace salvo::sample {

using Code = game::ExpressionOp::Code;

Number Conditions::roll_size() const { return minimum(logic_, maximum(logic_, at_.dice, at_.min_dice), at_.max_dice); }

Number Conditions::results_left() const {
  return add(logic_, at_.attack_dice.count(plan_.attack_die.hit), at_.attack_dice.count(plan_.attack_die.crit));
}

Number Conditions::evaluate(const game::Expression& expression, int if_empty) const {
  if (expression.empty()) return if_empty;
  std::vector<Number> stack;
  const auto binary = [&](auto&& f) {
    const Number b = stack.back();
    stack.pop_back();
    stack.back() = f(stack.back(), b);
  };
  const auto truth = [](Bit bit) { return Number::of_bit(bit); };
  for (const game::ExpressionOp& op : expression) {
    switch (op.code) {
      case Code::Constant:
        stack.emplace_back(op.value);
        continue;
      case Code::Resource:
        stack.push_back(at_.resource(op.value));
        continue;
      case Code::AttackFace:
        stack.push_back(at_.attack_dice.count(op.value));
        continue;
      case Code::DefenseFace:
        stack.push_back(at_.defense_dice.count(op.value));
        continue;
      case Code::AttackDice:
        stack.push_back(at_.attack_dice.size());
        continue;
      case Code::DefenseDice:
        stack.push_back(at_.defense_dice.size());
        continue;
      case Code::Remaining:
        stack.push_back(add(logic_, results_left(), add(logic_, at_.hits, at_.crits)));
        continue;
      case Code::Hit:
        stack.push_back(truth(at_.hit));
        continue;
      case Code::Rolling:
        stack.push_back(roll_size());
        continue;
      case Code::Used:
        stack.push_back(truth(at_.used.at(static_cast<std::size_t>(op.value))));
        continue;
      case Code::Suffered: {
        const Number& extra = base::nth(at_.extra, op.value);
        stack.push_back(op.value == game::kDefender ? add(logic_, extra, add(logic_, at_.hits, at_.crits)) : extra);
        continue;
      }
      case Code::Removed: {
        const int ship = at_.attack->victim(static_cast<std::size_t>(op.value));
        const int health = base::nth(plan_.ships, ship).health;
        stack.push_back(health < 0 ? Number(0) : subtract(logic_, base::nth(at_.start, health), at_.resource(health)));
        continue;
      }
      case Code::Trait:
        break;
      case Code::SideFace:
        stack.push_back(base::nth(at_.side_counts, op.value));
        continue;
      case Code::Minimum:
        binary([&](const Number& a, const Number& b) { return minimum(logic_, a, b); });
        continue;
      case Code::Maximum:
        binary([&](const Number& a, const Number& b) { return maximum(logic_, a, b); });
        continue;
      case Code::Add:
        binary([&](const Number& a, const Number& b) { return add(logic_, a, b); });
        continue;
      case Code::Subtract:
        binary([&](const Number& a, const Number& b) { return subtract(logic_, a, b); });
        continue;
      case Code::Less:
        binary([&](const Number& a, const Number& b) { return truth(less(logic_, a, b)); });
        continue;
      case Code::LessEqual:
        binary([&](const Number& a, const Number& b) { return truth(!less(logic_, b, a)); });
        continue;
      case Code::Equal:
        binary([&](const Number& a, const Number& b) { return truth(equal(logic_, a, b)); });
        continue;
      case Code::NotEqual:
        binary([&](const Number& a, const Number& b) { return truth(!equal(logic_, a, b)); });
        continue;
      case Code::And:
        binary([&](const Number& a, const Number& b) {
          return truth(logic_.both(nonzero(logic_, a), nonzero(logic_, b)));
        });
        continue;
      case Code::Or:
        binary([&](const Number& a, const Number& b) {
          return truth(logic_.either(nonzero(logic_, a), nonzero(logic_, b)));
        });
        continue;
      case Code::Not:
        stack.back() = truth(!nonzero(logic_, stack.back()));
        continue;
    }
    throw UnsupportedByKernel("a condition of a kind that the bit-sliced kernels do not know");
  }
  return stack.at(0);
}

Bit Conditions::gone(int ship) const {
  const int health = base::nth(plan_.ships, ship).health;
  return health < 0 ? Bit(false) : equal(logic_, at_.resource(health), game::kGone);
}

Bit Conditions::payable(const game::Costs& costs) const {
  Bit out = true;
  for (const game::Cost& cost : costs) out = logic_.both(out, !less(logic_, at_.resource(cost.resource), cost.n));
  return out;
}

Bit Conditions::requirement_met() const {
  Bit out = at_.attack->required.empty();
  for (const game::Cost& cost : at_.attack->required) out = logic_.either(out, payable({cost}));
  return out;
}

Bit Conditions::attack_happens() const {
  const Bit target = at_.attack->engagement ? Bit(true) : !gone(at_.attack->defender);
  Bit required = requirement_met();
  for (const game::Waiver& waiver : at_.attack->waivers)
    required = logic_.either(required, logic_.both(holds(waiver.when), payable(waiver.price)));
  const Bit prevented = nonzero(logic_, evaluate(at_.attack->prevented, 0));
  const Bit can = logic_.both(payable(at_.attack->cost), required);
  return logic_.both(logic_.both(!gone(at_.attack->attacker), target), logic_.both(can, !prevented));
}

Bit Conditions::has_options(const game::Step& step) const {
  Bit any = false;
  for (const int e : step.effects) {
    const game::Effect& effect = base::nth(at_.attack->effects, e);
    const Bit usable = logic_.both(logic_.both(unused(effect), payable(effect.cost)), holds(effect.when));
    any = logic_.either(any, logic_.both(usable, does_something(effect)));
  }
  return any;
}

Bit Conditions::does_something(const game::Effect& effect) const {
  Bit any = game::only_pays(effect);
  Bit all_there = true;
  for (const game::Operation& operation : effect.operations) {
    const bool rerolls = operation.kind == game::Operation::Kind::Reroll;
    if (operation.aside) continue;
    if (!game::needs_dice(operation) || operation.if_none) {
      any = true;
      continue;
    }
    const SymbolicDice& dice = at_.dice_of(operation.attack_dice);
    Number eligible = 0;
    for (const int face : operation.from) {
      if (face == operation.to) continue;
      any = logic_.either(any, rerolls ? dice.any(face, false) : dice.any(face));
      if (operation.kind == game::Operation::Kind::Cancel && operation.exact)
        eligible = add(logic_, eligible, dice.count(face));
    }
    if (operation.kind == game::Operation::Kind::Cancel && operation.exact)
      all_there = logic_.both(all_there, !less(logic_, eligible, operation.n));
  }
  return logic_.both(any, all_there);
}

Bit Conditions::marks_matter(bool attack_dice) const {
  Bit any = false;
  for (auto s = static_cast<std::size_t>(at_.attack->steps[at_.step].earliest); s < at_.attack->steps.size(); ++s) {
    if (at_.attack->steps[s].kind != game::Step::Kind::Window) continue;
    for (const int e : at_.attack->steps[s].effects) {
      const game::Effect& effect = base::nth(at_.attack->effects, e);
      for (const game::Operation& operation : effect.operations) {
        if (operation.kind != game::Operation::Kind::Reroll || operation.attack_dice != attack_dice) continue;
        any = logic_.either(any, logic_.both(unused(effect), may_be_payable(effect)));
      }
    }
  }
  return any;
}

/// The price can be paid, or an effect of the attack can still gain it.
Bit Conditions::may_be_payable(const game::Effect& effect) const {
  Bit out = true;
  for (const game::Cost& cost : effect.cost) {
    const bool gained =
        std::any_of(at_.attack->effects.begin(), at_.attack->effects.end(), [&](const game::Effect& other) {
          return std::any_of(other.operations.begin(), other.operations.end(), [&](const game::Operation& operation) {
            return operation.kind == game::Operation::Kind::Gain && operation.resource == cost.resource;
          });
        });
    if (!gained) out = logic_.both(out, payable({cost}));
  }
  return out;
}

}  // namespace salvo::sample
