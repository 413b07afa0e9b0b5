#include "compile/plan_cache.h"

#include "base/hash.h"

#include <optional>
#include <string>
#include <utility>

namespace salvo::compile {
namespace {

template <typename T>
void add(base::Hasher& mixer, const std::optional<T>& value) {
  if (value) mixer.add(*value);
  mixer.add(static_cast<std::uint64_t>(value.has_value()));
}

void add(base::Hasher& mixer, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) mixer.add(text);
  mixer.add(static_cast<std::uint64_t>(texts.size()));
}

void add(base::Hasher& mixer, const ScenarioShip& ship) {
  for (const auto* number : {&ship.attack, &ship.agility, &ship.hull, &ship.shields}) add(mixer, *number);
  for (const auto* text : {&ship.ship, &ship.pilot}) add(mixer, *text);
  for (const auto* texts : {&ship.upgrades, &ship.locks, &ship.faceup}) add(mixer, *texts);
  mixer.add(ship.facedown);
  for (const auto& [token, n] : ship.tokens) {
    mixer.add(token);
    mixer.add(n);
  }
}

}  // namespace

bool same_question(const Scenario& a, const Scenario& b) {
  return a.rules == b.rules && a.cards == b.cards && a.objective == b.objective && a.damage_deck == b.damage_deck &&
         a.attacker_policy == b.attacker_policy && a.defender_policy == b.defender_policy &&
         a.attacker_rules == b.attacker_rules && a.defender_rules == b.defender_rules && a.ships == b.ships &&
         a.attacks == b.attacks && a.rounds == b.rounds && a.repeats == b.repeats && a.roll == b.roll &&
         a.notes == b.notes;
}

std::uint64_t hash_of(const Scenario& scenario) {
  base::Hasher mixer;
  for (const auto* text : {&scenario.objective, &scenario.damage_deck, &scenario.roll}) mixer.add(*text);
  for (const auto& [name, ship] : scenario.ships) {
    mixer.add(name);
    add(mixer, ship);
  }
  for (const ScenarioAttack& attack : scenario.attacks) {
    for (const auto* text : {&attack.by, &attack.on, &attack.weapon}) mixer.add(*text);
    mixer.add(attack.range * 4 + attack.obstructed * 2 + attack.reinforced);
    add(mixer, attack.facts);
    for (const auto* faces : {&attack.rolled, &attack.results, &attack.defense_rolled, &attack.defense_results})
      if (*faces) add(mixer, **faces);
    add(mixer, attack.initiative);
  }
  mixer.add(static_cast<std::uint64_t>(scenario.rounds.size()));
  add(mixer, scenario.notes);
  return mixer.value();
}

Scenario without_origin(const Scenario& scenario) {
  Scenario out;
  out.rules = scenario.rules;
  out.cards = scenario.cards;
  out.objective = scenario.objective;
  out.damage_deck = scenario.damage_deck;
  out.attacker_policy = scenario.attacker_policy;
  out.defender_policy = scenario.defender_policy;
  out.attacker_rules = scenario.attacker_rules;
  out.defender_rules = scenario.defender_rules;
  out.ships = scenario.ships;
  out.attacks = scenario.attacks;
  out.rounds = scenario.rounds;
  out.repeats = scenario.repeats;
  out.roll = scenario.roll;
  out.notes = scenario.notes;
  return out;
}

PlanKey plan_key(const Scenario& scenario, std::vector<std::uint64_t> cards) {
  base::Hasher mixer;
  mixer.add(hash_of(scenario));
  for (const std::uint64_t card : cards) mixer.add(card);
  return {scenario, std::move(cards), mixer.value()};
}

std::shared_ptr<const CompiledScenario> PlanCache::find(const PlanKey& key) {
  const auto entry = entries_.find(
      key.hash, [&](const Entry& one) { return one.cards == key.cards && same_question(one.scenario, key.scenario); });
  if (entry == nullptr) return nullptr;
  return {entry, &entry->question};
}

void PlanCache::insert(const PlanKey& key, const CompiledScenario& question) {
  if (!entries_.seen_before(key.hash)) return;
  entries_.insert(key.hash, std::make_shared<const Entry>(Entry{without_origin(key.scenario), key.cards, question}), 1);
}

}  // namespace salvo::compile
