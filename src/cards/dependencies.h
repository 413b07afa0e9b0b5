// What a card depends on: names, tokens and numbers in its conditions, and what its operations do. In: a card. Out:
// Dependencies, from which dry runs choose their trials.
#pragma once

#include <set>
#include <string>

#include "load/catalogue.h"

namespace salvo::cards {

/// Everything in a scenario that may matter to a card.
struct Dependencies {
  std::set<std::string> names;                                ///< read by conditions and counts
  std::set<std::string> texts;                                ///< quoted texts in conditions: 'front', 'small'
  std::set<int> numbers;                                      ///< in conditions
  std::set<std::string> own_tokens, foe_tokens, ally_tokens;  ///< spent, lost or read
  std::set<std::string> enemy_tokens;                         ///< likewise
  std::set<std::string> own_gains, foe_gains;                 ///< tokens gained
  std::set<std::string> sides;
  bool self = false;          ///< has effects in its own attacks
  bool ally = false;          ///< has effects in the attacks of other friendly ships
  bool beside = false;        ///< involves another friendly ship
  bool enemy = false;         ///< involves another ship of the other side
  bool health = false;        ///< shields, or damage other than the attack's, matter
  bool crits = false;         ///< turns other results into critical hits
  bool cards = false;         ///< damage cards matter: the card needs a damage deck
  bool waive = false;         ///< waives what a weapon requires
  bool bonus = false;         ///< grants bonus attacks
  bool order = false;         ///< changes the initiative of an attack
  bool docked = false;        ///< needs a docked ship
  bool stat = false;          ///< changes the stat line
  bool defense_stat = false;  ///< in a way that matters to a defender
};

Dependencies dependencies_of(const load::CardSpec& card);

/// Whether it reads the initiative of a ship.
bool reads_initiative(const Dependencies& dependencies);

/// Whether the pilot of its ship may matter to the card.
bool wants_pilots(const Dependencies& dependencies);

}  // namespace salvo::cards
