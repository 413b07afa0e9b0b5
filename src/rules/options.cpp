// The options of the player who decides: which effects may be used, and on which dice.
#include <algorithm>
#include <bit>

#include "rules/play_parts.h"

namespace salvo::rules {

const Operation* choosing(const Effect& effect) {
  for (const Operation& operation : effect.operations) {
    if (chooses_dice(operation)) return &operation;
  }
  return nullptr;
}

namespace {

/// The dice of a pool that an operation may be applied to.
Pool eligible(const Operation& operation, Pool pool) {
  Pool out;
  for (const int face : operation.from) {
    if (face == operation.to) continue;
    out.add(face, false, pool.count(face, false));
    if (operation.kind != Operation::Kind::Reroll) out.add(face, true, pool.count(face, true));
  }
  if (operation.max > 0) {  // of one face no more than so many
    const int face = operation.max - 1;
    const int unmarked = std::min(out.count(face, false), operation.min);
    const int marked = std::min(out.count(face, true), operation.min - unmarked);
    out.add(face, false, unmarked - out.count(face, false));
    out.add(face, true, marked - out.count(face, true));
  }
  return out;
}

/// A cost is only paid for an effect that does something (000: Abilities): a change needs a die it changes. Dice that
/// are spent must all be there.
bool does_something(const Effect& effect, const Position& position) {
  bool out = effect.operations.empty();
  for (const Operation& operation : effect.operations) {
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

/// All sub-multisets of `from` with `least` to `most` dice, field by field from `field` on.
void subsets(Pool from, int field, Pool chosen, int least, int most, std::int16_t effect, std::vector<Option>& out) {
  const std::uint64_t rest = field == 2 * kMaxFaces ? 0 : from.bits() >> kCountBits * field;
  if (rest == 0 || most == 0) {
    if (least <= 0) out.push_back({effect, chosen});
    return;
  }
  field += std::countr_zero(rest) / kCountBits;  // the next one with dice
  const int face = field % kMaxFaces;
  const bool mark = field >= kMaxFaces;
  for (int k = 0; k <= std::min(most, from.count(face, mark)); ++k) {
    Pool with = chosen;
    with.add(face, mark, k);
    subsets(from, field + 1, with, least - k, most - k, effect, out);
  }
}

void add_options(const Plan& plan, const Effect& effect, int index, const Position& position,
                 std::vector<Option>& out) {
  if (!usable(plan, effect, position) || !does_something(effect, position)) return;
  const auto id = static_cast<std::int16_t>(index);
  const Operation* operation = choosing(effect);
  if (operation == nullptr) {
    out.push_back({id, Pool()});
    return;
  }
  const Pool from = eligible(*operation, pool_of(position, operation->attack_dice));
  const int n = operation->amount.empty() ? operation->n : evaluate(plan, operation->amount, position);
  const int most = std::min(dice_in(from), operation->all ? kMaxPool : n);
  if (most <= 0 && !operation->if_none) return;
  const bool whole = operation->exact || operation->kind != Operation::Kind::Reroll;
  subsets(from, 0, Pool(), whole ? most : (operation->if_none ? 0 : 1), most, id, out);
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
    add_options(plan, effect_of(attack, index), index, position, options);
  }
  const auto& effects = step_of(attack, position).effects;
  if (std::none_of(effects.begin(), effects.end(), [&](int index) { return effect_of(attack, index).forced; })) return;
  const auto forced = [&](const Option& option) {
    return option.effect >= 0 && effect_of(attack, option.effect).forced;
  };
  if (std::none_of(options.begin(), options.end(), forced)) return;
  options.erase(options.begin());
  std::stable_partition(options.begin(), options.end(),
                        forced);  // a player who does no more than he must takes the first
}

}  // namespace salvo::rules
