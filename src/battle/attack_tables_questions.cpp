// Book, the questions behind its tables: the plan of one attack in its position, and what is left after it.
#include <algorithm>
#include <memory>
#include <utility>

#include "answers/answer.h"
#include "base/hash.h"
#include "battle/slots.h"
#include "study/duel.h"

namespace salvo::battle {

Scenario AttackTables::scenario(const AttackKey& key, const Counts& attacker, const Counts& defender) const {
  const ShipType &a = type(key.attacker), &d = type(key.defender);
  const auto ship = [](const ShipType& type, const Counts& counts) {
    ScenarioShip out = type.ship;
    out.tokens.clear();
    for (std::size_t i = 0; i < type.slots.size(); ++i) {
      const Slot& slot = type.slots[i];
      if (slot.token < 0) continue;
      // Where none is stated, stat line and cards would bring those of a ship that has not spent any: also of one whose
      // player said that it has none.
      const bool brought = slot.initial > 0 || type.ship.tokens.contains(slot.label);
      if (counts[i] > 0 || brought) out.tokens[slot.label] = counts[i];
    }
    return out;
  };
  const Shot shot = Shot::of(key.shot);
  const study::Game game{options_.rules, options_.cards};
  Scenario out = study::duel(game, ship(a, attacker), key.lock, ship(d, defender),
                             a.weapons[static_cast<std::size_t>(key.weapon)].id, shot.range);
  out.attacks[0].obstructed = shot.obstructed;
  if (reads_bullseye_[pair_of(key.attacker, key.defender)])
    out.attacks[0].facts = {shot.bullseye ? "bullseye" : "not bullseye"};
  out.attacker_policy = out.defender_policy = "greedy";
  out.damage_deck = options_.damage_deck;
  return out;
}

compile::CompiledScenario AttackTables::compiled(Scenario& asked) const {
  return answers::compile_named(catalogue_, asked, lasts_);
}

/// Kept: positions that differ in charges, uses or health have one scenario, into whose plan these are put (placed).
std::shared_ptr<const AttackTables::Compiled> AttackTables::compiled(const AttackKey& key, const Counts& attacker,
                                                     const Counts& defender) const {
  std::vector<int> name{key.attacker, key.defender, key.weapon, key.shot, key.lock ? 1 : 0};
  const auto add_tokens = [&](const ShipType& type, const Counts& counts) {
    for (std::size_t i = 0; i < type.slots.size(); ++i) {
      if (type.slots[i].token >= 0) name.push_back(counts[i]);
    }
  };
  add_tokens(type(key.attacker), attacker);
  add_tokens(type(key.defender), defender);
  base::Hasher mixer;
  for (const int part : name) mixer.add(part);
  auto out = compiled_.find(mixer.value(), [&](const Compiled& known) { return known.name == name; });
  if (out) return out;
  Scenario told = scenario(key, attacker, defender);
  out = std::make_shared<const Compiled>(Compiled{std::move(name), compiled(told)});
  compiled_.keep(mixer.value(), out, 1);
  return out;
}

/// The plan, with what ships have in it.
CompiledAttack AttackTables::placed(compile::CompiledScenario question, const AttackKey& key, const Counts& attacker,
                            const Counts& defender) const {
  using Kind = game::Resource::Kind;
  CompiledAttack out{std::move(question.plan), std::move(question.labels)};
  for (std::size_t s = 0; s < out.plan.ships.size(); ++s)
    (out.labels.ships[s] == study::kAttacker ? out.attacker : out.defender) = static_cast<int>(s);
  for (std::size_t r = 0; r < out.plan.resources.size(); ++r) {
    game::Resource& resource = out.plan.resources[r];
    const bool by = resource.ship == out.attacker;
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    const Counts& counts = by ? attacker : defender;
    std::optional<int> value;
    if (resource.kind == Kind::Health) {
      if (!key.engages() &&
          !reads_health_[by ? pair_of(key.attacker, key.defender) : pair_of(key.defender, key.attacker)])
        throw std::logic_error("an attack reads a health that no probe of the book read");
      const int left = counts[static_cast<std::size_t>(type.health_slot)];
      const int hidden = out.plan.ships[static_cast<std::size_t>(resource.ship)].counted_hull == 0 ? type.hull : 0;
      value = game::kHealthZero + std::max(0, left - hidden);
    } else if (const auto* field = cards_ ? cards_->hand.find(resource.kind, resource.token) : nullptr) {
      value = CardFields::get(by ? key.attacker_hand : key.defender_hand, *field);
    } else if (resource.kind != Kind::Token) {
      const std::string label = slot_label(out.plan, out.labels, r);
      if (const int slot = label.empty() ? -1 : slot_of(type, label); slot >= 0)
        value = counts[static_cast<std::size_t>(slot)];
    }
    if (!value) continue;
    resource.initial = std::min(*value, resource.max);
    if (resource.dynamic) out.plan.start.set(resource, resource.initial);
  }
  // What is left is read when the attack is over, so nothing of it may be merged.
  for (game::AttackPlan& attack : out.plan.attacks) attack.readable.words.fill(~std::uint64_t{0});
  return out;
}

CompiledAttack AttackTables::asked(const AttackKey& key, const Counts& attacker, const Counts& defender) const {
  const bool by_health =
      reads_health_[pair_of(key.attacker, key.defender)] || reads_health_[pair_of(key.defender, key.attacker)];
  compile::CompiledScenario question;
  if (by_health && !cards_) {  // each scenario comes with many healths; else few come again
    question = compiled(key, attacker, defender)->question;
  } else {
    Scenario told = scenario(key, attacker, defender);
    question = compiled(told);
  }
  CompiledAttack out = placed(std::move(question), key, attacker, defender);
  // Effects at the start of the engagement happen once a round: those of a ship that has had them are left out.
  std::array<bool, 2> seen{};
  std::erase_if(out.plan.attacks, [&](const game::AttackPlan& attack) {
    if (!attack.engagement) return false;
    const bool by = attack.attacker == out.attacker;
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    if (type.engaged < 0 || std::exchange(seen[by ? 0 : 1], true)) return false;
    return (by ? attacker : defender)[static_cast<std::size_t>(type.engaged)] == 0;
  });
  return out;
}

std::optional<CompiledAttack> AttackTables::question(const AttackKey& key) const {
  if (cards_) return question_with_cards(key);
  try {
    return asked(key, info(key.attacker, key.attacker_state).counts, info(key.defender, key.defender_state).counts);
  } catch (const LoadError& error) {
    if (!error.path.starts_with("attacks[")) throw;
    return std::nullopt;  // without its price or what it requires, a weapon cannot be used
  }
}

Outcome AttackTables::outcome_of(const AttackKey& key, const CompiledAttack& asked, const std::vector<int>& left, int damage,
                         int own_damage) {
  using Kind = game::Resource::Kind;
  Counts attacker = info(key.attacker, key.attacker_state).counts;
  Counts defender = info(key.defender, key.defender_state).counts;
  Outcome out;
  out.damage = static_cast<std::uint8_t>(std::clamp(damage, 0, kMaxHealth));
  out.own_damage = static_cast<std::uint8_t>(std::clamp(own_damage, 0, kMaxHealth));
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const game::Resource& resource = asked.plan.resources[r];
    const bool by = resource.ship == asked.attacker;
    if (resource.kind == Kind::Lock) {
      // One of two fields of bits is no lvalue for clang 14.
      if (by)
        out.lock = left[r] > 0;
      else
        out.lock_back = left[r] > 0;
      continue;
    }
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    const std::string label = slot_label(asked.plan, asked.labels, r);
    const int slot = label.empty() ? -1 : slot_of(type, label);
    if (slot >= 0)
      (by ? attacker : defender)[static_cast<std::size_t>(slot)] =
          static_cast<std::uint8_t>(std::clamp(left[r], 0, 255));
  }
  for (const bool by : {true, false}) {
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    Counts& counts = by ? attacker : defender;
    if (type.engaged >= 0) counts[static_cast<std::size_t>(type.engaged)] = 0;
    if (type.health_slot >= 0) counts[static_cast<std::size_t>(type.health_slot)] = 0;
  }
  out.attacker = static_cast<std::uint16_t>(state_of(key.attacker, attacker));
  out.defender = static_cast<std::uint16_t>(state_of(key.defender, defender));
  return out;
}

}  // namespace salvo::battle
