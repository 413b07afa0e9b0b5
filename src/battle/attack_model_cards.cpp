// The part of AttackModel about damage decks: which cards attacks read, and keys with cards.
#include <algorithm>

#include "answers/answer.h"
#include "base/index.h"
#include "battle/attack_model.h"
#include "game/plan_resources.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

/// Whether a resource counts all faceup or all facedown cards of a ship, for cards that read or expose these.
bool counts_all(game::Resource::Kind kind) {
  return kind == game::Resource::Kind::Faceup || kind == game::Resource::Kind::Facedown;
}

bool has_effect(const load::DamageCardSpec& card, bool (*asked)(load::Window)) {
  const auto& effects = card.card.effects;
  return std::any_of(effects.begin(), effects.end(), [&](const load::EffectSpec& effect) { return asked(effect.at); });
}

/// Whether an effect of the attack turns over cards that the resource counts.
bool flips_cards(const game::AttackPlan& attack, int resource) {
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const game::Effect& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
      return operation.kind == game::Operation::Kind::Flip && operation.cards.kind == resource;
    });
  });
}

/// Whether a step of the attack reads the resource.
bool steps_read(const game::AttackPlan& attack, int resource) {
  const auto by_effect = [&](int e) { return game::reads(base::nth(attack.effects, e), resource); };
  return game::reads(attack.prevented, resource) ||
         std::any_of(attack.steps.begin(), attack.steps.end(), [&](const game::Step& step) {
           return std::any_of(step.effects.begin(), step.effects.end(), by_effect);
         });
}

bool moves_damage(const game::AttackPlan& attack, const game::Step& step) {
  using Kind = game::Operation::Kind;
  return std::any_of(step.effects.begin(), step.effects.end(), [&](int e) {
    const auto& operations = base::nth(attack.effects, e).operations;
    return std::any_of(operations.begin(), operations.end(), [](const game::Operation& one) {
      return one.kind == Kind::Damage || one.kind == Kind::Expose || one.kind == Kind::Flip || one.kind == Kind::Deal;
    });
  });
}

/// Whether the conditions of these effects read no resources but faceup cards, and no operation loses tokens.
bool asks_only_faceup_cards(const game::Plan& plan, const game::AttackPlan& attack, const std::vector<int>& effects) {
  return std::all_of(effects.begin(), effects.end(), [&](int e) {
    const game::Effect& effect = base::nth(attack.effects, e);
    const auto& operations = effect.operations;
    return std::all_of(effect.when.begin(), effect.when.end(),
                       [&](const game::ExpressionOp& op) {
                         return op.code != game::ExpressionOp::Code::Resource ||
                                base::nth(plan.resources, op.value).kind == game::Resource::Kind::Card;
                       }) &&
           std::none_of(operations.begin(), operations.end(),
                        [](const game::Operation& one) { return one.kind == game::Operation::Kind::Lose; });
  });
}

bool reads_damage(const game::Plan& plan, const game::Expression& expression) {
  using Code = game::ExpressionOp::Code;
  return std::any_of(expression.begin(), expression.end(), [&](const game::ExpressionOp& op) {
    if (op.code == Code::Suffered || op.code == Code::Removed || op.code == Code::Trait) return true;
    if (op.code != Code::Resource) return false;
    const game::Resource& read = base::nth(plan.resources, op.value);
    return read.kind == game::Resource::Kind::Health || game::is_health_part(read) ||
           read.kind == game::Resource::Kind::Card || counts_all(read.kind);
  });
}

