#include "cards/variations.h"

#include <algorithm>

namespace salvo::cards {

namespace {

constexpr std::size_t kMaxDeviations = 3;
constexpr std::size_t kMaxTrials = 400;  ///< of one kind with the same number of deviations

/// Adds all combinations of `left` more deviations from `base`, until `out` has `most` trials. The last `usual`
/// variations are not specific to the card; unless `usual` is 0, at least one of them takes part.
void add_trials(const Trial& base, const std::vector<Variation>& all, std::size_t from, std::size_t left,
                std::size_t usual, std::size_t most, std::vector<Trial>& out) {
  if (left == 0) {
    if (out.size() < most) out.push_back(base);
    return;
  }
  const std::size_t first = left == 1 && usual > 0 ? std::max(from, all.size() - usual) : from;
  for (std::size_t d = first; d < all.size() && out.size() < most; ++d) {
    const std::size_t still = d >= all.size() - usual ? 0 : usual;
    for (const Change& change : all[d]) {
      Trial trial = base;
      change(trial);
      ++trial.deviations;
      add_trials(trial, all, d + 1, left - 1, still, most, out);
    }
  }
}

/// An attack that deals damage cards. It is small, since decks make large game graphs; a second attack is a deviation.
void with_damage_cards(Trial& trial) {
  trial.damage_deck = "core";
  trial.attack_dice = 2;
  trial.hull = 3;
  trial.shields = 0;
  trial.agility = 1;
  trial.course = {TrialAttack::Main};
}

/// Attacks with the card's own weapon and gives the ship what it needs.
void shoot_with_own(const load::CardSpec& card, Trial& trial) {
  trial.docked = card.weapon->of_docked;
  trial.own_weapon = true;
  trial.range = std::clamp(trial.range, card.weapon->min_range, card.weapon->max_range);
  for (const std::string& token : card.weapon->requires_tokens) trial.own[token] = 1;
  for (const load::CostSpec& cost : card.weapon->cost) {
    if (cost.token != "charge") trial.own[cost.token] = std::max(trial.own[cost.token], cost.n);
  }
}

/// A trial to deviate from, and the number of deviations.
struct Base {
  Trial trial;
  std::size_t deviations = 0;
};

/// The possible carriers of the card: the attacker, the defender, or an ally.
std::vector<Base> bases_of(const load::CardSpec& card, const Dependencies& dependencies, std::size_t deviations) {
  std::vector<Base> out;
  for (const bool attacks : {!dependencies.defense_stat, dependencies.defense_stat}) {
    const bool wanted =
        dependencies.sides.contains("any") || dependencies.sides.contains(attacks ? "attacker" : "defender");
    if (!wanted) continue;
    Trial base;
    base.attacks = attacks;
    base.real_ships = dependencies.stat;
    base.beside = dependencies.beside;
    base.enemy = dependencies.enemy;
    base.docked = dependencies.docked;
    if (dependencies.stat) base.objective = "kill";
    if (dependencies.cards) with_damage_cards(base);
    if (dependencies.ally && !card.weapon) {
      Trial carried = base;
      carried.by_ally = true;
      out.push_back({carried, deviations});
      if (!dependencies.self) continue;
    }
    if (attacks && card.weapon) shoot_with_own(card, base);
    out.push_back({base, deviations});
    if (dependencies.cards) {  // the second attack sees the damage cards of the first
      Trial again = base;
      again.course = {TrialAttack::Main, TrialAttack::Main};
      again.objective = "kill";  // a smaller graph: damage past the hull does not matter
      again.hull = 2;
      out.push_back({again, deviations});
    }
    if (base.own_weapon && deviations > 0) {  // other effects of the card may need the primary weapon
      base.own_weapon = false;
      out.push_back({base, deviations - 1});
    }
  }
  return out;
}

}  // namespace

std::vector<Trial> trials_for(const load::CardSpec& card, const Dependencies& dependencies,
                              const SupportingCards& supporting) {
  std::vector<const load::CardSpec*> weapons;
  for (const load::CardSpec* upgrade : supporting.upgrades) {
    if (upgrade->weapon && upgrade->weapon->attack > 0) weapons.push_back(upgrade);
  }
  const std::vector<Variation> own = own_variations(card, dependencies, supporting, weapons);
  const std::vector<Variation> usual = usual_variations(card, weapons);
  std::vector<Variation> all = own;
  all.insert(all.end(), usual.begin(), usual.end());
  std::vector<Trial> out;
  // Variations specific to the card come first, on every carrier, then those that any card may need.
  for (std::size_t deviations = 0; deviations <= kMaxDeviations; ++deviations) {
    const std::vector<Base> bases = bases_of(card, dependencies, deviations);
    for (const Base& base : bases) add_trials(base.trial, own, 0, base.deviations, 0, out.size() + kMaxTrials, out);
    for (const Base& base : bases) {
      if (base.deviations == 0) continue;
      add_trials(base.trial, all, 0, base.deviations, usual.size(), out.size() + kMaxTrials, out);
    }
  }
  return out;
}

}  // namespace salvo::cards
