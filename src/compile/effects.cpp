// Compiles the effects of the edition and of cards for one attack: where they apply, at what price and under what
// condition.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/index.h"
#include "compile/effects.h"

namespace salvo::compile {
namespace {

load::Window actual_window(const load::EffectSpec& effect, const Owner& owner) {
  if (effect.at != load::Window::OwnMod) return effect.at;
  return owner.attacks ? load::Window::AttackMod : load::Window::DefenseMod;
}

/// Whether the player chooses dice for the operation.
bool has_choice(const game::Operation& operation) {
  return operation.kind == game::Operation::Kind::Reroll || operation.choose ||
         (operation.kind == game::Operation::Kind::Change && !operation.all);
}

/// Removes the shields of a price. They are no damage, but where more follows, players weigh them as if they were.
void pay_shields(AttackDraft& attack, const load::EffectSpec& spec, const std::vector<load::CostSpec>& costs,
                 const Owner& owner, game::Effect& effect) {
  for (const load::CostSpec& cost : costs) {
    if (cost.token != "shield") continue;
    const load::OperationSpec lost{.verb = load::Verb::Lose, .n = cost.n, .token = "shield", .who = cost.who};
    auto paid = compile_operation(attack, spec, lost, PreparedText(), owner);
    if (!paid) {
      effect.when = constant(0);
      return;
    }
    effect.operations.push_back(std::move(*paid));
    effect.operations.back().paid = attack.draft.lifetime == Lifetime::Round;
    const int payer = attack.ship_of(cost.who, owner);
    game::Expression enough = has_shields(attack, payer, cost.n);
    int value = 1;
    if (attack.draft.out.plan.objective == game::Objective::Damage && (!is_constant(enough, value) || value != 0))
      base::add_once(attack.draft.out.labels.notes,
                     fmt::format("{}: shields that it pays are no damage; the objective health counts them",
                                 attack.ship(payer).name));
    effect.when = both(std::move(effect.when), std::move(enough));
  }
}

/// Whether an effect is about a damage card that an ally is dealt.
bool deals_for_ally(const load::EffectSpec& spec) {
  return std::any_of(spec.operations.begin(), spec.operations.end(), [](const load::OperationSpec& operation) {
    return operation.verb == load::Verb::Deal && operation.who == "ally";
  });
}

/// Drops a constant condition. False if it never holds.
bool fold_condition(game::Effect& effect) {
  int value = 0;
  if (!is_constant(effect.when, value)) return true;
  effect.when.clear();
  return value != 0;
}

/// Whether a mandatory effect leaves a choice: of dice, or of the order among the modifications of a step.
bool chooses_how(const game::Effect& effect, load::Window window) {
  const bool modifies = window == load::Window::AttackMod || window == load::Window::DefenseMod;
  return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& o) {
    return o.kind == game::Operation::Kind::Reroll || o.choose || (modifies && has_choice(o));
  });
}

/// Compiles the other player's answers to an effect with offers. The effect itself only sets a bit; its operations
/// follow when the other player declines.
void add_offers(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner, game::Effect& effect,
                int index) {
  const load::EffectSpec& spec = *prepared.spec;
  const int pending = attack.new_bit(spec.place);
  const game::Expression open{{Code::Used, pending}};
  OfferEffects answers;
  for (std::size_t i = 0; i < spec.offers.size(); ++i) {
    const load::OfferSpec& offer = spec.offers[i];
    for (const Owner& by : with_charges_of(attack, offer.cost, offer.operations, owner)) {
      game::Effect taken{.may = true};
      taken.when = both(open, compile_expression(attack, spec, prepared.offers[i].when, by));
      if (!fold_condition(taken) || !compile_costs(attack, offer.cost, by, taken.cost)) continue;
      pay_shields(attack, spec, offer.cost, by, taken);
      compile_operations(attack, spec, offer.operations, prepared.offers[i].amounts, by, taken);
      taken.clears = 1u << pending;
      const bool answering = spec.foe_decides ? owner.attacks : !owner.attacks;
      answers.taken.push_back(store_effect(attack, std::move(taken), {},
                                           {label_id(spec, owner), answer_detail(offer), answering, true, true}));
    }
  }
  game::Effect declined{.when = open, .clears = 1u << pending};
  const auto rest =
      std::stable_partition(effect.operations.begin(), effect.operations.end(), [](const game::Operation& o) {
        return o.kind == game::Operation::Kind::Cancel && o.exact;
      });  // spent dice are a price, paid at once
  declined.operations.assign(std::make_move_iterator(rest), std::make_move_iterator(effect.operations.end()));
  effect.operations.erase(rest, effect.operations.end());
  answers.declined = store_effect(attack, std::move(declined), {}, {.id = label_id(spec, owner), .detail = ""});
  effect.sets |= 1u << pending;
  attack.offers.emplace(index, std::move(answers));
}