/// Whether a mandatory effect after the damage changes tokens depending on the dice but not on the damage cards, and
/// only tokens that no card of `deals` changes.
bool depends_on_dice_only(const game::Plan& plan, const game::AttackPlan& attack, const game::Effect& effect) {
  if (effect.may || reads_damage(plan, effect.when) || reads_damage(plan, effect.times)) return false;
  std::vector<int> dealt;
  std::uint32_t noted = 0;  // flags that the deals set, which conditions can read
  for (const game::DealPlan& deal : attack.deals) {
    for (const int e : deal.after_crit) noted |= game::bits_set(base::nth(attack.effects, e));
    for (const game::DrawKind& kind : deal.kinds) {
      noted |= kind.sets;
      for (const int e : kind.effects) {
        noted |= game::bits_set(base::nth(attack.effects, e));
        for (const game::Operation& one : base::nth(attack.effects, e).operations) dealt.push_back(one.resource);
      }
    }
  }
  const auto is_dealt = [&](int r) { return r >= 0 && std::find(dealt.begin(), dealt.end(), r) != dealt.end(); };
  for (const game::Expression* expression : {&effect.when, &effect.times}) {
    for (const game::ExpressionOp& op : *expression) {
      if (op.code == game::ExpressionOp::Code::Resource && is_dealt(op.value)) return false;
      if (op.code == game::ExpressionOp::Code::Used && (noted >> op.value & 1) != 0) return false;
    }
  }
  return std::all_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& one) {
    const bool tokens = one.kind == game::Operation::Kind::Gain || one.kind == game::Operation::Kind::Lose;
    return tokens && one.amount.empty() && !is_dealt(one.resource);
  });
}

/// Whether one attack deals cards only to its defender and only after all its dice, and nothing else happens later.
bool deals_after_dice(const compile::CompiledScenario& asked) {
  bool attacked = false;
  for (const game::AttackPlan& attack : asked.plan.attacks) {
    if (attacked) return false;
    bool over = false;
    for (const game::Step& step : attack.steps) {
      if (moves_damage(attack, step)) return false;
      if (over && std::any_of(step.effects.begin(), step.effects.end(), [&](int e) {
            return !depends_on_dice_only(asked.plan, attack, base::nth(attack.effects, e));
          }))
        return false;
      over = over || step.kind == game::Step::Kind::Damage;
    }
    for (std::size_t v = 0; v < attack.deals.size(); ++v) {
      const game::DealPlan& deal = attack.deals[v];
      if (deal.kinds.empty()) continue;
      if (v != game::kDefender || deal.before >= 0 || deal.seen >= 0 || deal.pick >= 0 || deal.reveal >= 0 ||
          deal.prevent >= 0 || !asks_only_faceup_cards(asked.plan, attack, deal.after_crit))
        return false;
      for (const game::DrawKind& kind : deal.kinds) {
        if (!asks_only_faceup_cards(asked.plan, attack, kind.effects)) return false;
      }
    }
    attacked = !attack.engagement;
  }
  return attacked;
}

}  // namespace

/// Compiles all pairs to find the damage cards that matter, and those that attacks read.
void AttackModel::inspect_pairs_with_cards() {
  deck_ = std::make_unique<DeckModel>();
  deck_->deck = catalogue_.deck(options_.damage_deck, options_.rules);
  lifetime_ = compile::Lifetime::Battle;
  inspect_pairs();
  const auto& cards = deck_->deck->cards;
  for (const CardFields::Field& field : deck_->hand.fields()) {
    const load::DamageCardSpec& card = base::nth(cards, field.token);
    if (has_effect(card, [](load::Window at) { return at == load::Window::Engage; }))
      deck_->acts |= CardFields::all_of(field);
    if (has_effect(card, [](load::Window at) { return at == load::Window::Opportunity; }))
      deck_->until_opportunity.push_back(&field);
  }
  for (int a = 0; a < types(); ++a) {
    for (int d = 0; d < types(); ++d) note_pair(a, d);
    if (deck_->acts != 0)
      note_reads(compile_engagement({.attacker = a, .defender = a, .weapon = AttackKey::kEngages},
                                    Counts(type(a).slots.size(), 0)),
                 {.all_attacks = &deck_->engages, .all_defends = nullptr});
  }
  settle_masks();
}

