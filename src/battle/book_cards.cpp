// Book, its damage cards: what a battle has to tell of them, tables by it, and what ships do with them as they engage.
#include <algorithm>
#include <array>

#include "answer/answer.h"
#include "battle/slots.h"
#include "rules/damage.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

bool is_in_hand(Resource::Kind kind) {
  using Kind = Resource::Kind;
  return kind == Kind::Card || kind == Kind::Faceup || kind == Kind::Facedown;
}

bool has_effect(const DamageCardSpec& card, bool (*asked)(Window)) {
  const auto& effects = card.card.effects;
  return std::any_of(effects.begin(), effects.end(), [&](const EffectSpec& effect) { return asked(effect.at); });
}

/// Whether an effect of the attack turns cards that the resource counts facedown.
bool flips_cards(const AttackPlan& attack, int resource) {
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const Effect& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& operation) {
      return operation.kind == Operation::Kind::Flip && operation.cards.kind == resource;
    });
  });
}

void mix_in(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
}

}  // namespace

std::size_t AttackKey::Hash::operator()(const AttackKey& key) const {
  std::uint64_t out = 0;
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  mix_in(out, put(key.weapon + 1, 0) | put(key.shot, 8) | put(key.attacker_state, 16) | put(key.defender_state, 32) |
                  put(key.lock ? 1 : 0, 48));
  mix_in(out,
         put(key.attacker, 0) | put(key.defender, 16) | put(key.attacker_health, 32) | put(key.defender_health, 40));
  mix_in(out, key.attacker_hand);
  mix_in(out, key.defender_hand);
  return static_cast<std::size_t>(out);
}

// ---------------------------------------------------------------- what is counted

/// Compiles all pairs to learn which cards are told apart, and once more where something counts all cards of a ship.
void Book::probe_with_cards() {
  cards_ = std::make_unique<Cards>();
  cards_->deck = catalogue_.deck(options_.damage_deck, options_.rules);
  lasts_ = Lasts::Battle;
  probe_all();
  const auto& fields = cards_->hand.fields();
  if (std::any_of(fields.begin(), fields.end(), [](const auto& field) { return field.kind != Resource::Kind::Card; })) {
    lasts_ = Lasts::BattleCounted;
    probe_all();
  }
  const auto& cards = cards_->deck->cards;
  for (const CardFields::Field& field : cards_->hand.fields()) {
    if (field.kind != Resource::Kind::Card) continue;
    const DamageCardSpec& card = cards[static_cast<std::size_t>(field.token)];
    if (has_effect(card, [](Window at) { return at == Window::Engage; })) cards_->acts |= CardFields::all_of(field);
    if (has_effect(card, [](Window at) { return at == Window::Opportunity; }))
      cards_->until_opportunity.push_back(&field);
  }
  for (int a = 0; a < types(); ++a) {
    for (int d = 0; d < types(); ++d) {
      for (const Question& question : probe(a, d).questions) note_reads(question, false);
    }
    if (cards_->acts != 0)
      note_reads(
          engagement({.attacker = a, .defender = a, .weapon = AttackKey::kEngages}, Counts(type(a).slots.size(), 0)),
          true);
  }
  // What cards do as a ship engages is done before its attack.
  cards_->attacks &= ~cards_->acts;
  cards_->defends &= ~cards_->acts;
  for (const CardFields::Field& field : cards_->hand.fields()) {
    if (field.kind == Resource::Kind::Card) continue;
    for (std::uint64_t* mask : {&cards_->attacks, &cards_->defends, &cards_->engages})
      *mask |= CardFields::all_of(field);
  }
}

void Book::find_card_fields(const std::vector<Question>& asked) {
  for (const Question& question : asked) {
    for (const Resource& r : question.plan.resources) {
      if (is_in_hand(r.kind)) cards_->hand.add(r.kind, r.token, r.max);
    }
    for (const AttackPlan& attack : question.plan.attacks) {
      for (const DealPlan& deal : attack.deals) {
        for (const DrawKind& kind : deal.kinds) cards_->counts.seen.add(Resource::Kind::Seen, kind.kind, kind.cards);
      }
    }
  }
}

void Book::note_reads(const Question& asked, bool engages) {
  const Plan& plan = asked.plan;
  for (std::size_t r = 0; r < plan.resources.size(); ++r) {
    const Resource& resource = plan.resources[r];
    const auto* field = is_in_hand(resource.kind) ? cards_->hand.find(resource.kind, resource.token) : nullptr;
    if (field == nullptr) continue;
    const bool by = asked.labels.ships[static_cast<std::size_t>(resource.ship)] == study::kAttacker;
    const auto index = static_cast<int>(r);
    const bool read = std::any_of(plan.attacks.begin(), plan.attacks.end(), [&](const AttackPlan& attack) {
      return rules::attack_reads(attack, index) || flips_cards(attack, index);
    });
    std::uint64_t& mask = engages ? cards_->engages : by ? cards_->attacks : cards_->defends;
    if (read && (by || !engages)) mask |= CardFields::all_of(*field);
  }
}

