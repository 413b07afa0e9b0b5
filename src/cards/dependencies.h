// What a card's data mention: names, tokens and numbers of its conditions, what its operations do.
// In: a card. Out: Mentions, from which dry runs take what could matter to it.
#pragma once

#include <set>
#include <string>

#include "load/catalogue.h"

namespace salvo::cards {

/// What a card's data mention.
struct Dependencies {
  std::set<std::string> names;                                ///< read by conditions and counts
  std::set<std::string> texts;                                ///< 'front', 'small': texts in quotes of conditions
  std::set<int> numbers;                                      ///< of conditions
  std::set<std::string> own_tokens, foe_tokens, ally_tokens;  ///< spent, lost or read
  std::set<std::string> enemy_tokens;                         ///< likewise
  std::set<std::string> own_gains, foe_gains;                 ///< tokens gained
  std::set<std::string> sides;
  bool self = false;          ///< has effects in its own attacks
  bool ally = false;          ///< has effects in the attacks of other friendly ships
  bool beside = false;        ///< speaks of another friendly ship
  bool enemy = false;         ///< speaks of another ship of the other side
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

Dependencies dependencies_of(const load::CardSpec& card);

/// Whether it reads the initiative of a ship.
bool reads_initiative(const Dependencies& dependencies);

/// Whether a pilot of its ship could matter to the card.
bool wants_pilots(const Dependencies& dependencies);

}  // namespace salvo::cards
