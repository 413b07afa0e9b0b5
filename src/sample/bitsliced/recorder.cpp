#include "sample/bitsliced/recorder.h"

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "game/position_parts.h"

namespace salvo::sample {

void check_known(const game::Plan& plan) {
  for (const game::ShipPlan& ship : plan.ships) {
    if (ship.hull_left >= 0) throw UnsupportedByKernel("hull and shields are two numbers");
  }
  for (const game::AttackPlan& attack : plan.attacks) {
    if (!attack.deals.empty() || !attack.merged_after.empty()) throw UnsupportedByKernel("damage cards are dealt");
  }
}

Recorder::Recorder(const Setup& setup, const std::vector<AttackDecisions>& decisions, Logic& logic)
    : setup_(setup),
      plan_(setup.plan),
      logic_(logic),
      at_(plan_, logic),
      conditions_(plan_, logic, at_),
      flow_(logic, at_),
      effects_(setup, logic, at_, conditions_, flow_),
      windows_(setup, decisions, logic, at_, conditions_, flow_, effects_),
      attacks_(plan_.attacks.size()) {}

void Recorder::record() {
  for (std::size_t k = 0; k < plan_.attacks.size(); ++k) record_attack(k);
}

void Recorder::record_attack(std::size_t k) {
  at_.begin_attack(plan_, k);
  flow_.begin_attack();
  const Bit happens = conditions_.attack_happens();
  if (!happens.is(false)) {
    const SymbolicTotals before = at_.totals;
    pay_for_attack();
    play_steps();
    if (!happens.is(true)) restore_where_absent(happens, before);
    RecordedAttack& out = attacks_[k];
    for (Number* number : {&out.attack_dice, &out.defense_dice, &out.hits, &out.crits}) {
      *number = only_if(logic_, happens, *number);
    }
    out.hits_at_all = logic_.both(happens, out.hits_at_all);
    out.happens = happens;
  }
  end_attack();
}

/// Restores the totals before the attack in the trials in which it does not happen.
void Recorder::restore_where_absent(Bit happens, const SymbolicTotals& before) {
  for (auto list : {&SymbolicTotals::resources, &SymbolicTotals::hits, &SymbolicTotals::crits, &SymbolicTotals::damage,
                    &SymbolicTotals::gained}) {
    std::vector<Number>& now = at_.totals.*list;
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = choose(logic_, happens, now[i], (before.*list)[i]);
  }
}

/// Pays the weapon's price and, where its requirement is not met, that of the first affordable waiver.
void Recorder::pay_for_attack() {
  Bit unmet = !conditions_.requirement_met();
  std::vector<std::pair<const game::Costs*, Bit>> waivers;
  for (const game::Waiver& waiver : at_.attack->waivers) {
    const Bit can = logic_.both(conditions_.holds(waiver.when), conditions_.payable(waiver.price));
    waivers.emplace_back(&waiver.price, logic_.both(unmet, can));
    unmet = logic_.both(unmet, !can);
  }
  for (const auto& [price, condition] : waivers) {
    for (const game::Cost& cost : *price) effects_.change_resource(cost.resource, -cost.n, condition);
  }
  for (const game::Cost& cost : at_.attack->cost) effects_.change_resource(cost.resource, -cost.n, true);
}

void Recorder::play_steps() {
  for (at_.step = 0; at_.attack->steps[at_.step].kind != game::Step::Kind::End; ++at_.step) {
    flow_.resume();
    play_step(at_.attack->steps[at_.step]);
    flow_.loop_back();
  }
}

void Recorder::play_step(const game::Step& step) {
  switch (step.kind) {
    case game::Step::Kind::Apply:
      for (const int e : step.effects) effects_.apply_mandatory(base::nth(at_.attack->effects, e));
      return;
    case game::Step::Kind::Window:
      windows_.record(step);
      for (const bool attack_dice : {true, false}) {
        if (!game::reroll_follows(*at_.attack, at_.step + 1, attack_dice)) at_.dice_of(attack_dice).count_up();
      }
      return effects_.apply_deferred();
    case game::Step::Kind::StartAttackDice:
    case game::Step::Kind::StartDefenseDice:
      at_.dice = choose(logic_, at_.active, step.base, at_.dice);
      at_.min_dice = choose(logic_, at_.active, step.min, at_.min_dice);
      at_.max_dice = choose(logic_, at_.active, step.max, at_.max_dice);
      return;
    case game::Step::Kind::Floor:
      at_.dice = choose(logic_, at_.active, maximum(logic_, at_.dice, 0), at_.dice);
      return;
    case game::Step::Kind::RollAttack:
      return roll(true);
    case game::Step::Kind::RollDefense:
      return roll(false);
    case game::Step::Kind::Neutralize:
      return neutralize();
    case game::Step::Kind::Outcome:
      at_.hit = logic_.either(at_.hit, logic_.both(at_.active, nonzero(logic_, conditions_.results_left())));
      return;
    case game::Step::Kind::Damage:
      if (!at_.active.is(true)) throw UnsupportedByKernel("not every trial reaches the damage step");
      return deal_damage();
    case game::Step::Kind::Deal:
      break;
    case game::Step::Kind::End:
      return;
  }
  throw UnsupportedByKernel("a step of a kind that the bit-sliced kernels do not know");
}

void Recorder::roll(bool attack_dice) {
  const Number n = only_if(logic_, at_.active, conditions_.roll_size());
  if (n.min < 0) throw UnsupportedByKernel("a number of dice can be negative");
  RecordedAttack& out = attacks_[at_.index];
  (attack_dice ? out.attack_dice : out.defense_dice) = n;
  const AttackAddress& address = setup_.addresses.attacks[at_.index];
  at_.dice_of(attack_dice)
      .roll(attack_dice ? setup_.attack_code : setup_.defense_code, attack_dice ? address.attack : address.defense,
            (attack_dice ? plan_.attack_die : plan_.defense_die).faces, n,
            game::reroll_follows(*at_.attack, at_.step + 1, attack_dice));
  for (Number* limit : {&at_.dice, &at_.min_dice, &at_.max_dice}) *limit = only_if(logic_, !at_.active, *limit);
}

void Recorder::neutralize() {
  if (at_.active.is(false)) return;
  Number evades = at_.defense_dice.count(plan_.defense_die.evade);
  std::array<Number, base::kMaxFaces> left{};
  for (int turn = 0; turn < 2; ++turn) {  // 000: Attack, Neutralize Results
    const bool crits = (turn == 0) == at_.attack->crits_first;
    const int face = crits ? plan_.attack_die.crit : plan_.attack_die.hit;
    if (face < 0) continue;
    const Number results = at_.attack_dice.count(face);
    if (crits ? at_.attack->uncancellable_crits : at_.attack->uncancellable_hits) {
      base::nth(left, face) = results;
      continue;
    }
    const Number difference = subtract(logic_, results, evades);
    const Bit too_many = difference.min < 0 ? difference.bits.back() : Bit(false);
    const Number rest = only_if(logic_, !too_many, difference);
    const Number unspent = only_if(logic_, too_many, subtract(logic_, evades, results));
    base::nth(left, face) = Number(rest.bits, 0, results.max);
    evades = Number(unspent.bits, 0, evades.max);
  }
  if (at_.active.is(true)) {
    at_.attack_dice.set_counts(left);
    at_.defense_dice.clear();
    return;
  }
  for (int face = 0; face < plan_.attack_die.faces; ++face) {
    const auto f = static_cast<std::size_t>(face);
    left[f] = choose(logic_, at_.active, left[f], at_.attack_dice.count(face));
  }
  std::array<Number, base::kMaxFaces> defense_left{};
  for (int face = 0; face < plan_.defense_die.faces; ++face)
    base::nth(defense_left, face) = only_if(logic_, !at_.active, at_.defense_dice.count(face));
  at_.attack_dice.set_counts(left);
  at_.defense_dice.set_counts(defense_left);
}

void Recorder::deal_damage() {
  const auto defender = static_cast<std::size_t>(at_.attack->defender);
  at_.hits = at_.attack_dice.count(plan_.attack_die.hit);
  at_.crits = at_.attack_dice.count(plan_.attack_die.crit);
  const Number results = at_.attack_dice.size();
  at_.attack_dice.clear();
  at_.totals.hits[defender] = add(logic_, at_.totals.hits[defender], at_.hits);
  at_.totals.crits[defender] = add(logic_, at_.totals.crits[defender], at_.crits);
  at_.totals.max_results[defender] += results.max;
  RecordedAttack& out = attacks_[at_.index];
  const Number damage = add(logic_, at_.hits, at_.crits);
  out.hits_at_all = logic_.either(at_.hit, nonzero(logic_, damage));
  out.hits = at_.hits;
  out.crits = at_.crits;
  effects_.suffer(at_.attack->defender, Number(damage.bits, 0, std::min(damage.max, results.max)), true);
}

void Recorder::end_attack() {
  for (const int ship : at_.attack->removed_after) {
    const int health = base::nth(plan_.ships, ship).health;
    if (health >= 0) effects_.set_resource(health, game::kGone, equal(logic_, at_.resource(health), game::kHealthZero));
  }
  for (const game::CardCounts& lost : at_.attack->flipped_after) effects_.set_resource(lost.kind, 0, true);
}

}  // namespace salvo::sample
