// A card in a player's words, made from its data alone. Reads the tree of the file, so that no key of it is lost: what
// has no words of its own is told as key and value.
// In: CardFile. Out: CardWords, ready to print.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cards/condition.h"
#include "load/card_file.h"

namespace salvo::cards {

/// One effect.
struct EffectWords {
  int line = 0;         ///< of the file
  std::string window;   ///< as in the data: "attack-mod"
  std::string side;     ///< "attacker", "defender" or "any"
  bool may = false;     ///< its owner decides
  std::string summary;  ///< in the data's own words: "attack-mod: reroll 1 attack die, may"
  std::string text;     ///< whole sentences for a player
};

/// A board fact that the card reads.
struct FactWords {
  std::string name;
  bool usual = false;  ///< the case that is taken when a scenario does not say
  std::string meaning;
  bool counted = false;  ///< the card reads its number, and a scenario can state one
};

/// Everything about one card.
struct CardWords {
  std::string id, kind, file;
  int charges = 0;
  std::string recovers;  ///< of charges and Force at the end of a round; empty: as usual
  std::string tokens;    ///< that it adds to those the ship starts with, in words; empty without any
  std::string weapon;    ///< in words; empty without one
  std::vector<EffectWords> effects;
  std::vector<FactWords> facts;
  std::vector<std::string> omits, partly;
  std::vector<std::string> other;  ///< keys of the file that are told nowhere else, as "key = value"
  /// All effects' summaries, the weapon first.
  std::string summary() const;
};

CardWords describe_card(const load::CardFile& card, const Facts& facts, const std::set<std::string>& counted = {});

}  // namespace salvo::cards
