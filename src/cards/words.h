// Describes a card in a player's words from its data. Keys without words of their own are listed as key and value, so
// that none is overlooked. In: CardFile. Out: CardWords, ready to print.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cards/condition.h"
#include "load/card_file.h"
#include "salvo/catalogue.h"

namespace salvo::cards {

/// One effect.
struct EffectWords {
  int line = 0;         ///< in the file
  std::string window;   ///< as in the data: "attack-mod"
  std::string side;     ///< "attacker", "defender" or "any"
  bool may = false;     ///< its owner decides
  std::string summary;  ///< in the words of the data: "attack-mod: reroll 1 attack die, may"
  std::string text;     ///< whole sentences for a player
};

/// A board fact that the card reads.
struct FactWords {
  std::string name;
  bool usual = false;  ///< the value if a scenario does not say
  std::string meaning;
  bool counted = false;  ///< the card reads its number, which a scenario can state
};

/// Everything about one card.
struct CardWords {
  std::string id, kind, file;
  int charges = 0;
  std::string recovers;            ///< of charges and Force at the end of a round; empty: the default
  std::string tokens;              ///< added to those that the ship starts with, in words; empty: none
  std::string weapon;              ///< in words; empty without one
  std::vector<std::string> rules;  ///< of the ship or the card, in words
  std::vector<EffectWords> effects;
  std::vector<FactWords> facts;
  std::vector<std::string> omits, partly;
  std::vector<std::string> other;  ///< keys of the file that appear nowhere else, as "key = value"
  /// All effects' summaries, the weapon first.
  std::string summary() const;
};

/// The words of a card set. Refers to the catalogue.
Vocabulary vocabulary_of(const Catalogue& catalogue, const std::string& card_set);

/// `counted`: facts whose number a scenario can state.
CardWords describe_card(const load::CardFile& card, const Vocabulary& vocabulary,
                        const std::set<std::string>& counted = {});

}  // namespace salvo::cards