// ---------------------------------------------------------------- questions

int Book::known_health(int t, int other, int health) const {
  const std::size_t pair = pair_of(t, other);
  if (!reads_health_[pair]) return 0;
  return reads_hull_[pair] ? health : std::max(health, type(t).hull);
}

void Book::note_cards(AttackKey& key, std::uint64_t attacker_hand, int attacker_health, std::uint64_t defender_hand,
                      int defender_health) const {
  key.attacker_hand = attacker_hand & cards_->attacks;
  key.defender_hand = defender_hand & cards_->defends;
  key.attacker_health = known_health(key.attacker, key.defender, attacker_health);
  key.defender_health = known_health(key.defender, key.attacker, defender_health);
}

AttackKey Book::engagement(int t, int state, bool lock, std::uint64_t hand, int health) const {
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
Question Book::engagement(const AttackKey& key, const Counts& counts) const {
  const Type& type = this->type(key.attacker);
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
  Question out = compiled(asked);
  std::erase_if(out.plan.attacks, [](const AttackPlan& attack) { return !attack.engagement; });
  return out;
}

std::optional<AttackQuestion> Book::question_with_cards(const AttackKey& key) const {
  Counts attacker = counts(key.attacker, key.attacker_state), defender = counts(key.defender, key.defender_state);
  if (const int slot = type(key.attacker).health_slot; slot >= 0)
    attacker[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(key.attacker_health);
  if (const int slot = type(key.defender).health_slot; slot >= 0)
    defender[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(key.defender_health);
  if (key.engages()) return placed(engagement(key, attacker), key, attacker, defender);
  try {
    return asked(key, attacker, defender);
  } catch (const LoadError& error) {
    if (!error.path.starts_with("attacks[")) throw;
    return std::nullopt;
  }
}

void Book::set_seen(const AttackQuestion& asked, const Decks& decks, Resources& start) const {
  const auto mine = [&](int ship) { return asked.plan.ships[static_cast<std::size_t>(ship)].mine; };
  for (const Resource& r : asked.plan.resources) {
    if (r.kind != Resource::Kind::Seen || !r.dynamic) continue;
    const auto* field = cards_->counts.seen.find(r.kind, r.token);
    if (field != nullptr)
      start.set(r, CardFields::get(mine(r.ship) == mine(asked.attacker) ? decks.own : decks.foe, *field));
  }
}

CardChange Book::card_change(const AttackQuestion& asked, const Resources& start, const std::vector<int>& left) const {
  CardChange out;
  const bool mine = asked.plan.ships[static_cast<std::size_t>(asked.attacker)].mine;
  for (std::size_t r = 0; r < left.size(); ++r) {
    const Resource& resource = asked.plan.resources[r];
    const int more = left[r] - start.get(resource);
    if (more == 0) continue;
    const bool by = resource.ship == asked.attacker;
    if (resource.kind == Resource::Kind::Seen) {
      const bool own = asked.plan.ships[static_cast<std::size_t>(resource.ship)].mine == mine;
      const auto* field = cards_->counts.seen.find(Resource::Kind::Seen, resource.token);
      if (field != nullptr) (own ? out.own_deck : out.foe_deck) += CardFields::change(*field, more);
    } else if (const auto* field =
                   is_in_hand(resource.kind) ? cards_->hand.find(resource.kind, resource.token) : nullptr) {
      (by ? out.attacker : out.defender) += CardFields::change(*field, more);
    }
  }
  return out;
}

// ---------------------------------------------------------------- tables

const Outcomes& Book::attack_with_cards(const AttackKey& key) {
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
void Book::group_outcomes(Outcomes& outcomes) const {
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

std::size_t Book::pick(const Outcomes& outcomes, const Decks& decks, double uniform) const {
  std::size_t first = 0, possible = 0;
  for (const CardGroup& group : outcomes.groups) {
    const double ratio = cards_->counts.ratio(group.change, decks);
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

std::uint8_t Book::name_of_hand(bool attacks, std::uint64_t hand) {
  const std::uint64_t read = hand & (attacks ? cards_->attacks : cards_->defends);
  if (read == 0) return 0;
  const std::lock_guard lock(hands_mutex_);
  auto& names = hand_names_[attacks ? 0 : 1];
  if (const auto known = names.find(read); known != names.end()) return known->second;
  if (names.size() + 1 >= kUnnamed) return kUnnamed;
  return names.try_emplace(read, static_cast<std::uint8_t>(names.size() + 1)).first->second;
}

}  // namespace salvo::battle
