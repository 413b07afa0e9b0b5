// A small scenario in which a card is tried, in the terms of the card: its ship, the other ship, their tokens, the
// course of the attacks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace salvo::cards {

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
  bool enemy = false;                  ///< there is another ship of the other side
  int ally_dice = 2;                   ///< attack dice of the other ship of the same side
  std::string helper;                  ///< the ship with the card has this upgrade as well
  std::string ally_helper;             ///< another ship of its side has it
  std::string foe_helper;              ///< the other ship of the attack has it
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

}  // namespace salvo::cards
