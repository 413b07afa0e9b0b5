// Book, its damage cards: what a battle has to tell of them, tables by it, and what ships do with them as they engage.
#include <algorithm>
#include <array>

#include "answers/answer.h"
#include "battle/slots.h"
#include "game/damage.h"
#include "game/reads.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

/// Counts of all faceup or facedown cards of a ship, which cards ask about or expose.
bool counts_all(game::Resource::Kind kind) {
  return kind == game::Resource::Kind::Faceup || kind == game::Resource::Kind::Facedown;
}

bool has_effect(const load::DamageCardSpec& card, bool (*asked)(load::Window)) {
  const auto& effects = card.card.effects;
  return std::any_of(effects.begin(), effects.end(), [&](const load::EffectSpec& effect) { return asked(effect.at); });
}

/// Whether an effect of the attack turns cards that the resource counts facedown.
bool flips_cards(const game::AttackPlan& attack, int resource) {
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const game::Effect& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
      return operation.kind == game::Operation::Kind::Flip && operation.cards.kind == resource;
    });
  });
}

bool counts_resource(const game::Expression& expression, int resource) {
  return std::any_of(expression.begin(), expression.end(), [&](const game::ExpressionOp& op) {
    return op.code == game::ExpressionOp::Code::Resource && op.value == resource;
  });
}

/// Whether something in the steps of the attack reads the resource.
bool dice_read(const game::AttackPlan& attack, int resource) {
  if (counts_resource(attack.prevented, resource)) return true;
  for (const game::Step& step : attack.steps) {
    for (const int e : step.effects) {
      const game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
      if (counts_resource(effect.when, resource) || counts_resource(effect.times, resource)) return true;
      for (const game::Operation& operation : effect.operations) {
        if (counts_resource(operation.amount, resource)) return true;
      }
    }
  }
  return false;
}

bool harms(const game::AttackPlan& attack, const game::Step& step) {
  using Kind = game::Operation::Kind;
  return std::any_of(step.effects.begin(), step.effects.end(), [&](int e) {
    const auto& operations = attack.effects[static_cast<std::size_t>(e)].operations;
    return std::any_of(operations.begin(), operations.end(), [](const game::Operation& one) {
      return one.kind == Kind::Damage || one.kind == Kind::Expose || one.kind == Kind::Flip || one.kind == Kind::Deal;
    });
  });
}

