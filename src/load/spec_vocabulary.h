// The words that a SPEC may use.
#pragma once

#include <string>
#include <vector>

#include "salvo/catalogue.h"

namespace salvo::load {

/// The words that a SPEC may use in an edition and card set.
struct SpecVocabulary {
  using Names = std::vector<std::string>;
  const Catalogue& catalogue;
  std::string rules, cards;
  Names tokens;
  // Keys with `=`, of the ship and of the attack: first those with texts, then those with numbers and booleans.
  Names ship_texts{"ship", "pilot", "size", "loadout"}, attack_texts{"weapon"};
  Names lists{"rolled", "results", "faceup"};  ///< keys with lists: of a roll, of the ship
  Names ship_values{"hull", "shields", "attack", "agility", "facedown"},
      attack_values{"range", "obstructed", "reinforced", "initiative"};

  bool is_fact(const std::string& word) const { return catalogue.facts().contains(word); }
  bool is_upgrade(const std::string& word) const { return catalogue.upgrade_exists(word, cards); }
  /// Whether a single word without `=` has a meaning.
  bool knows(const std::string& word) const { return is_reserved(word) || is_upgrade(word); }
  /// Tokens, keys and facts. A word similar to one of them is not taken for part of a name.
  Names reserved_words() const;
  bool is_reserved(const std::string& word) const;
  /// All words, for suggestions. Slow.
  Names all_words() const;
};

/// The words of an edition and card set. Throws LoadError if one of them is unknown.
SpecVocabulary make_vocabulary(const Catalogue& catalogue, const std::string& rules, const std::string& cards);

}  // namespace salvo::load
