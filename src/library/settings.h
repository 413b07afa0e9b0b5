// The small scenarios in which a card is tried, the usual ones first.
// In: what the card's data mention. Out: settings, each a few deviations from the plainest one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::library {

/// One of the attacks of a setting. Others: the defender shoots back, or at another ship of the attacker's side;
/// another ship of the card's side takes part; the ship with the card uses a bonus attack on the same ship or on
/// another one.
enum class Move { Main, Back, BackBeside, Beside, BonusSame, BonusOther };

/// Attacks between the ship with the card and another one.
struct Setting {
  bool attacks = true;      ///< the ship with the card attacks, else it defends
  bool own_weapon = false;  ///< it attacks with the card's weapon
  int range = 2;
  bool obstructed = false;
  std::map<std::string, int> own{{"focus", 1}}, foe{{"focus", 1}}, ally;  ///< tokens; lock is 0 or 1
  std::map<std::string, bool> facts;                                      ///< stated against the usual case
  std::string own_size = "small", foe_size = "small", ally_size = "small";
  std::string own_ship, foe_ship;      ///< types of ships that a condition asks for
  std::string pilot;                   ///< the ship with the card has this pilot
  std::optional<int> own_initiative;   ///< of the attack; a defender has none
  std::optional<int> back_initiative;  ///< of the other attacks, where it is another
  bool docked = false;                 ///< the other ship of the same side is docked with the attacker
  std::string arc;                     ///< the attacker is a ship with a weapon of this arc
  bool first_weapon = false;           ///< which has another weapon as well, and shoots with that
  bool by_ally = false;                ///< another ship of the same side has the card
  bool beside = false;                 ///< there is another ship of the same side
  int ally_dice = 2;                   ///< attack dice of the other ship of the same side
  std::string helper;                  ///< the ship with the card has this upgrade as well
  std::string bonus_card;              ///< that grants the bonus attacks
  std::string bonus_weapon;
  std::string weapon;           ///< the attacker shoots with this upgrade of the library
  bool weapon_by_card = false;  ///< but only the card lets it; without the card it shoots with the primary one
  int attack_dice = 3, agility = 2;
  int back_dice = 3;                     ///< attack dice of a defender that shoots back
  bool real_ships = false;               ///< with a stat line that cards can change, in place of the two numbers
  std::optional<int> hull, shields;      ///< of every ship
  std::vector<Move> course{Move::Main};  ///< the attacks, in order
  std::string objective = "damage";
  std::string damage_deck = "none";

  int deviations = 0;
};

/// What a card's data mention.
struct Mentions {
  std::set<std::string> names;                                ///< read by conditions and counts
  std::set<std::string> texts;                                ///< 'front', 'small': texts in quotes of conditions
  std::set<int> numbers;                                      ///< of conditions
  std::set<std::string> own_tokens, foe_tokens, ally_tokens;  ///< spent, lost or read
  std::set<std::string> own_gains, foe_gains;                 ///< tokens gained
  std::set<std::string> sides;
  bool self = false;          ///< has effects in its own attacks
  bool ally = false;          ///< has effects in the attacks of other friendly ships
  bool beside = false;        ///< speaks of another friendly ship
  bool health = false;        ///< shields, or damage other than the attack's, matter
  bool crits = false;         ///< makes critical hits of other results
  bool cards = false;         ///< damage cards matter: it needs a damage deck to show
  bool waive = false;         ///< waives what a weapon requires
  bool bonus = false;         ///< grants bonus attacks
  bool order = false;         ///< changes the initiative of an attack
  bool docked = false;        ///< needs a docked ship
  bool stat = false;          ///< changes the stat line
  bool defense_stat = false;  ///< and it matters to a defender
};

Mentions mentions_of(const CardSpec& card);

/// What the library has for a dry run.
struct Props {
  std::vector<const CardSpec*> upgrades;
  std::string force_pilot;                ///< a pilot with Force charges; empty: none
  std::vector<std::string> plain_pilots;  ///< without abilities, of the highest and the lowest initiative
};

/// Whether a pilot of its ship could matter to the card.
bool wants_pilots(const Mentions& mentions);

/// All settings to try for the card, the plainest first.
std::vector<Setting> settings_for(const CardSpec& card, const Mentions& mentions, const Props& props);

/// The scenario of a setting, with the card or without it. `ship_of_arc`: a ship with such a weapon, or empty.
Scenario scenario_of(const Setting& setting, const CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc);

/// The setting in words.
std::string words_of(const Setting& setting, const CardSpec& card);

}  // namespace salvo::library