/// Damage cards that the attacker loses once it had the chance to make an attack other than a bonus attack.
void lose_after(AttackDraft& attack, const Owner& owner) {
  const game::CardCounts cards = card_counts(attack.draft, owner.ship, owner.deck_card);
  const bool own = owner.attacks && owner.ship == attack.plan.attacker;
  if (cards.kind >= 0 && own && !attack.entry.engagement && !is_bonus_attack(attack.draft, attack.given))
    attack.plan.flipped_after.push_back(cards);
}

/// Whether the effect is a dice modification (000: Dice_Modification).
bool modifies_dice(const load::EffectSpec& spec) {
  return std::any_of(spec.operations.begin(), spec.operations.end(), [](const load::OperationSpec& operation) {
    const load::Verb verb = operation.verb;
    return operation.modifies && (verb == load::Verb::Change || verb == load::Verb::Reroll || verb == load::Verb::Add ||
                                  verb == load::Verb::Spend);
  });
}

/// Compiles one effect, paid by its ship or by a lender.
void add_paid(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner, const Lender* lender, int& bit) {
  const load::EffectSpec& spec = *prepared.spec;
  const bool damage_card = owner.deck_card >= 0;
  if ((resolves_with_damage(spec) || spec.at == load::Window::Opportunity) && !damage_card)
    throw LoadError(fmt::format("{}: this window is for damage cards", spec.place));
  if (spec.at == load::Window::Always || !applies_here(attack, prepared, owner)) return;
  if (spec.at == load::Window::Opportunity) return lose_after(attack, owner);
  if (decides_about_card(spec) && !attack.ship(owner.ship).dealt_cards) return;
  game::Effect effect{.may = spec.may};
  if (!prepared.when.empty()) {
    const game::Expression& when = compile_expression(attack, spec, prepared.when, owner);
    int holds = 1;
    const bool settled = is_constant(when, holds);
    if (settled && holds == 0 && prepared.times.empty()) return;
    if (!settled || owner.card != nullptr || holds == 0) effect.when = when;
  }
  if (owner.card != nullptr) effect.when = both(in_play(attack, owner.ship), effect.when);
  const int suffers = spec.at == load::Window::DamageDue ? attack.ship_of(spec.operations.front().who, owner) : -1;
  if (suffers >= 0) effect.when = both(at_least(damage_due(attack, suffers), 1), effect.when);
  if (damage_card && spec.at != load::Window::Dealt) effect.when = both(has_card(attack, owner), effect.when);
  if (owner.ally >= 0) effect.when = both(in_play(attack, owner.ally), effect.when);
  if (owner.enemy >= 0 && owner.enemy != owner.ally) effect.when = both(in_play(attack, owner.enemy), effect.when);
  if (attack.entry.engagement && spec.once_per_round)
    effect.when = both(not_gone(attack.draft, attack.plan.defender), effect.when);
  if (!prepared.times.empty()) effect.times = compile_expression(attack, spec, prepared.times, owner);
  std::optional<DueTokens> due;
  if (spec.each) {
    due = act_on_each(attack, prepared, owner, effect);
    if (!due) return;
  }
  int times = 0;
  if (!fold_condition(effect) || (is_constant(effect.times, times) && times <= 0)) return;
  if (!compile_costs(attack, spec.cost, owner, effect.cost, lender)) return;
  if (lender != nullptr) effect.when = both(std::move(effect.when), both(in_play(attack, lender->ship), lender->when));
  const Allowed may = allowed(attack, spec, nullptr, owner);
  if (may.never) return;
  effect.when = both(std::move(effect.when), may.when);
  pay_shields(attack, spec, spec.cost, owner, effect);
  compile_operations(attack, spec, spec.operations, prepared.amounts, owner, effect);
  if (lender != nullptr) {
    const PreparedEffect& lends = *lender->effect;
    compile_operations(attack, *lends.spec, lends.spec->operations, lends.amounts, lender->owner, effect);
  }
  if (!fold_condition(effect) || (effect.operations.empty() && spec.offers.empty())) return;
  if (has_verb(spec, load::Verb::Bonus) &&
      std::none_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& o) {
        return o.resource >= 0 && is_permission(base::nth(attack.draft.out.plan.resources, o.resource));
      })) {
    return;  // no such bonus attack in the sequence, so nothing to pay for
  }
  limit_uses(attack, spec, owner, effect, bit);
  limit_reached(attack, prepared, owner, effect);
  effect.forced = spec.must || (decides_about_card(spec) && !spec.may);
  if (!spec.may && chooses_how(effect, actual_window(spec, owner))) {
    effect.forced = true;
    if (effect.used_bit < 0) effect.used_bit = attack.new_bit(spec.place);
  }
  if (resolves_with_damage(spec)) {
    const int index = store_effect(attack, std::move(effect), {}, {.id = label_id(spec, owner), .detail = ""});
    attack.of_damage[{spec.at, owner.ship, owner.deck_card}].push_back(index);
    attack.deck_effects.insert(index);
    return;
  }
  const bool decider = spec.foe_decides ? !owner.attacks : owner.attacks;
  const std::string_view detail =
      lender != nullptr ? std::string_view(attack.ship(lender->ship).name) : label_detail(attack, spec, owner);
  const int index = store_effect(attack, {}, owner.named(spec.id),
                                 {label_id(spec, owner), detail, decider, spec.may || effect.forced});
  if (due) base::add_once(attack.due, *due);
  if (lender != nullptr) attack.lent.emplace(index, lender);
  if (modifies_dice(spec))
    attack.modifiers.emplace_back(index, spec.card_acts ? owner.ship : attack.ship_of("friend", owner));
  if (!spec.offers.empty()) add_offers(attack, prepared, owner, effect, index);
  if (decides_about_card(spec)) {
    attack.of_cards[{spec.at, deals_for_ally(spec) ? owner.ally : owner.ship}].push_back(index);
  } else if (suffers >= 0) {
    attack.of_due[suffers].push_back(index);
  } else {
    attack.in_windows.push_back({actual_window(spec, owner), spec.may || effect.forced, decider, index});
  }
  if (damage_card) attack.deck_effects.insert(index);
  base::nth(attack.plan.effects, index) = std::move(effect);
}