/// Records which cards of hands the dice of attacks read, and which ones whole attacks read.
void AttackModel::note_pair(int attacker, int defender) {
  const std::vector<compile::CompiledScenario> questions = inspect_pair(attacker, defender).questions;
  const bool separate = std::all_of(questions.begin(), questions.end(), [](const compile::CompiledScenario& question) {
    return deals_after_dice(question);
  });
  deals_separately_[pair_of(attacker, defender)] = separate;
  for (const compile::CompiledScenario& question : questions) {
    note_reads(question, {.all_attacks = &deck_->all_attacks, .all_defends = &deck_->all_defends});
    note_reads(question, {.all_attacks = separate ? &deck_->dice_of_attacks : nullptr,
                          .all_defends = separate ? &deck_->dice_of_defends : nullptr,
                          .dice = true});
  }
}

void AttackModel::settle_masks() {
  // Cards that act as a ship engages do so before its attack.
  for (std::uint64_t* mask :
       {&deck_->all_attacks, &deck_->all_defends, &deck_->dice_of_attacks, &deck_->dice_of_defends})
    *mask &= ~deck_->acts;
  const bool all = std::find(deals_separately_.begin(), deals_separately_.end(), false) == deals_separately_.end();
  deck_->attacks = all ? deck_->dice_of_attacks : deck_->all_attacks;
  deck_->defends = all ? deck_->dice_of_defends : deck_->all_defends;
}

void AttackModel::find_card_fields(const std::vector<compile::CompiledScenario>& asked) {
  for (const compile::CompiledScenario& question : asked) {
    for (const game::Resource& r : question.plan.resources) {
      if (r.kind == game::Resource::Kind::Card) deck_->hand.add(r.kind, r.token, r.max);
      deck_->forgets = deck_->forgets || counts_all(r.kind);
    }
    for (const game::AttackPlan& attack : question.plan.attacks) {
      for (const game::DealPlan& deal : attack.deals) {
        for (const game::DrawKind& kind : deal.kinds)
          deck_->counts.seen.add(game::Resource::Kind::Seen, kind.kind, kind.cards);
      }
    }
  }
}

void AttackModel::note_reads(const compile::CompiledScenario& asked, const Reads& reads) {
  const game::Plan& plan = asked.plan;
  for (std::size_t r = 0; r < plan.resources.size(); ++r) {
    const game::Resource& resource = plan.resources[r];
    const auto* field = deck_->hand.find(resource.kind, resource.token);
    if (field == nullptr) continue;
    const bool by = base::nth(asked.labels.ships, resource.ship) == study::kAttacker;
    std::uint64_t* const mask = by ? reads.all_attacks : reads.all_defends;
    const auto index = static_cast<int>(r);
    const bool read = std::any_of(plan.attacks.begin(), plan.attacks.end(), [&](const game::AttackPlan& attack) {
      return reads.dice ? steps_read(attack, index) : game::attack_reads(attack, index) || flips_cards(attack, index);
    });
    if (read && mask != nullptr) *mask |= CardFields::all_of(*field);
  }
}

// ---------------------------------------------------------------- keys and positions

int AttackModel::known_health(int t, int other, int health) const {
  const std::size_t pair = pair_of(t, other);
  if (!reads_health_[pair]) return 0;
  return reads_hull_[pair] ? health : std::max(health, type(t).hull);
}

void AttackModel::add_deck(AttackKey& key, const DeckState& decks) const {
  key = whole_key(key, decks);
  const std::size_t pair = pair_of(key.attacker, key.defender), back = pair_of(key.defender, key.attacker);
  if (!deals_separately_[pair]) return;
  key.dice_only = true;
  key.attacker_hand &= deck_->dice_of_attacks;
  key.defender_hand &= deck_->dice_of_defends;
  // Shields are read when damage cards are dealt.
  if (!reads_hull_[pair]) key.attacker_health = 0;
  if (!reads_hull_[back]) key.defender_health = 0;
}

