// Legal options of the deciding player: usable effects and the dice they apply to.
#include <algorithm>
#include <bit>

#include "game/play_parts.h"

namespace salvo::game {

const Operation* choosing(const Effect& effect) {
  for (const Operation& operation : effect.operations) {
    if (chooses_dice(operation)) return &operation;
  }
  return nullptr;
}

namespace {

/// The dice of a pool to which an operation can apply.
Pool eligible(const Operation& operation, Pool pool) {
  Pool out;
  for (const int face : operation.from) {
    if (face == operation.to) continue;
    out.add(face, false, pool.count(face, false));
    if (operation.kind != Operation::Kind::Reroll) out.add(face, true, pool.count(face, true));
  }
  if (operation.max > 0) {  // limits how many dice of one face are eligible
    const int face = operation.max - 1;
    const int unmarked = std::min(out.count(face, false), operation.min);
    const int marked = std::min(out.count(face, true), operation.min - unmarked);
    out.add(face, false, unmarked - out.count(face, false));
    out.add(face, true, marked - out.count(face, true));
  }
  return out;
}

/// A price may only be paid for an effect that does something (000: Abilities): a change needs a die to change. Dice
/// that are spent must all be present.
bool does_something(const Effect& effect, const Position& position) {
  bool out = only_pays(effect);
  for (const Operation& operation : effect.operations) {
    if (operation.aside) continue;
    if (!needs_dice(operation) || operation.if_none) {
      out = true;
      continue;
    }
    const int dice = dice_in(eligible(operation, pool_of(position, operation.attack_dice)));
    if (operation.kind == Operation::Kind::Cancel && operation.exact && dice < operation.n) return false;
    out = out || dice > 0;
  }
  return out;
}

/// Appends all sub-multisets of `from` with `least` to `most` dice, field by field, starting at `field`.
void subsets(Pool from, int field, Pool chosen, int least, int most, std::int16_t effect, std::vector<Option>& out) {
  const std::uint64_t rest = field == 2 * base::kMaxFaces ? 0 : from.bits() >> kCountBits * field;
  if (rest == 0 || most == 0) {
    if (least <= 0) out.push_back({effect, chosen});
    return;
  }
  if (most == 1 && least == 1) {  // a single die: highest field first
    constexpr std::uint64_t kCount = (std::uint64_t{1} << kCountBits) - 1;
    for (int f = (63 - std::countl_zero(from.bits())) / kCountBits; f >= field; --f) {
      if ((from.bits() >> kCountBits * f & kCount) != 0)
        out.push_back({effect, chosen.plus(Pool(std::uint64_t{1} << kCountBits * f))});
    }
    return;
  }
  field += std::countr_zero(rest) / kCountBits;  // next field with dice
  const int face = field % base::kMaxFaces;
  const bool mark = field >= base::kMaxFaces;
  for (int k = 0; k <= std::min(most, from.count(face, mark)); ++k) {
    Pool with = chosen;
    with.add(face, mark, k);
    subsets(from, field + 1, with, least - k, most - k, effect, out);
  }
}

/// Options of an effect whose price, condition and limit already allow it.
void add_options(const Plan& plan, const Effect& effect, int index, const Position& position,
                 std::vector<Option>& out) {
  if (!does_something(effect, position)) return;
  const auto id = static_cast<std::int16_t>(index);
  const Operation* operation = choosing(effect);
  if (operation == nullptr) {
    out.push_back({id, Pool()});
    return;
  }
  const Pool from = eligible(*operation, pool_of(position, operation->attack_dice));
  const int n = operation->amount.empty() ? operation->n : evaluate(plan, operation->amount, position);
  const int most = std::min(dice_in(from), operation->all ? base::kMaxPool : n);
  if (most <= 0 && !operation->if_none) return;
  const bool whole = operation->exact || operation->kind != Operation::Kind::Reroll;
  subsets(from, 0, Pool(), whole ? most : (operation->if_none ? 0 : 1), most, id, out);
}

/// The part of add_options() that does not depend on the dice.
OpenEffect summarize(const Effect& effect) {
  OpenEffect out;
  int on_dice = 0;
  for (const Operation& operation : effect.operations) {
    if (!needs_dice(operation)) continue;
    ++on_dice;
    out.simple = chooses_dice(operation) && !operation.if_none && operation.amount.empty() &&
                 operation.kind != Operation::Kind::Cancel && operation.max == 0;
    out.attack_dice = operation.attack_dice;
    out.up_to = !operation.exact && operation.kind == Operation::Kind::Reroll;
    out.most = operation.all ? base::kMaxPool : operation.n;
    Pool all;
    constexpr int kCount = (1 << kCountBits) - 1;
    for (const int face : operation.from) {
      for (const bool mark : {false, true}) all.add(face, mark, kCount - all.count(face, mark));
    }
    out.eligible = eligible(operation, all).bits();
  }
  out.simple = out.simple && on_dice == 1;
  return out;
}

/// add_options() for a simple effect.
void add_simple_options(const OpenEffect& open, const Position& position, std::vector<Option>& out) {
  const Pool from(pool_of(position, open.attack_dice).bits() & open.eligible);
  const int most = std::min(dice_in(from), open.most);
  if (most <= 0) return;
  subsets(from, 0, Pool(), open.up_to ? 1 : most, most, static_cast<std::int16_t>(open.effect), out);
}

/// If something is mandatory, passing is not an option and the mandatory options come first, so that a player who does
/// the minimum takes the first one.
void put_forced_first(const AttackPlan& attack, const Step& step, std::vector<Option>& options) {
  if (std::none_of(step.effects.begin(), step.effects.end(),
                   [&](int index) { return effect_of(attack, index).forced; })) {
    return;
  }
  const auto forced = [&](const Option& option) {
    return option.effect >= 0 && effect_of(attack, option.effect).forced;
  };
  if (std::none_of(options.begin(), options.end(), forced)) return;
  options.erase(options.begin());
  std::stable_partition(options.begin(), options.end(), forced);
}

bool asks_dice(const Expression& when) {
  using Code = ExpressionOp::Code;
  return std::any_of(when.begin(), when.end(), [](const ExpressionOp& op) {
    return op.code == Code::AttackFace || op.code == Code::DefenseFace || op.code == Code::AttackDice ||
           op.code == Code::DefenseDice || op.code == Code::Remaining;
  });
}

}  // namespace

bool has_options(const Plan& plan, const AttackPlan& attack, const Position& position) {
  for (const int index : step_of(attack, position).effects) {
    const Effect& effect = effect_of(attack, index);
    if (usable(plan, effect, position) && does_something(effect, position)) return true;
  }
  return false;
}

void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<Option>& options) {
  options.assign(1, Option{});
  for (const int index : step_of(attack, position).effects) {
    const Effect& effect = effect_of(attack, index);
    if (usable(plan, effect, position)) add_options(plan, effect, index, position, options);
  }
  put_forced_first(attack, step_of(attack, position), options);
}

void open_effects(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<OpenEffect>& out) {
  for (const int index : step_of(attack, position).effects) {
    const Effect& effect = effect_of(attack, index);
    const bool asks = asks_dice(effect.when);
    if (asks ? !used(effect, position) && payable(plan, effect, position) : usable(plan, effect, position)) {
      out.push_back(summarize(effect));
      out.back().effect = index;
      out.back().asks_dice = asks;
    }
  }
}

void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position,
                   std::span<const OpenEffect> open, std::vector<Option>& options) {
  options.assign(1, Option{});
  for (const OpenEffect& one : open) {
    const Effect& effect = effect_of(attack, one.effect);
    if (one.asks_dice && evaluate(plan, effect.when, position) == 0) continue;
    if (one.simple) {
      add_simple_options(one, position, options);
    } else {
      add_options(plan, effect, one.effect, position, options);
    }
  }
  put_forced_first(attack, step_of(attack, position), options);
}

}  // namespace salvo::game