/// Adds an option for each further bonus attack that the effect can grant, with another weapon or on another ship.
void add_other_bonus(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner, int& bit) {
  for (std::size_t effects = 0; effects != attack.plan.effects.size();) {
    effects = attack.plan.effects.size();
    ++attack.skipped_bonus_attacks;
    add_paid(attack, prepared, owner, nullptr, bit);
  }
  attack.skipped_bonus_attacks = 0;
}

}  // namespace

int store_effect(AttackDraft& attack, game::Effect effect, const UsedName& name, const EffectLabel& label) {
  attack.plan.effects.push_back(std::move(effect));
  attack.effect_names.push_back(name);
  attack.labels.push_back(label);
  return static_cast<int>(attack.plan.effects.size()) - 1;
}

void compile_operations(AttackDraft& attack, const load::EffectSpec& spec,
                        const std::vector<load::OperationSpec>& operations, const std::vector<PreparedText>& amounts,
                        const Owner& owner, game::Effect& effect) {
  effect.operations.reserve(effect.operations.size() + operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const load::OperationSpec& operation = operations[i];
    if (operation.verb == load::Verb::Prevent) {
      prevent_damage(attack, operation, attack.ship_of(operation.who, owner),
                     compile_expression(attack, spec, amounts[i], owner), effect);
      continue;
    }
    const Allowed may = allowed(attack, spec, &operation, owner);
    // A result that cannot be spent pays for nothing. Picking up dice and rolling them again is one modification: if
    // adding dice is forbidden, so is the whole effect.
    const bool whole =
        operation.verb == load::Verb::Spend || (operation.verb == load::Verb::Add && has_verb(spec, load::Verb::Roll));
    if (may.never && whole) effect.when = constant(0);
    if (may.never) continue;
    auto compiled = compile_operation(attack, spec, operation, amounts[i], owner);
    if (operation.verb == load::Verb::Expose && operation.amount.empty() &&
        spec.may)  // the price may only be paid if there is a card to expose
      effect.when = both(std::move(effect.when), facedown_cards(attack, attack.ship_of(operation.who, owner)));
    const bool harms =
        operation.verb == load::Verb::Damage || (operation.verb == load::Verb::Lose && operation.token == "shield");
    if (!compiled && harms && spec.may) effect.when = constant(0);  // it may be the price of the rest
    if (!compiled) continue;
    if (operation.verb == load::Verb::Repair)
      effect.when = both(std::move(effect.when), {{Code::Resource, compiled->cards.kind}});
    if (operation.verb == load::Verb::Expose && operation.pick) {
      const int bit = attack.new_bit(spec.place);
      effect.sets |= 1u << bit;
      attack.card_picks.push_back({.ship = attack.ship_of(operation.who, owner),
                                   .attackers = owner.attacks,
                                   .facedown = true,
                                   .when = {{Code::Used, bit}},
                                   .clears = 1u << bit,
                                   .card = owner.card->id});
    }
    if (compiled->shield)
      effect.when =
          both(std::move(effect.when), has_shields(attack, attack.ship_of(operation.who, owner), operation.n));
    if (spec.operations.size() > 1 && operation.token == "lock" && !may.when.empty()) {
      compiled->amount = both(std::move(compiled->amount), may.when);  // the rest of the effect happens
    } else {
      effect.when = both(std::move(effect.when), may.when);
    }
    if (!may.one_of.empty() && !limit_modified(attack, spec, may, owner, *compiled, effect)) effect.when = constant(0);
    if (may.one_die) limit_reroll(attack, spec, may, owner, *compiled, effect);
    effect.operations.push_back(std::move(*compiled));
  }
  if (effect.operations.size() > game::kMaxOperations)
    throw LoadError(fmt::format("{}: more than {} operations in one effect", spec.place, game::kMaxOperations));
  if (std::count_if(effect.operations.begin(), effect.operations.end(), has_choice) > 1)
    throw LoadError(
        fmt::format("{}: dice are chosen twice in one effect; make it two, the second with "
                    "when = \"used.<id of the first>\"",
                    spec.place));
}

