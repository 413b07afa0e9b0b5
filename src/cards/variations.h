// The trials of a card: the plainest one, and all that differ from it in a few variations.
// In: what the card depends on, and the cards of the library. Out: trials, the plainest first.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cards/dependencies.h"
#include "cards/trial.h"
#include "load/catalogue.h"

namespace salvo::cards {

using Change = std::function<void(Trial&)>;
/// Alternative changes of a trial; it gets at most one of them.
using Variation = std::vector<Change>;

/// Cards of the library that trials use.
struct SupportingCards {
  std::vector<const load::CardSpec*> upgrades;
  std::string force_pilot;                ///< a pilot with Force charges; empty: none
  std::vector<std::string> plain_pilots;  ///< without abilities, of the highest and the lowest initiative
  std::map<std::string, const load::CardSpec*> weapons;  ///< by id, and by slot one that requires no token
};

/// Variations of everything that the card depends on. `weapons`: the upgrades with a weapon. The result refers to the
/// arguments.
std::vector<Variation> own_variations(const load::CardSpec& card, const Dependencies& dependencies,
                                      const SupportingCards& supporting,
                                      const std::vector<const load::CardSpec*>& weapons);

/// Variations that any card may need.
std::vector<Variation> usual_variations(const load::CardSpec& card, const std::vector<const load::CardSpec*>& weapons);

/// The attacker attacks with an upgrade of the library and has the tokens that the weapon needs.
Change shoot_with(const load::CardSpec& weapon);

/// Weapons that a condition may ask for: by arc, by name, with and without ordnance.
Variation weapon_variation(const load::CardSpec& card, const Dependencies& dependencies,
                           const std::vector<const load::CardSpec*>& weapons);

/// Adds the bonus attacks that the card grants and the scenario has to list. `weapons`: by id and slot.
void add_bonus(const load::CardSpec& card, const std::map<std::string, const load::CardSpec*>& weapons, Variation& out);

/// All trials of the card, the plainest first.
std::vector<Trial> trials_for(const load::CardSpec& card, const Dependencies& dependencies,
                              const SupportingCards& supporting);

}  // namespace salvo::cards