/// Whether conditions of what damage cards do ask for faceup cards alone, and nothing is lost.
bool deals_alone(const game::Plan& plan, const game::AttackPlan& attack, const std::vector<int>& effects) {
  return std::all_of(effects.begin(), effects.end(), [&](int e) {
    const game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
    const auto& operations = effect.operations;
    return std::all_of(effect.when.begin(), effect.when.end(),
                       [&](const game::ExpressionOp& op) {
                         return op.code != game::ExpressionOp::Code::Resource ||
                                plan.resources[static_cast<std::size_t>(op.value)].kind == game::Resource::Kind::Card;
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
    const game::Resource& read = plan.resources[static_cast<std::size_t>(op.value)];
    return read.kind == game::Resource::Kind::Health || game::is_health_part(read) ||
           read.kind == game::Resource::Kind::Card || counts_all(read.kind);
  });
}

/// Whether a mandatory effect after the damage changes tokens by what the dice, but not the damage cards, tell, and
/// tokens that no card of `deals` changes.
bool minds_dice_alone(const game::Plan& plan, const game::AttackPlan& attack, const game::Effect& effect) {
  if (effect.may || reads_damage(plan, effect.when) || reads_damage(plan, effect.times)) return false;
  std::vector<int> dealt;
  std::uint32_t noted = 0;  // what conditions can ask about what happened in the attack
  for (const game::DealPlan& deal : attack.deals) {
    for (const int e : deal.after_crit) noted |= attack.effects[static_cast<std::size_t>(e)].sets;
    for (const game::DrawKind& kind : deal.kinds) {
      noted |= kind.sets;
      for (const int e : kind.effects) {
        noted |= attack.effects[static_cast<std::size_t>(e)].sets;
        for (const game::Operation& one : attack.effects[static_cast<std::size_t>(e)].operations)
          dealt.push_back(one.resource);
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

/// Whether one attack deals cards to its defender alone, after all its dice, when nothing else is to come.
bool deals_after_dice(const compile::CompiledScenario& asked) {
  bool attacked = false;
  for (const game::AttackPlan& attack : asked.plan.attacks) {
    if (attacked) return false;
    bool over = false;
    for (const game::Step& step : attack.steps) {
      if (harms(attack, step)) return false;
      if (over && std::any_of(step.effects.begin(), step.effects.end(), [&](int e) {
            return !minds_dice_alone(asked.plan, attack, attack.effects[static_cast<std::size_t>(e)]);
          }))
        return false;
      over = over || step.kind == game::Step::Kind::Damage;
    }
    for (std::size_t v = 0; v < attack.deals.size(); ++v) {
      const game::DealPlan& deal = attack.deals[v];
      if (deal.kinds.empty()) continue;
      if (v != game::kDefender || deal.before >= 0 || deal.seen >= 0 ||
          !deals_alone(asked.plan, attack, deal.after_crit))
        return false;
      for (const game::DrawKind& kind : deal.kinds) {
        if (!deals_alone(asked.plan, attack, kind.effects)) return false;
      }
    }
    attacked = !attack.engagement;
  }
  return attacked;
}

void mix_in(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
}

}  // namespace

game::Plan without_deals(game::Plan plan) {
  for (game::AttackPlan& attack : plan.attacks) attack.deals.clear();
  plan.damage_deck = false;
  return plan;
}

std::size_t AttackKey::Hash::operator()(const AttackKey& key) const {
  std::uint64_t out = 0;
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  mix_in(out, put(key.weapon + 1, 0) | put(key.shot, 8) | put(key.attacker_state, 16) | put(key.defender_state, 32) |
                  put(key.lock ? 1 : 0, 48) | put(key.parted ? 1 : 0, 49));
  mix_in(out,
         put(key.attacker, 0) | put(key.defender, 16) | put(key.attacker_health, 32) | put(key.defender_health, 40));
  mix_in(out, key.attacker_hand);
  mix_in(out, key.defender_hand);
  return static_cast<std::size_t>(out);
}

// ---------------------------------------------------------------- what is counted

/// Compiles all pairs to learn which cards are told apart, and what of them is read.
void AttackTables::inspect_pairs_with_cards() {
  cards_ = std::make_unique<Cards>();
  cards_->deck = catalogue_.deck(options_.damage_deck, options_.rules);
  lasts_ = compile::Lifetime::Battle;
  inspect_pairs();
  const auto& cards = cards_->deck->cards;
  for (const CardFields::Field& field : cards_->hand.fields()) {
    const load::DamageCardSpec& card = cards[static_cast<std::size_t>(field.token)];
    if (has_effect(card, [](load::Window at) { return at == load::Window::Engage; }))
      cards_->acts |= CardFields::all_of(field);
    if (has_effect(card, [](load::Window at) { return at == load::Window::Opportunity; }))
      cards_->until_opportunity.push_back(&field);
  }
  dealing_.resize(types_.size());
  for (int a = 0; a < types(); ++a) {
    for (int d = 0; d < types(); ++d) note_pair(a, d);
    if (cards_->acts != 0)
      note_reads(
          engagement({.attacker = a, .defender = a, .weapon = AttackKey::kEngages}, Counts(type(a).slots.size(), 0)),
          {.all_attacks = &cards_->engages, .all_defends = nullptr});
  }
  settle_masks();
}

/// What the dice of attacks read of hands, and what is read from their damage on.
void AttackTables::note_pair(int attacker, int defender) {
  const std::vector<compile::CompiledScenario> questions = inspect_pair(attacker, defender).questions;
  const bool parted = std::all_of(questions.begin(), questions.end(),
                                  [](const compile::CompiledScenario& question) { return deals_after_dice(question); });
  parted_[pair_of(attacker, defender)] = parted;
  for (const compile::CompiledScenario& question : questions) {
    note_reads(question, {.all_attacks = &cards_->all_attacks, .all_defends = &cards_->all_defends});
    note_reads(question, {.all_attacks = parted ? &cards_->dice_of_attacks : nullptr,
                          .all_defends = parted ? &cards_->dice_of_defends : nullptr,
                          .dice = true});
  }
  if (parted && !dealing_[static_cast<std::size_t>(defender)]) note_deals(defender);
}

void AttackTables::settle_masks() {
  // What cards do as a ship engages is done before its attack.
  for (std::uint64_t* mask :
       {&cards_->all_attacks, &cards_->all_defends, &cards_->dice_of_attacks, &cards_->dice_of_defends})
    *mask &= ~cards_->acts;
  const bool all = std::find(parted_.begin(), parted_.end(), false) == parted_.end();
  cards_->attacks = all ? cards_->dice_of_attacks : cards_->all_attacks;
  cards_->defends = all ? cards_->dice_of_defends : cards_->all_defends;
}

void AttackTables::find_card_fields(const std::vector<compile::CompiledScenario>& asked) {
  for (const compile::CompiledScenario& question : asked) {
    for (const game::Resource& r : question.plan.resources) {
      if (r.kind == game::Resource::Kind::Card) cards_->hand.add(r.kind, r.token, r.max);
      cards_->forgets = cards_->forgets || counts_all(r.kind);
    }
    for (const game::AttackPlan& attack : question.plan.attacks) {
      for (const game::DealPlan& deal : attack.deals) {
        for (const game::DrawKind& kind : deal.kinds)
          cards_->counts.seen.add(game::Resource::Kind::Seen, kind.kind, kind.cards);
      }
    }
  }
}

void AttackTables::note_reads(const compile::CompiledScenario& asked, const Reads& reads) {
  const game::Plan& plan = asked.plan;
  for (std::size_t r = 0; r < plan.resources.size(); ++r) {
    const game::Resource& resource = plan.resources[r];
    const auto* field = cards_->hand.find(resource.kind, resource.token);
    if (field == nullptr) continue;
    const bool by = asked.labels.ships[static_cast<std::size_t>(resource.ship)] == study::kAttacker;
    std::uint64_t* const mask = by ? reads.all_attacks : reads.all_defends;
    const auto index = static_cast<int>(r);
    const bool read = std::any_of(plan.attacks.begin(), plan.attacks.end(), [&](const game::AttackPlan& attack) {
      return reads.dice ? dice_read(attack, index) : game::attack_reads(attack, index) || flips_cards(attack, index);
    });
    if (read && mask != nullptr) *mask |= CardFields::all_of(*field);
  }
}

// ---------------------------------------------------------------- questions

int AttackTables::known_health(int t, int other, int health) const {
  const std::size_t pair = pair_of(t, other);
  if (!reads_health_[pair]) return 0;
  return reads_hull_[pair] ? health : std::max(health, type(t).hull);
}

void AttackTables::note_cards(AttackKey& key, const DeckState& cards) const {
  key = whole(key, cards);
  const std::size_t pair = pair_of(key.attacker, key.defender), back = pair_of(key.defender, key.attacker);
  if (!parted_[pair]) return;
  key.parted = true;
  key.attacker_hand &= cards_->dice_of_attacks;
  key.defender_hand &= cards_->dice_of_defends;
  // That of shields is read when damage cards are dealt.
  if (!reads_hull_[pair]) key.attacker_health = 0;
  if (!reads_hull_[back]) key.defender_health = 0;
}

AttackKey AttackTables::whole(const AttackKey& key, const DeckState& cards) const {
  AttackKey out = key;
  out.parted = false;
  out.attacker_hand = cards.attacker_hand & cards_->all_attacks;
  out.defender_hand = cards.defender_hand & cards_->all_defends;
  out.attacker_health = known_health(key.attacker, key.defender, cards.attacker_health);
  out.defender_health = known_health(key.defender, key.attacker, cards.defender_health);
  return out;
}

AttackKey AttackTables::engagement(int t, int state, bool lock, std::uint64_t hand, int health) const {
  return {.attacker = t,
          .defender = t,
          .weapon = AttackKey::kEngages,
          .attacker_state = state,
          .lock = lock,
          .attacker_hand = hand & cards_->engages,
          .attacker_health = std::max(health, type(t).hull)};
}

/// The ship alone, which was attacked and engages now. Its other cards are left out: those that act as it engages do so
/// with its attack.
compile::CompiledScenario AttackTables::engagement(const AttackKey& key, const Counts& counts) const {
  const ShipType& type = this->type(key.attacker);
  ScenarioShip ship;
  ship.ship = type.ship.ship;
  if (!ship.ship && type.ship.pilot) {
    const auto ships = catalogue_.ships_of_pilot(*type.ship.pilot, options_.cards);
    if (!ships.empty()) ship.ship = ships.front();
  }
  ship.attack = ship.agility = 1;
  ship.hull = type.hull;
  ship.shields = type.shields;
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    const Slot& slot = type.slots[i];
    const bool has_room = slot.token >= 0 && !edition_.tokens[static_cast<std::size_t>(slot.token)].charge;
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

std::optional<CompiledAttack> AttackTables::question_with_cards(const AttackKey& key) const {
  Counts attacker = counts(key.attacker, key.attacker_state), defender = counts(key.defender, key.defender_state);
  if (const int slot = type(key.attacker).health_slot; slot >= 0)
    attacker[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(key.attacker_health);
  if (const int slot = type(key.defender).health_slot; slot >= 0)
    defender[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(key.defender_health);
  if (key.engages()) return placed(engagement(key, attacker), key, attacker, defender);
  try {
    CompiledAttack out = asked(key, attacker, defender);
    if (key.parted) out.plan = without_deals(std::move(out.plan));
    return out;
  } catch (const LoadError& error) {
    if (!error.path.starts_with("attacks[")) throw;
    return std::nullopt;
  }
}

void AttackTables::set_seen(const CompiledAttack& asked, const DeckState& cards, game::Resources& start) const {
  const auto mine = [&](int ship) { return asked.plan.ships[static_cast<std::size_t>(ship)].mine; };
  for (const game::Resource& r : asked.plan.resources) {
    if (r.kind != game::Resource::Kind::Seen || !r.dynamic) continue;
    const auto* field = cards_->counts.seen.find(r.kind, r.token);
    if (field != nullptr)
      start.set(r, CardFields::get(mine(r.ship) == mine(asked.attacker) ? cards.own : cards.foe, *field));
  }
}

CardChange AttackTables::card_change(const CompiledAttack& asked, const game::Resources& start,
                             const std::vector<int>& left) const {
  CardChange out;
  const bool mine = asked.plan.ships[static_cast<std::size_t>(asked.attacker)].mine;
  for (std::size_t r = 0; r < left.size(); ++r) {
    const game::Resource& resource = asked.plan.resources[r];
    const int more = left[r] - start.get(resource);
    if (more == 0) continue;
    const bool by = resource.ship == asked.attacker;
    if (resource.kind == game::Resource::Kind::Seen) {
      const bool own = asked.plan.ships[static_cast<std::size_t>(resource.ship)].mine == mine;
      const auto* field = cards_->counts.seen.find(game::Resource::Kind::Seen, resource.token);
      if (field != nullptr) (own ? out.own_deck : out.foe_deck) += CardFields::change(*field, more);
    } else if (const auto* field = cards_->hand.find(resource.kind, resource.token)) {
      (by ? out.attacker : out.defender) += CardFields::change(*field, more);
    }
  }
  return out;
}

// ---------------------------------------------------------------- tables

const Outcomes& AttackTables::attack_with_cards(const AttackKey& key) {
  Against& against = against_[pair_of(key.attacker, key.defender)];
  const std::lock_guard lock(against.mutex);
  auto& place = against.with_cards[key];
  if (!place) {
    place = std::make_unique<const Outcomes>(solved_outcomes(key));
    ++solved_;
  }
  return *place;
}

/// Outcomes of one group come one after the other (solved_outcomes); within it the likeliest is the first.
void AttackTables::group_outcomes(Outcomes& outcomes) const {
  const std::size_t n = outcomes.list.size();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < n; ++i) {
    const CardChange decks{0, 0, outcomes.cards[i].own_deck, outcomes.cards[i].foe_deck};
    if (outcomes.groups.empty() || outcomes.groups.back().change != decks) outcomes.groups.push_back({decks, 0, i});
    outcomes.groups.back().chance += outcomes.chance[i];
    outcomes.groups.back().end = i + 1;
    order.push_back(i);
  }
  std::size_t first = 0;
  const auto place = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  for (const CardGroup& group : outcomes.groups) {
    std::stable_sort(place(first), place(group.end),
                     [&](std::size_t a, std::size_t b) { return outcomes.chance[a] > outcomes.chance[b]; });
    first = group.end;
  }
  const auto sort = [&](auto& list) {
    auto sorted = list;
    for (std::size_t i = 0; i < n; ++i) sorted[i] = list[order[i]];
    list = std::move(sorted);
  };
  sort(outcomes.list);
  sort(outcomes.chance);
  sort(outcomes.cards);
}

std::size_t AttackTables::pick(const Outcomes& outcomes, const DeckState& cards, double uniform) const {
  std::size_t first = 0, possible = 0;
  for (const CardGroup& group : outcomes.groups) {
    const double ratio = cards_->counts.ratio(group.change, cards);
    const double chance = group.chance * ratio;
    if (uniform < chance) {
      for (std::size_t i = first; i + 1 < group.end; ++i) {
        uniform -= outcomes.chance[i] * ratio;
        if (uniform < 0) return i;
      }
      return group.end - 1;
    }
    if (chance > 0) possible = group.end - 1;
    uniform -= chance;
    first = group.end;
  }
  return possible;
}

std::uint8_t AttackTables::hand_id(bool attacks, std::uint64_t hand) {
  const std::uint64_t read = hand & (attacks ? cards_->attacks : cards_->defends);
  if (read == 0) return 0;
  const std::lock_guard lock(hands_mutex_);
  auto& names = hand_ids_[attacks ? 0 : 1];
  if (const auto known = names.find(read); known != names.end()) return known->second;
  if (names.size() + 1 >= kNoHandId) return kNoHandId;
  return names.try_emplace(read, static_cast<std::uint8_t>(names.size() + 1)).first->second;
}

}  // namespace salvo::battle
