// How AttackModel makes the plan of an attack from its key and the tokens of both ships.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "answers/answer.h"
#include "base/hash.h"
#include "base/index.h"
#include "battle/attack_model.h"
#include "battle/board_facts.h"
#include "study/duel.h"

namespace salvo::battle {

Scenario AttackModel::scenario(const AttackKey& key, const Counts& attacker, const Counts& defender) const {
  const ShipType &a = type(key.attacker), &d = type(key.defender);
  const auto ship = [](const ShipType& type, const Counts& counts) {
    ScenarioShip out = type.without_faceup();
    out.tokens.clear();
    for (std::size_t i = 0; i < type.slots.size(); ++i) {
      const Slot& slot = type.slots[i];
      if (slot.token < 0) continue;
      // A missing entry would mean the initial tokens of stat line and cards, so a ship that has spent them, or whose
      // player set them to 0, needs an explicit 0.
      const bool brought = slot.initial > 0 || type.ship.tokens.contains(slot.label);
      if (counts[i] > 0 || brought) out.tokens[slot.label] = counts[i];
    }
    return out;
  };
  const Shot shot = Shot::of(key.shot);
  const study::RulesAndCards game{options_.rules, options_.cards};
  Scenario out = study::duel(game, ship(a, attacker), key.lock, ship(d, defender), base::nth(a.weapons, key.weapon).id,
                             shot.range);
  const auto add_helper = [&](const ShipType& type, const Counts& counts, bool by) {
    if (type.helped < 0 || base::nth(counts, type.helped) == 0) return;
    ScenarioShip& helper = out.ships[by ? "attacker-friend" : "defender-friend"] = *type.helper;
    helper.side = by ? "mine" : "theirs";
  };
  add_helper(a, attacker, true);
  add_helper(d, defender, false);
  out.attacks[0].obstructed = shot.obstructed;
  out.attacks[0].facts = facts_of(key);
  out.attacker_policy = out.defender_policy = "greedy";
  out.damage_deck = options_.damage_deck;
  return out;
}

/// The known facts that cards of this pair ask for: others would only be noted as unread.
std::vector<std::string> AttackModel::facts_of(const AttackKey& key) const {
  const std::set<std::string>& read = facts_[pair_of(key.attacker, key.defender)];
  std::vector<std::string> out =
      known_facts(catalogue_, {Shot::of(key.shot), type(key.attacker).alone, type(key.defender).alone});
  std::erase_if(out, [&](const std::string& fact) { return read.count(name_of_fact(fact)) == 0; });
  return out;
}

compile::CompiledScenario AttackModel::compiled(Scenario& asked) const {
  return answers::compile_named(catalogue_, asked, lifetime_);
}

/// Cached, since positions that differ only in charges, uses or health share a scenario; placed() then sets these in
/// the plan.
std::shared_ptr<const AttackModel::Compiled> AttackModel::compiled(const AttackKey& key, const Counts& attacker,
                                                                   const Counts& defender) const {
  std::vector<int> name{key.attacker, key.defender, key.weapon, key.shot, key.lock ? 1 : 0};
  const auto add_tokens = [&](const ShipType& type, const Counts& counts) {
    for (std::size_t i = 0; i < type.slots.size(); ++i) {
      if (type.slots[i].token >= 0 || static_cast<int>(i) == type.helped) name.push_back(counts[i]);
    }
  };
  add_tokens(type(key.attacker), attacker);
  add_tokens(type(key.defender), defender);
  base::Hasher hasher;
  for (const int part : name) hasher.add(part);
  auto out = compiled_.find(hasher.value(), [&](const Compiled& known) { return known.name == name; });
  if (out) return out;
  Scenario asked = scenario(key, attacker, defender);
  out = std::make_shared<const Compiled>(Compiled{std::move(name), compiled(asked)});
  compiled_.insert(hasher.value(), out, 1);
  return out;
}

/// The plan with the charges, uses, damage cards and health of both ships.
CompiledAttack AttackModel::placed(compile::CompiledScenario question, const AttackKey& key, const Counts& attacker,
                                   const Counts& defender) const {
  using Kind = game::Resource::Kind;
  CompiledAttack out{std::move(question.plan), std::move(question.labels)};
  for (std::size_t s = 0; s < out.plan.ships.size(); ++s) {
    if (out.labels.ships[s] == study::kAttacker) out.attacker = static_cast<int>(s);
    if (out.labels.ships[s] == study::kDefender) out.defender = static_cast<int>(s);
  }
  for (std::size_t r = 0; r < out.plan.resources.size(); ++r) {
    game::Resource& resource = out.plan.resources[r];
    const bool by = resource.ship == out.attacker;
    if (!by && resource.ship != out.defender) continue;  // of a helper
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    const Counts& counts = by ? attacker : defender;
    std::optional<int> value;
    if (resource.kind == Kind::Health) {
      if (!key.engages() &&
          !reads_health_[by ? pair_of(key.attacker, key.defender) : pair_of(key.defender, key.attacker)])
        throw std::logic_error("an attack reads a health that no inspected attack read");
      const int left = base::nth(counts, type.health_slot);
      const int hidden = base::nth(out.plan.ships, resource.ship).counted_hull == 0 ? type.hull : 0;
      value = game::kHealthZero + std::max(0, left - hidden);
    } else if (const auto* field = deck_ ? deck_->hand.find(resource.kind, resource.token) : nullptr) {
      value = CardFields::get(by ? key.attacker_hand : key.defender_hand, *field);
    } else if (resource.kind != Kind::Token) {
      const std::string label = slot_label(out.plan, out.labels, r);
      if (const int slot = label.empty() ? -1 : slot_of(type, label); slot >= 0) value = base::nth(counts, slot);
    }
    if (!value) continue;
    resource.initial = std::min(*value, resource.max);
    if (resource.dynamic) out.plan.start.set(resource, resource.initial);
  }
  // The resources are read after the attack, so none may be merged.
  for (game::AttackPlan& attack : out.plan.attacks) attack.readable.words.fill(~std::uint64_t{0});
  return out;
}

CompiledAttack AttackModel::asked(const AttackKey& key, const Counts& attacker, const Counts& defender) const {
  const bool by_health =
      reads_health_[pair_of(key.attacker, key.defender)] || reads_health_[pair_of(key.defender, key.attacker)];
  compile::CompiledScenario question;
  if (by_health && !deck_) {  // each scenario recurs with many healths; otherwise few recur
    question = compiled(key, attacker, defender)->question;
  } else {
    Scenario named = scenario(key, attacker, defender);
    question = compiled(named);
  }
  CompiledAttack out = placed(std::move(question), key, attacker, defender);
  // Effects at the start of the engagement happen once a round: drop those that a ship has already had.
  std::array<bool, 2> seen{};
  std::erase_if(out.plan.attacks, [&](const game::AttackPlan& attack) {
    if (!attack.engagement) return false;
    const bool by = attack.attacker == out.attacker;
    if (!by && attack.attacker != out.defender) return true;  // a helper's
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    if (type.engaged < 0 || std::exchange(seen[by ? 0 : 1], true)) return false;
    return base::nth(by ? attacker : defender, type.engaged) == 0;
  });
  return out;
}

namespace {

/// Makes the effects unusable that spend a lock of the attacker.
void keep_lock(CompiledAttack& attack) {
  const auto spends_it = [&](const game::Cost& cost) {
    const game::Resource& resource = base::nth(attack.plan.resources, cost.resource);
    return resource.kind == game::Resource::Kind::Lock && resource.ship == attack.attacker;
  };
  for (game::AttackPlan& one : attack.plan.attacks) {
    for (game::Effect& effect : one.effects) {
      if (effect.may && std::any_of(effect.cost.begin(), effect.cost.end(), spends_it))
        effect.when = {{game::ExpressionOp::Code::Constant, 0}};
    }
  }
}

}  // namespace

std::optional<CompiledAttack> AttackModel::compile(const AttackKey& key, const Counts& attacker,
                                                   const Counts& defender) const {
  Counts mine = attacker, his = defender;
  if (deck_) {
    if (const int slot = type(key.attacker).health_slot; slot >= 0)
      base::nth(mine, slot) = static_cast<std::uint8_t>(key.attacker_health);
    if (const int slot = type(key.defender).health_slot; slot >= 0)
      base::nth(his, slot) = static_cast<std::uint8_t>(key.defender_health);
    if (key.engages()) return placed(compile_engagement(key, mine), key, mine, his);
  }
  try {
    CompiledAttack out = asked(key, mine, his);
    if (key.keeps_lock) keep_lock(out);
    if (key.dice_only) out.plan = without_deals(std::move(out.plan));
    return out;
  } catch (const LoadError& error) {
    if (!error.path.starts_with("attacks[")) throw;
    return std::nullopt;  // without its cost or what it requires, a weapon cannot be used
  }
}

game::Plan without_deals(game::Plan plan) {
  for (game::AttackPlan& attack : plan.attacks) attack.deals.clear();
  plan.damage_deck = false;
  return plan;
}

CompiledAttack AttackModel::compile_dealing(int t) const {
  const ScenarioShip other{.attack = 1, .agility = 0, .hull = 1};
  ScenarioShip ship = type(t).without_faceup();
  ship.tokens.clear();
  Scenario asked = study::duel({options_.rules, options_.cards}, other, false, ship, "primary", 2);
  asked.attacker_policy = asked.defender_policy = "greedy";
  asked.damage_deck = options_.damage_deck;
  compile::CompiledScenario question = compiled(asked);
  CompiledAttack out{std::move(question.plan), std::move(question.labels)};
  std::erase_if(out.plan.attacks, [](const game::AttackPlan& attack) { return attack.engagement; });
  out.plan.attacks.resize(1);
  out.attacker = out.plan.attacks[0].attacker;
  out.defender = out.plan.attacks[0].defender;
  return out;
}

}  // namespace salvo::battle
