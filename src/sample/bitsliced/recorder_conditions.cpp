// Recorder: conditions of rules and cards, and what players could do, as logic.
#include <algorithm>

#include "game/position_parts.h"
#include "sample/bitsliced/recorder.h"

namespace salvo::sample {

using Code = game::ExpressionOp::Code;

Number Recorder::evaluate(const game::Expression& expression, int if_empty) {
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
        stack.push_back(value(op.value));
        continue;
      case Code::AttackFace:
        stack.push_back(attack_dice_.count(op.value));
        continue;
      case Code::DefenseFace:
        stack.push_back(defense_dice_.count(op.value));
        continue;
      case Code::AttackDice:
        stack.push_back(attack_dice_.size());
        continue;
      case Code::DefenseDice:
        stack.push_back(defense_dice_.size());
        continue;
      case Code::Remaining:
        stack.push_back(add(logic_, results_left(), add(logic_, hits_, crits_)));
        continue;
      case Code::Hit:
        stack.push_back(truth(hit_));
        continue;
      case Code::Rolling:
        stack.push_back(roll_size());
        continue;
      case Code::Used:
        stack.push_back(truth(used_.at(static_cast<std::size_t>(op.value))));
        continue;
      case Code::Suffered: {
        const Number& extra = extra_[static_cast<std::size_t>(op.value)];
        stack.push_back(op.value == game::kDefender ? add(logic_, extra, add(logic_, hits_, crits_)) : extra);
        continue;
      }
      case Code::Removed: {
        const int ship = attack_->victim(static_cast<std::size_t>(op.value));
        const int health = plan_.ships[static_cast<std::size_t>(ship)].health;
        stack.push_back(health < 0 ? Number(0)
                                   : subtract(logic_, start_[static_cast<std::size_t>(health)], value(health)));
        continue;
      }
      case Code::Trait:
        break;
      case Code::SideFace:
        stack.push_back(side_counts_[static_cast<std::size_t>(op.value)]);
        continue;
      case Code::Minimum:
        binary([&](const Number& a, const Number& b) { return smaller(logic_, a, b); });
        continue;
      case Code::Maximum:
        binary([&](const Number& a, const Number& b) { return larger(logic_, a, b); });
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
    throw NotBitSliced("a condition of a kind that the bit-sliced kernels do not know");
  }
  return stack.at(0);
}

Bit Recorder::gone(int ship) {
  const int health = plan_.ships[static_cast<std::size_t>(ship)].health;
  return health < 0 ? Bit(false) : equal(logic_, value(health), game::kGone);
}

Bit Recorder::payable(const std::vector<game::Cost>& costs) {
  Bit out = true;
  for (const game::Cost& cost : costs) out = logic_.both(out, !less(logic_, value(cost.resource), cost.n));
  return out;
}

Bit Recorder::requirement_met() {
  Bit out = attack_->required.empty();
  for (const game::Cost& cost : attack_->required) out = logic_.either(out, payable({cost}));
  return out;
}

Bit Recorder::happens() {
  const Bit target = attack_->engagement ? Bit(true) : !gone(attack_->defender);
  Bit required = requirement_met();
  for (const game::Waiver& waiver : attack_->waivers)
    required = logic_.either(required, logic_.both(holds(waiver.when), payable(waiver.price)));
  const Bit prevented = nonzero(logic_, evaluate(attack_->prevented, 0));
  const Bit can = logic_.both(payable(attack_->cost), required);
  return logic_.both(logic_.both(!gone(attack_->attacker), target), logic_.both(can, !prevented));
}

Bit Recorder::has_options(const game::Step& step) {
  Bit any = false;
  for (const int e : step.effects) {
    const game::Effect& effect = attack_->effects[static_cast<std::size_t>(e)];
    const Bit usable = logic_.both(logic_.both(unused(effect), payable(effect.cost)), holds(effect.when));
    any = logic_.either(any, logic_.both(usable, does_something(effect)));
  }
  return any;
}

Bit Recorder::does_something(const game::Effect& effect) {
  Bit any = effect.operations.empty();
  Bit all_there = true;
  for (const game::Operation& operation : effect.operations) {
    const bool rerolls = operation.kind == game::Operation::Kind::Reroll;
    if (!game::needs_dice(operation) || operation.if_none) {
      any = true;
      continue;
    }
    const SymbolicDice& dice = dice_of(operation.attack_dice);
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

Bit Recorder::marks_matter(bool attack_dice) {
  Bit any = false;
  for (auto s = static_cast<std::size_t>(attack_->steps[step_].earliest); s < attack_->steps.size(); ++s) {
    if (attack_->steps[s].kind != game::Step::Kind::Window) continue;
    for (const int e : attack_->steps[s].effects) {
      const game::Effect& effect = attack_->effects[static_cast<std::size_t>(e)];
      for (const game::Operation& operation : effect.operations) {
        if (operation.kind != game::Operation::Kind::Reroll || operation.attack_dice != attack_dice) continue;
        any = logic_.either(any, logic_.both(unused(effect), may_be_payable(effect)));
      }
    }
  }
  return any;
}

/// The price is there, or an effect of the attack can still gain it.
Bit Recorder::may_be_payable(const game::Effect& effect) {
  Bit out = true;
  for (const game::Cost& cost : effect.cost) {
    const bool gained = std::any_of(attack_->effects.begin(), attack_->effects.end(), [&](const game::Effect& other) {
      return std::any_of(other.operations.begin(), other.operations.end(), [&](const game::Operation& operation) {
        return operation.kind == game::Operation::Kind::Gain && operation.resource == cost.resource;
      });
    });
    if (!gained) out = logic_.both(out, payable({cost}));
  }
  return out;
}

void Recorder::forget_marks(Bit condition) {
  for (const bool attack_dice : {true, false}) {
    SymbolicDice& dice = dice_of(attack_dice);
    if (dice.one_by_one()) dice.forget_marks(logic_.both(condition, !marks_matter(attack_dice)));
  }
}

}  // namespace salvo::sample
