#include "rules/kept.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace salvo::rules {
namespace {

/// Mixes what a question depends on into one number.
class Mixer {
 public:
  void add(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 29;
  }
  void add(int value) { add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(value))); }
  void add(std::string_view text) { add(static_cast<std::uint64_t>(std::hash<std::string_view>()(text))); }
  template <typename T>
  void add(const std::optional<T>& value) {
    if (value) add(*value);
    add(static_cast<std::uint64_t>(value.has_value()));
  }
  void add(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) add(text);
    add(static_cast<std::uint64_t>(texts.size()));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

void add(Mixer& mixer, const ScenarioShip& ship) {
  for (const auto* number : {&ship.attack, &ship.agility, &ship.hull, &ship.shields}) mixer.add(*number);
  for (const auto* text : {&ship.ship, &ship.pilot}) mixer.add(*text);
  for (const auto* texts : {&ship.upgrades, &ship.locks}) mixer.add(*texts);
  for (const auto& [token, n] : ship.tokens) {
    mixer.add(token);
    mixer.add(n);
  }
}

bool same(const Scenario& a, const Scenario& b) {
  return a.rules == b.rules && a.cards == b.cards && a.objective == b.objective && a.damage_deck == b.damage_deck &&
         a.attacker_policy == b.attacker_policy && a.defender_policy == b.defender_policy &&
         a.attacker_rules == b.attacker_rules && a.defender_rules == b.defender_rules && a.ships == b.ships &&
         a.attacks == b.attacks && a.notes == b.notes;
}

/// Without its places, which may be long and are for messages only.
Scenario without_places(const Scenario& scenario) {
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
  out.notes = scenario.notes;
  return out;
}

}  // namespace

struct KeptQuestions::Entry {
  std::uint64_t hash;
  Scenario scenario;
  std::vector<std::uint64_t> cards;
  Question question;
};

QuestionKey question_key(const Scenario& scenario, std::vector<std::uint64_t> cards) {
  Mixer mixer;
  for (const auto* text : {&scenario.objective, &scenario.damage_deck}) mixer.add(*text);
  for (const auto& [name, ship] : scenario.ships) {
    mixer.add(name);
    add(mixer, ship);
  }
  for (const ScenarioAttack& attack : scenario.attacks) {
    for (const auto* text : {&attack.by, &attack.on, &attack.weapon}) mixer.add(*text);
    mixer.add(attack.range * 4 + attack.obstructed * 2 + attack.reinforced);
    mixer.add(attack.facts);
    mixer.add(attack.initiative);
  }
  mixer.add(scenario.notes);
  for (const std::uint64_t card : cards) mixer.add(card);
  return {scenario, std::move(cards), mixer.value()};
}

std::shared_ptr<const Question> KeptQuestions::find(const QuestionKey& key) const {
  std::shared_ptr<const Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    entry = entries_[key.hash % kMost];
  }
  if (entry == nullptr || entry->hash != key.hash || entry->cards != key.cards || !same(entry->scenario, key.scenario))
    return nullptr;
  return {entry, &entry->question};
}

void KeptQuestions::keep(const QuestionKey& key, const Question& question) {
  const auto rest = static_cast<std::uint32_t>(key.hash >> 32);
  {
    const std::lock_guard lock(mutex_);
    if (seen_.empty()) seen_.resize(kSeen);
    if (std::exchange(seen_[key.hash % kSeen], rest) != rest) return;
  }
  std::shared_ptr<const Entry> entry =
      std::make_shared<const Entry>(Entry{key.hash, without_places(key.scenario), key.cards, question});
  const std::lock_guard lock(mutex_);
  entries_[key.hash % kMost].swap(entry);  // what was there goes when the lock is released
}

}  // namespace salvo::rules