void add_effect(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  const load::EffectSpec& spec = *prepared.spec;
  if (deals_for_ally(spec) && !(attack.draft.out.plan.damage_deck && attack.ship(owner.ally).dealt_cards)) return;
  int bit = -1;
  if (prepared.repairs) {
    for (const Owner& by : each_repaired(attack, spec, owner)) add_paid(attack, prepared, by, nullptr, bit);
    return;
  }
  const bool one_of = std::any_of(attack.forbidden.begin(), attack.forbidden.end(),
                                  [](const Forbidden& rule) { return !rule.face.empty(); });
  const auto add = [&](const Owner& by) {
    add_paid(attack, prepared, by, nullptr, bit);
    if (spec.may && has_verb(spec, load::Verb::Bonus)) add_other_bonus(attack, prepared, by, bit);
    for (const auto how : {AttackDraft::Modified::None, AttackDraft::Modified::Any}) {
      if (!one_of || !modifies_dice(spec)) break;
      attack.modified = how;
      add_paid(attack, prepared, by, nullptr, bit);
    }
    attack.modified = AttackDraft::Modified::One;
    for (const Lender& lender : attack.lenders) {
      const bool lends = spec.may && lender.pays.empty() &&
                         std::any_of(spec.cost.begin(), spec.cost.end(),
                                     [&](const load::CostSpec& cost) { return pays(attack, lender, cost, by); });
      if (lends) add_paid(attack, prepared, by, &lender, bit);
    }
  };
  if (!prepared.other_charges) return add(owner);
  for (const Owner& by : with_charges_of(attack, spec.cost, spec.operations, owner)) add(by);
}