AttackKey AttackModel::whole_key(const AttackKey& key, const DeckState& decks) const {
  AttackKey out = key;
  out.dice_only = false;
  out.attacker_hand = decks.attacker_hand & deck_->all_attacks;
  out.defender_hand = decks.defender_hand & deck_->all_defends;
  out.attacker_health = known_health(key.attacker, key.defender, decks.attacker_health);
  out.defender_health = known_health(key.defender, key.attacker, decks.defender_health);
  return out;
}

AttackKey AttackModel::engagement_key(int t, int state, bool lock, std::uint64_t hand, int health) const {
  return {.attacker = t,
          .defender = t,
          .weapon = AttackKey::kEngages,
          .attacker_state = state,
          .lock = lock,
          .attacker_hand = hand & deck_->engages,
          .attacker_health = std::max(health, type(t).hull)};
}

/// Compiles a bare ship that was attacked and now engages, for the effects of its damage cards. Leaves out its other
/// cards, since their effects on engaging are part of its attack.
compile::CompiledScenario AttackModel::compile_engagement(const AttackKey& key, const Counts& counts) const {
  const ShipType& type = this->type(key.attacker);
  ScenarioShip ship;
  if (const std::string id = ship_id_of({catalogue_, edition_, options_.rules, options_.cards}, type.ship); !id.empty())
    ship.ship = id;
  ship.attack = ship.agility = 1;
  ship.hull = type.hull;
  ship.shields = type.shields;
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    const Slot& slot = type.slots[i];
    const bool has_room = slot.token >= 0 && !base::nth(edition_.tokens, slot.token).charge;
    if (has_room && counts[i] > 0) ship.tokens[slot.label] = counts[i];
  }
  const ScenarioShip other{.attack = 1, .agility = 0, .hull = 1};
  Scenario asked = study::duel({options_.rules, options_.cards}, ship, key.lock, other, "primary", 2);
  asked.attacks.insert(asked.attacks.begin(), {.by = study::kDefender, .on = study::kAttacker, .range = 2});
  asked.attacker_policy = asked.defender_policy = "greedy";
  asked.damage_deck = options_.damage_deck;
  compile::CompiledScenario out = compiled(asked);
  std::erase_if(out.plan.attacks, [](const game::AttackPlan& attack) { return !attack.engagement; });
  return out;
}

void AttackModel::set_seen(const CompiledAttack& attack, const DeckState& decks, game::Resources& start) const {
  const auto mine = [&](int ship) { return base::nth(attack.plan.ships, ship).mine; };
  for (const game::Resource& r : attack.plan.resources) {
    if (r.kind != game::Resource::Kind::Seen || !r.dynamic) continue;
    const auto* field = deck_->counts.seen.find(r.kind, r.token);
    if (field != nullptr)
      start.set(r, CardFields::get(mine(r.ship) == mine(attack.attacker) ? decks.own : decks.foe, *field));
  }
}

CardChange AttackModel::card_change(const CompiledAttack& attack, const game::Resources& start,
                                    const std::vector<int>& left) const {
  CardChange out;
  const bool mine = base::nth(attack.plan.ships, attack.attacker).mine;
  for (std::size_t r = 0; r < left.size(); ++r) {
    const game::Resource& resource = attack.plan.resources[r];
    const int more = left[r] - start.get(resource);
    if (more == 0) continue;
    const bool by = resource.ship == attack.attacker;
    if (resource.kind == game::Resource::Kind::Seen) {
      const bool own = base::nth(attack.plan.ships, resource.ship).mine == mine;
      const auto* field = deck_->counts.seen.find(game::Resource::Kind::Seen, resource.token);
      if (field != nullptr) (own ? out.own_deck : out.foe_deck) += CardFields::change(*field, more);
    } else if (const auto* field = deck_->hand.find(resource.kind, resource.token)) {
      (by ? out.attacker : out.defender) += CardFields::change(*field, more);
    }
  }
  return out;
}

}  // namespace salvo::battle
