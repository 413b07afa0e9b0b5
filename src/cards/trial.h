// A trial: a small scenario in which a dry run tries a card, described from the card's point of view.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::cards {

/// One attack of a trial. Back: the defender attacks the attacker; BackBeside: it attacks another ship of the
/// attacker's side. Beside: another ship of the card's side takes part. BonusSame, BonusOther: the ship with the card
/// makes a bonus attack on the same ship, or on another one.
enum class TrialAttack { Main, Back, BackBeside, Beside, BonusSame, BonusOther };

/// Attacks between the ship with the card ("own") and another ship ("foe"). An ally is another ship of the card's side.
struct Trial {
  bool attacks = true;      ///< the ship with the card attacks; false: it defends
  bool own_weapon = false;  ///< it attacks with the card's weapon
  int range = 2;
  bool obstructed = false;
  std::map<std::string, int> own{{"focus", 1}}, foe{{"focus", 1}}, ally;  ///< tokens; lock is 0 or 1
  std::map<std::string, bool> facts;                                      ///< that differ from the usual case
  std::string own_size = "small", foe_size = "small", ally_size = "small";
  std::string own_ship, foe_ship;      ///< ship types that a condition asks for
  std::string pilot;                   ///< of the ship with the card
  std::optional<int> own_initiative;   ///< of the main attack; a defender has none
  std::optional<int> back_initiative;  ///< of the other attacks, if different
  bool docked = false;                 ///< an ally is docked with the attacker
  std::string arc;                     ///< the attacker is a ship with a weapon of this arc
  bool first_weapon = false;           ///< that ship has another weapon as well and attacks with it
  bool by_ally = false;                ///< an ally has the card
  bool beside = false;                 ///< there is an ally
  bool enemy = false;                  ///< there is another ship of the other side
  int ally_dice = 2;                   ///< attack dice of the ally
  std::string helper;                  ///< another upgrade of the ship with the card
  std::string ally_helper;             ///< an upgrade of the ally
  std::string foe_helper;              ///< an upgrade of the foe
  std::string bonus_card;              ///< that grants the bonus attacks
  std::string bonus_weapon;
  std::string weapon;           ///< an upgrade that the attacker attacks with
  bool weapon_by_card = false;  ///< only with the card; without it the attacker uses its primary weapon
  int attack_dice = 3, agility = 2;
  int back_dice = 3;                                   ///< attack dice of a defender that attacks
  bool real_ships = false;                             ///< ships with a stat line that cards can change
  std::optional<int> hull, shields;                    ///< of every ship
  std::vector<TrialAttack> course{TrialAttack::Main};  ///< the attacks, in order
  std::string objective = "damage";
  std::string damage_deck = kNoDeck;

  int deviations = 0;
};

/// The scenario of a trial, with the card or without it. `ship_of_arc`: a ship with a weapon of Trial::arc, or empty.
Scenario scenario_of(const Trial& trial, const load::CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc);

/// The trial in words.
std::string trial_words(const Trial& trial, const load::CardSpec& card);

}  // namespace salvo::cards