namespace {

/// The first of two attacks records that it happened, and whether it hit.
void note_first_of_two(AttackDraft& attack) {
  if (attack.entry.twice != SequenceEntry::Twice::First) return;
  const int flag = attack.draft.find_resource(game::Resource::Kind::FirstOfTwo, attack.plan.attacker,
                                              static_cast<int>(attack.number) + 1);
  const auto note = [&](game::Expression when) {
    game::Effect effect{.when = std::move(when)};
    effect.operations.push_back({.kind = game::Operation::Kind::Gain, .n = 1, .resource = flag});
    const int index = store_effect(attack, std::move(effect), {}, {.id = "second-attack", .detail = ""});
    attack.in_windows.push_back({load::Window::AttackEnd, false, true, index});
  };
  note({});
  note({{Code::Hit, 0}});
}

/// Whether the effect exists if the facts assumed from `first` on have other values.
bool exists_otherwise(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner,
                      std::size_t first) {
  const auto& assumed = attack.draft.assumed;
  const std::size_t facts = assumed.size() - first;
  for (unsigned values = 0; values < 1u << facts; ++values) {
    AttackDraft trial(attack);
    for (std::size_t i = 0; i < facts; ++i)
      trial.tried[std::string(assumed[first + i].second)] = static_cast<int>(values >> i & 1u);
    try {
      add_effect(trial, prepared, owner);
    } catch (const ScenarioError&) {  // it exists, and would be too much
      return true;
    }
    if (trial.plan.effects.size() > attack.plan.effects.size()) return true;
  }
  return false;
}

/// Adds an effect. Facts that were taken at their usual case are listed only if the effect exists in this scenario, or
/// would in another case: a ship may lack the token that it costs.
void add_noted(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner) {
  constexpr std::size_t kMost = 6;  // more facts of one effect are all listed
  Draft& draft = attack.draft;
  const std::size_t stored = attack.plan.effects.size(), assumed = draft.assumed.size();
  const std::size_t listed = draft.out.labels.assumed_facts.size();
  add_effect(attack, prepared, owner);
  const bool stores = attack.plan.effects.size() > stored;
  if (draft.assumed.size() == assumed || stores || draft.assumed.size() > assumed + kMost) return;
  const std::vector<std::string> notes = draft.out.labels.notes, partly = draft.out.labels.partly;
  const bool reading = std::exchange(draft.reading, false);
  const bool exists = exists_otherwise(attack, prepared, owner, assumed);
  draft.reading = reading;
  draft.out.labels.notes = notes;
  draft.out.labels.partly = partly;
  if (exists) return;
  draft.assumed.resize(assumed);
  draft.out.labels.assumed_facts.resize(listed);
}

/// Adds the effects at damage-due, and makes damage wait for them.
void add_due_effects(AttackDraft& attack) {
  const std::size_t effects = attack.plan.effects.size();
  visit_effects(attack, &PreparedEffects::windowed, [&](const PreparedEffect& effect, const Owner& owner) {
    if (effect.spec->at == load::Window::DamageDue && may_suffer(attack, *effect.spec, owner))
      add_noted(attack, effect, owner);
  });
  if (!attack.of_due.empty()) put_damage_aside(attack, effects);
}

}  // namespace

void add_effects(AttackDraft& attack) {
  visit_effects(attack, &PreparedEffects::overrides,
                [&](const PreparedEffect& effect, const Owner& owner) { collect_overrides(attack, effect, owner); });
  visit_effects(attack, &PreparedEffects::passive, [&](const PreparedEffect& effect, const Owner& owner) {
    const bool idle = owner.card == nullptr && effect.reacts && !attack.draft.gains;  // a rule about gained tokens
    if (!idle) collect_passive(attack, effect, owner);
  });
  // Effects after damage come last, when it is known which ships can suffer damage.
  bool follows = false, due = false;
  const auto add = [&](bool last) {
    visit_effects(attack, &PreparedEffects::windowed, [&](const PreparedEffect& effect, const Owner& owner) {
      due = due || effect.spec->at == load::Window::DamageDue;
      if (effect.spec->at == load::Window::DamageDue) return;
      const bool suffered = effect.spec->at == load::Window::Suffered;
      follows = follows || suffered;
      if (last != suffered || (owner.deck_card >= 0 && resolves_with_damage(*effect.spec))) return;
      Draft& draft = attack.draft;
      draft.reading = owner.card != nullptr || !effect.reads_gained_only || may_gain(draft, owner.ship, effect.gained);
      add_noted(attack, effect, owner);
      draft.reading = true;
    });
  };
  add(false);
  if (follows) add(true);
  add_deals(attack);
  if (due && any_operation(attack.plan, deals_cards)) add_due_effects(attack);
  note_first_of_two(attack);
  set_use_bits(attack);
}

}  // namespace salvo::compile
