// The small scenarios in which a card is tried, the usual ones first.
// In: what the card's data mention. Out: settings, each a few deviations from the plainest one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::library {

/// One attack between the ship with the card and another one.
struct Setting {
  bool attacks = true;      ///< the ship with the card attacks, else it defends
  bool own_weapon = false;  ///< it attacks with the card's weapon
  int range = 2;
  bool obstructed = false;
  std::map<std::string, int> own{{"focus", 1}}, foe{{"focus", 1}};  ///< tokens; lock is 0 or 1
  std::map<std::string, bool> facts;                                ///< stated against the usual case
  std::string own_size = "small", foe_size = "small";
  std::optional<int> own_initiative;  ///< of the attack; a defender has none
  std::string arc;                    ///< the attacker is a ship with a weapon of this arc
  bool first_weapon = false;          ///< which has another weapon as well, and shoots with that
  bool by_ally = false;               ///< another ship of the same side has the card
  std::string weapon;                 ///< the attacker shoots with this upgrade of the library
  int attack_dice = 3, agility = 2;
  bool real_ships = false;  ///< with a stat line that cards can change, in place of the two numbers
  int times = 1;            ///< attacks in a row
  std::string objective = "damage";

  int deviations = 0;
};

/// What a card's data mention.
struct Mentions {
  std::set<std::string> names;                   ///< read by conditions and counts
  std::set<std::string> texts;                   ///< 'front', 'small': texts in quotes of conditions
  std::set<int> numbers;                         ///< of conditions
  std::set<std::string> own_tokens, foe_tokens;  ///< spent, lost or read
  std::set<std::string> sides;
  bool ally = false;          ///< has effects in the attacks of other friendly ships
  bool bonus = false;         ///< grants bonus attacks
  bool stat = false;          ///< changes the stat line
  bool defense_stat = false;  ///< and it matters to a defender
};

Mentions mentions_of(const CardSpec& card);

/// All settings to try for the card, by number of deviations. `weapons`: upgrades that grant a weapon.
std::vector<Setting> settings_for(const CardSpec& card, const Mentions& mentions,
                                  const std::vector<const CardSpec*>& weapons);

/// The scenario of a setting, with the card or without it. `ship_of_arc`: a ship with such a weapon, or empty.
Scenario scenario_of(const Setting& setting, const CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc);

/// The setting in words.
std::string words_of(const Setting& setting, const CardSpec& card);

}  // namespace salvo::library
